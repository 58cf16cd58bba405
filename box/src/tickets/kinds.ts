/**
 * Of which kind each code is, its tier and its dates, for scanners that may have to decide alone: a table that names no
 * code (`proto/code-table.ts`), made in parts and kept in step lazily. A part is what the codes of one stretch of hashes
 * are, so a ticket that changes costs two small parts, and not the table.
 */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { bucketOf, cellsFor, codeTableToWire, fillBucket, packCells } from '@gatehouse/proto/code-table.ts'
import type { CodeTable, ManifestDelta, TicketKind } from '@gatehouse/proto/wire/device.ts'
import { isoOrNull } from '../clock/iso.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { KindFields, TicketCode, Tickets } from './tickets.ts'

/** A scan waits no longer than a part takes to make: 2 or 3 ms. */
const CODES_IN_PART = 1000
/** Late sales may make a part so much larger before all are made anew. */
const GROWTH = 1.05
/** More pairs of dates than this are no dates of a festival: those of the rest are not told, and the box alone knows them. */
const MAX_DATED = 4096
const PAST_ALL = Buffer.alloc(17, 0xff)

interface Parts {
  count: number
  /** Of a part. */
  cells: number
  seeds: Uint8Array
  all: Uint16Array
}

export interface KindsDeps {
  ledger: Ledger
  tickets: Tickets
}

export class Kinds {
  readonly #deps: KindsDeps
  readonly #list = new KindList(MAX_DATED)
  #parts: Parts | undefined
  /** Parts to make again. */
  readonly #dirty = new Set<number>()
  #filledTo = 0
  #wire: CodeTable | undefined
  #refreshing: Promise<void> | undefined

  constructor(deps: KindsDeps) {
    this.#deps = deps
  }

  /** Brings everything up to date; waits for `pause` between parts. */
  refresh(pause: () => Promise<unknown>): Promise<void> {
    this.#refreshing ??= this.#catchUp(pause).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** As a manifest has it. */
  get wire(): { kinds: TicketKind[]; kind_table: CodeTable } {
    if (!this.#parts) throw new Error('the kinds of tickets were not read yet')
    const { count: buckets, cells, seeds, all } = this.#parts
    const width = Math.max(1, Math.ceil(Math.log2(this.#list.all.length)))
    this.#wire ??= codeTableToWire({ buckets, cells, width, seeds, bits: packCells(all, width) })
    return { kinds: [...this.#list.all], kind_table: this.#wire }
  }

  async #catchUp(pause: () => Promise<unknown>): Promise<void> {
    const { ledger, tickets } = this.#deps
    if (!this.#parts) this.#begin()
    // Until nothing has changed meanwhile: whoever waits for this may have begun to wait in the middle of it.
    for (let upTo = -1; upTo !== ledger.size; ) {
      upTo = ledger.size
      for (const page of tickets.codesSince(this.#filledTo, () => true)) {
        for (const { codeHash } of page) this.#dirty.add(bucketOf(codeHash, this.#parts?.count ?? 1))
        await pause()
      }
      this.#filledTo = upTo
      for (const part of this.#dirty) {
        this.#make(part)
        await pause()
      }
    }
  }

  /** Empty parts, for as many codes as there are. */
  #begin(): void {
    const { ledger, tickets } = this.#deps
    this.#filledTo = ledger.size
    const codes = tickets.count() * 2
    const count = 2 ** Math.min(16, Math.max(0, Math.ceil(Math.log2(codes / CODES_IN_PART))))
    // Parts differ by chance: six standard deviations, so that hardly ever one of them does not fit.
    const most = codes / count + 6 * Math.sqrt(codes / count)
    const cells = cellsFor(Math.ceil(most * GROWTH))
    this.#parts = { count, cells, seeds: new Uint8Array(count), all: new Uint16Array(count * cells) }
    this.#dirty.clear()
    for (let part = 0; part < count; part++) this.#dirty.add(part)
  }

  #make(part: number): void {
    if (!this.#parts) return
    const { count, cells, seeds, all } = this.#parts
    const codes = this.#deps.tickets.codesBetween(startOf(part, count), startOf(part + 1, count))
    if (cellsFor(codes.length) > cells) {
      this.#begin()
      return
    }
    const hashes = Buffer.concat(codes.map(({ codeHash }) => codeHash))
    const filled = fillBucket(
      hashes,
      codes.map((code) => this.#list.indexOf(code)),
      cells,
    )
    seeds[part] = filled.seed
    all.set(filled.cells, part * cells)
    this.#dirty.delete(part)
    this.#wire = undefined
  }
}

/** The lowest hash of a part; beyond the last, what is above every hash. */
function startOf(part: number, count: number): Buffer {
  if (part === count) return PAST_ALL
  const start = Buffer.alloc(16)
  start.writeUInt32BE((part * 2 ** 32) / count)
  return start
}

/** Codes that have changed, as deltas and the stream have them. */
export function changesOf(
  codes: readonly TicketCode[],
): Pick<ManifestDelta, 'added' | 'added_kinds' | 'revoked' | 'revoked_kinds' | 'kinds'> {
  const list = new KindList(Number.POSITIVE_INFINITY)
  const [added, revoked] = [true, false].map((wanted) => codes.filter(({ valid }) => valid === wanted))
  const hashes = (some: readonly TicketCode[] = []) => some.map(({ codeHash }) => toBase64(codeHash))
  const kinds = (some: readonly TicketCode[] = []) => some.map((code) => list.indexOf(code))
  return {
    ...{ added: hashes(added), added_kinds: kinds(added) },
    ...{ revoked: hashes(revoked), revoked_kinds: kinds(revoked) },
    kinds: list.all,
  }
}

/** Kinds, numbered as they come. */
class KindList {
  readonly all: TicketKind[] = []
  readonly #mostDated: number
  readonly #index = new Map<string, number>()
  #dated = 0

  constructor(mostDated: number) {
    this.#mostDated = mostDated
  }

  indexOf({ tier, validFrom, validUntil }: KindFields): number {
    const key = `${validFrom}/${validUntil}/${tier}`
    const index = this.#index.get(key)
    if (index !== undefined) return index
    const isDated = validFrom !== null || validUntil !== null
    if (isDated && this.#dated >= this.#mostDated) return this.indexOf({ tier, validFrom: null, validUntil: null })
    if (isDated) this.#dated++
    this.#index.set(key, this.all.length)
    return this.all.push({ tier, valid_from: isoOrNull(validFrom), valid_until: isoOrNull(validUntil) }) - 1
  }
}

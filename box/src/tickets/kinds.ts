/**
 * Of which kind each code is, its tier and its dates, for scanners that may have to decide alone: a table that names no code
 * (`proto/code-table.ts`), and a list of the codes that are not as the table has them. The table is made when the manifest's
 * filter is, from the same reading of all tickets, and again when the list has grown long.
 */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import {
  bucketOf,
  type CodeTable,
  cellsFor,
  codeTableToWire,
  fillBucket,
  lookUp,
  packCells,
} from '@gatehouse/proto/code-table.ts'
import type { Manifest, ManifestDelta, TicketKind } from '@gatehouse/proto/wire/device.ts'
import { isoOrNull } from '../clock/iso.ts'
import type { KindFields, TicketCode } from './tickets.ts'

const HASH_BYTES = 16
/** A scan waits no longer than one part of the table takes to make: 2 ms. */
const CODES_IN_PART = 1000
/** More pairs of dates than this are no dates of a festival: those of the rest are not told, and the box alone knows them. */
const MAX_DATED = 4096
/** The longest list: so many codes, or one in so many of the table's. */
const MAX_LATE = 10_000
const MAX_LATE_SHARE = 50

/** Kinds, and codes that go before the table: by hash, base64. */
interface Listed {
  list: KindList
  late: Map<string, number>
}

/** Codes that were read and are not in a table yet, by its parts. */
interface Reading extends Listed {
  parts: number
  /** Of a part, at most. */
  room: number
  counts: Uint32Array
  hashes: Buffer
  kinds: Uint16Array
}

interface Made extends Listed {
  table: CodeTable
  codes: number
}

type WireKinds = Pick<Manifest, 'kinds' | 'kind_table' | 'late_codes' | 'late_kinds'>

export class Kinds {
  /** While all are read, what was made before still stands. */
  #reading: Reading | undefined
  #made: Made | undefined
  #wire: WireKinds | undefined

  /** The list is long, and a table would be shorter. */
  get isOutgrown(): boolean {
    return this.#made !== undefined && this.#made.late.size > Math.max(MAX_LATE, this.#made.codes / MAX_LATE_SHARE)
  }

  /** Every code will be given to `add` from now on. @param codes how many there are, about */
  begin(codes: number): void {
    const parts = 2 ** Math.min(16, Math.max(0, Math.ceil(Math.log2(codes / CODES_IN_PART))))
    // Parts differ by chance: with six standard deviations hardly a code is left over, and that goes to the list.
    const room = Math.ceil(codes / parts + 6 * Math.sqrt(codes / parts)) + 6
    this.#reading = {
      ...{ parts, room, counts: new Uint32Array(parts), list: new KindList(MAX_DATED), late: new Map() },
      ...{ hashes: Buffer.alloc(parts * room * HASH_BYTES), kinds: new Uint16Array(parts * room) },
    }
  }

  /** Takes codes as they are now, each for the first time or again. */
  add(codes: readonly TicketCode[]): void {
    for (const code of codes) {
      if (this.#reading) addTo(this.#reading, code)
      else if (this.#made) change(this.#made, code)
    }
    if (!this.#reading && codes.length > 0) this.#wire = undefined
  }

  /** Makes the table of what was added since `begin`, unless that is done; waits for `pause` between its parts. */
  async finish(pause: () => Promise<unknown>): Promise<void> {
    if (!this.#reading) return
    const { parts, counts, list, late } = this.#reading
    const cells = cellsFor(Math.max(...counts))
    const seeds = new Uint8Array(parts)
    const all = new Uint16Array(parts * cells)
    for (let part = 0; part < parts; part++) {
      const codes = codesIn(this.#reading, part)
      const filled = fillBucket(Buffer.from([...codes.keys()].join(''), 'latin1'), [...codes.values()], cells)
      seeds[part] = filled.seed
      all.set(filled.cells, part * cells)
      await pause()
    }
    const width = Math.max(1, Math.ceil(Math.log2(list.all.length)))
    const table = { buckets: parts, cells, width, seeds, bits: packCells(all, width) }
    this.#made = { list, late, table, codes: counts.reduce((sum, count) => sum + count, 0) }
    this.#reading = undefined
    this.#wire = undefined
  }

  /** As a manifest has it. */
  get wire(): WireKinds {
    if (!this.#made) throw new Error('the kinds of tickets were not read yet')
    const { list, late, table } = this.#made
    this.#wire ??= {
      kinds: [...list.all],
      kind_table: codeTableToWire(table),
      late_codes: [...late.keys()],
      late_kinds: [...late.values()],
    }
    return this.#wire
  }
}

function addTo(reading: Reading, code: TicketCode): void {
  const kind = reading.list.indexOf(code)
  if (!put(reading, code.codeHash, kind)) reading.late.set(toBase64(code.codeHash), kind)
}

/** Most changes of a ticket leave its kind as it was. */
function change({ list, late, table }: Made, code: TicketCode): void {
  const kind = list.indexOf(code)
  const text = toBase64(code.codeHash)
  if (late.has(text) || lookUp(table, code.codeHash) !== kind) late.set(text, kind)
}

/** @returns whether there was room for it */
function put({ parts, room, counts, hashes, kinds }: Reading, codeHash: Buffer, kind: number): boolean {
  const part = bucketOf(codeHash, parts)
  const count = counts[part] ?? 0
  if (count === room) return false
  codeHash.copy(hashes, (part * room + count) * HASH_BYTES)
  kinds[part * room + count] = kind
  counts[part] = count + 1
  return true
}

/** One part's codes, each once: of one that changed while all were read, as it was last. */
function codesIn({ room, counts, hashes, kinds }: Reading, part: number): Map<string, number> {
  const codes = new Map<string, number>()
  for (let at = part * room; at < part * room + (counts[part] ?? 0); at++) {
    codes.set(hashes.toString('latin1', at * HASH_BYTES, (at + 1) * HASH_BYTES), kinds[at] ?? 0)
  }
  return codes
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

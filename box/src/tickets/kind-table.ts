/**
 * The kind of each code, which is its tier and its dates, for scanners that may have to decide offline: a table that contains no
 * code itself (`proto/code-table.ts`), and a list of the late codes, whose kind is not the one in the table. The table is built
 * together with the manifest's filter, from one read of all tickets, and again when the list has become long.
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
import type { KindFields, TicketCode } from './ticket-pages.ts'

const HASH_BYTES = 16
/** A scan waits while one part of the table is built: 2 ms. */
const CODES_PER_PART = 1000
/** No festival has more pairs of dates. Codes with any others are sent without their dates, which only the box then knows. */
const MAX_DATED = 4096
/** The list may have this many codes, or one for each `TABLE_CODES_PER_LATE` of the table if that is more. */
const MAX_LATE = 10_000
const TABLE_CODES_PER_LATE = 50

/** `late`: the kind of each code that the table has wrong or not at all, by hash in base64. */
interface CodeKinds {
  list: KindList
  late: Map<string, number>
}

/** A table that is being built: the codes that were read, by the part of the table that they belong to. */
interface Build extends CodeKinds {
  parts: number
  /** Codes that a part may have. */
  room: number
  counts: Uint32Array
  hashes: Buffer
  kinds: Uint16Array
}

/** Can be sent to another thread. */
export interface BuiltTable extends CodeKinds {
  table: CodeTable
  codes: number
}

type WireKinds = Pick<Manifest, 'kinds' | 'kind_table' | 'late_codes' | 'late_kinds'>

export class KindTable {
  /** While a table is being built, the one before is still sent. */
  #build: Build | undefined
  #built: BuiltTable | undefined
  #wire: WireKinds | undefined

  /** The list of late codes is so long that a new table would be shorter. */
  get isOutgrown(): boolean {
    return (
      this.#built !== undefined && this.#built.late.size > Math.max(MAX_LATE, this.#built.codes / TABLE_CODES_PER_LATE)
    )
  }

  /** Begins a new table: `add` has to be given every code from now on. @param codes about how many there are */
  begin(codes: number): void {
    const parts = 2 ** Math.min(16, Math.max(0, Math.ceil(Math.log2(codes / CODES_PER_PART))))
    // Parts differ by chance. With room for six standard deviations hardly any code is left over, for the list.
    const room = Math.ceil(codes / parts + 6 * Math.sqrt(codes / parts)) + 6
    this.#build = {
      parts,
      room,
      counts: new Uint32Array(parts),
      list: newList(MAX_DATED),
      late: new Map(),
      hashes: Buffer.alloc(parts * room * HASH_BYTES),
      kinds: new Uint16Array(parts * room),
    }
  }

  /** Takes codes as they are now, new ones and changed ones. */
  add(codes: readonly TicketCode[]): void {
    for (const code of codes) {
      if (this.#build) addToBuild(this.#build, code)
      else if (this.#built) change(this.#built, code)
    }
    if (!this.#build && codes.length > 0) this.#wire = undefined
  }

  /** Takes a table that another thread has built. */
  adopt(built: BuiltTable): void {
    this.#build = undefined
    this.#built = built
    this.#wire = undefined
  }

  /** Builds the table that was begun; waits for `pause` between its parts. */
  async finish(pause: () => Promise<unknown>): Promise<BuiltTable> {
    if (!this.#build) throw new Error('no table was begun')
    const { parts, counts, list, late } = this.#build
    const cells = cellsFor(Math.max(...counts))
    const seeds = new Uint8Array(parts)
    const all = new Uint16Array(parts * cells)
    for (let part = 0; part < parts; part++) {
      const codes = codesIn(this.#build, part)
      const filled = fillBucket(Buffer.from([...codes.keys()].join(''), 'latin1'), [...codes.values()], cells)
      seeds[part] = filled.seed
      all.set(filled.cells, part * cells)
      await pause()
    }
    const width = Math.max(1, Math.ceil(Math.log2(list.all.length)))
    const table = { buckets: parts, cells, width, seeds, bits: packCells(all, width) }
    const built = { list, late, table, codes: counts.reduce((sum, count) => sum + count, 0) }
    this.adopt(built)
    return built
  }

  /** As the manifest has it. */
  get wire(): WireKinds {
    if (!this.#built) throw new Error('the table of kinds was not built yet')
    const { list, late, table } = this.#built
    this.#wire ??= {
      kinds: [...list.all],
      kind_table: codeTableToWire(table),
      late_codes: [...late.keys()],
      late_kinds: [...late.values()],
    }
    return this.#wire
  }
}

function addToBuild(build: Build, code: TicketCode): void {
  const kind = kindIn(build.list, code)
  if (!put(build, code.codeHash, kind)) build.late.set(toBase64(code.codeHash), kind)
}

/** A change goes to the list only if it changes the kind, which most do not. */
function change({ list, late, table }: BuiltTable, code: TicketCode): void {
  const kind = kindIn(list, code)
  const text = toBase64(code.codeHash)
  if (late.has(text) || lookUp(table, code.codeHash) !== kind) late.set(text, kind)
}

/** @returns whether there was room for it */
function put({ parts, room, counts, hashes, kinds }: Build, codeHash: Buffer, kind: number): boolean {
  const part = bucketOf(codeHash, parts)
  const count = counts[part] ?? 0
  if (count === room) return false
  codeHash.copy(hashes, (part * room + count) * HASH_BYTES)
  kinds[part * room + count] = kind
  counts[part] = count + 1
  return true
}

/** The codes of one part, each once: the last kind counts for one that changed during the read. */
function codesIn({ room, counts, hashes, kinds }: Build, part: number): Map<string, number> {
  const codes = new Map<string, number>()
  for (let at = part * room; at < part * room + (counts[part] ?? 0); at++) {
    codes.set(hashes.toString('latin1', at * HASH_BYTES, (at + 1) * HASH_BYTES), kinds[at] ?? 0)
  }
  return codes
}

/** Changed codes, as deltas and the stream have them. */
export function codeChanges(
  codes: readonly TicketCode[],
): Pick<ManifestDelta, 'added' | 'added_kinds' | 'revoked' | 'revoked_kinds' | 'kinds'> {
  const list = newList(Number.POSITIVE_INFINITY)
  const [added, revoked] = [true, false].map((wanted) => codes.filter(({ valid }) => valid === wanted))
  const hashes = (some: readonly TicketCode[] = []) => some.map(({ codeHash }) => toBase64(codeHash))
  const kinds = (some: readonly TicketCode[] = []) => some.map((code) => kindIn(list, code))
  return {
    added: hashes(added),
    added_kinds: kinds(added),
    revoked: hashes(revoked),
    revoked_kinds: kinds(revoked),
    kinds: list.all,
  }
}

/** Kinds, numbered in the order in which they occur. Can be sent to another thread. */
interface KindList {
  readonly all: TicketKind[]
  readonly mostDated: number
  readonly index: Map<string, number>
  dated: number
}

function newList(mostDated: number): KindList {
  return { all: [], mostDated, index: new Map(), dated: 0 }
}

/** The number of a kind, which it gets when it is first asked for. */
function kindIn(list: KindList, { tier, validFrom, validUntil }: KindFields): number {
  const key = `${validFrom}/${validUntil}/${tier}`
  const index = list.index.get(key)
  if (index !== undefined) return index
  const isDated = validFrom !== null || validUntil !== null
  if (isDated && list.dated >= list.mostDated) return kindIn(list, { tier, validFrom: null, validUntil: null })
  if (isDated) list.dated++
  list.index.set(key, list.all.length)
  return list.all.push({ tier, valid_from: isoOrNull(validFrom), valid_until: isoOrNull(validUntil) }) - 1
}

/**
 * What boxes send each other of their journals: entries, byte for byte, with the rows that they explain. Another box is known by
 * its certificate, and what it says is checked all the same: it may be of another version, broken, or taken over.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { parse } from '@gatehouse/proto/hlc.ts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Entry, EntryKind } from '../../ledger/ledger.ts'
import { Rows } from './rows.ts'
import { isShaped } from './shapes.ts'

/** A page ends where it reaches this: with the tickets of its last entry it is less than half of the largest message. */
export const PAGE_BYTES = 192 * 1024
/** The largest message that is read. */
const MOST_BYTES = 1024 * 1024
const MOST_ENTRIES = 5_000

const Index = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const BoxId = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,40}$' })

const Envelope = Type.Object({ index: Index, bytes: Type.String({ maxLength: MOST_BYTES }), rows: Type.Optional(Rows) })

const Page = Type.Object({
  v: Type.Literal(1),
  /** Whose journal it is. */
  box: BoxId,
  /** How many entries the journal has. */
  size: Index,
  /** Of the list of boxes that its box goes by, where that box itself says this. Absent where it is of an older version. */
  epoch: Type.Optional(Index),
  entries: Type.Array(Envelope, { maxItems: MOST_ENTRIES }),
  /** The last entry has more tickets than these: those after this one. The entry counts when the last of them is here. */
  more: Type.Optional(Index),
  /** Its newest seal. */
  seal: Type.Optional(Type.String({ maxLength: 64 * 1024 })),
})
type WirePage = Static<typeof Page>
type WireEnvelope = Static<typeof Envelope>

/** An entry of another box's journal, with the rows that came along. */
export interface PeerEntry extends Entry {
  readonly rows: Rows
}

export interface PeerPage extends Omit<WirePage, 'v' | 'entries'> {
  readonly entries: readonly PeerEntry[]
}

const Ask = Type.Object({
  v: Type.Literal(1),
  /** The first entry that is wanted. */
  from: Index,
  /** Within that entry, tickets after this one. */
  after: Type.Optional(Index),
  /** Whose journal: the asked box's own, or another one's as far as it has it. */
  of: Type.Optional(BoxId),
})
export interface Ask {
  readonly from: number
  readonly after?: number | undefined
  readonly of?: string | undefined
}

/** What another box said cannot be used; nothing of it is. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
}

export function encodeEnvelope(entry: Pick<Entry, 'index' | 'bytes'>, rows: Rows | undefined): string {
  return JSON.stringify({ index: entry.index, bytes: entry.bytes.toString(), ...(rows && { rows }) })
}

/** @param entries as `encodeEnvelope` has made them */
export function encodePage({
  entries,
  ...page
}: Omit<WirePage, 'v' | 'entries'> & { entries: readonly string[] }): Uint8Array {
  const head = JSON.stringify({ v: 1, ...page })
  return Buffer.from(`${head.slice(0, -1)},"entries":[${entries.join(',')}]}`)
}

/**
 * @param box whose journal it must be
 * @throws EnvelopeError for anything but entries in their one spelling, in order of index and clock
 */
export function decodePage(bytes: Uint8Array, box: string): PeerPage {
  const page = checked(Page, bytes)
  if (page.box !== box) throw new EnvelopeError(`a page of ${box} says that it is of another box`)
  let before: PeerEntry | undefined
  const entries = page.entries.map((envelope) => {
    before = peerEntry(envelope, before)
    return before
  })
  const last = entries.at(-1)
  if (last && last.index >= page.size) throw new EnvelopeError('an entry beyond the end of its journal')
  if (page.more !== undefined && !last) throw new EnvelopeError('more of an entry that is not there')
  const { size, epoch, more, seal } = page
  return {
    ...{ box, size, entries },
    ...(epoch !== undefined && { epoch }),
    ...(more !== undefined && { more }),
    ...(seal !== undefined && { seal }),
  }
}

export function encodeAsk({ from, after, of }: Ask): Uint8Array {
  return Buffer.from(
    JSON.stringify({ v: 1, from, ...(after !== undefined && { after }), ...(of !== undefined && { of }) }),
  )
}

/** @throws EnvelopeError */
export function decodeAsk(bytes: Uint8Array): Ask {
  const { from, after, of } = checked(Ask, bytes)
  return { from, ...(after !== undefined && { after }), ...(of !== undefined && { of }) }
}

function checked<T extends typeof Page | typeof Ask>(schema: T, bytes: Uint8Array): Static<T> {
  if (bytes.length > MOST_BYTES) throw new EnvelopeError('too long')
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new EnvelopeError('no JSON', { cause })
  }
  if (!Value.Check(schema, value)) {
    const [first] = Value.Errors(schema, value)
    // The path alone: a value may be a name.
    throw new EnvelopeError(`not the shape of this version: ${first?.instancePath || '/'}`)
  }
  return value as Static<T>
}

/** The entry as its journal has it; of what kind it is, a newer box may know better than this one. */
function peerEntry({ index, bytes: text, rows = {} }: WireEnvelope, before: PeerEntry | undefined): PeerEntry {
  const fields = fieldsOf(text)
  const { hlc, kind } = fields
  if (fields.index !== index) throw new EnvelopeError('an entry that says of itself that it has another place')
  if (typeof kind !== 'string' || !/^[a-z_]{1,40}$/.test(kind)) throw new EnvelopeError('an entry of no kind')
  if (typeof hlc !== 'string' || !/^\d{13}\.\d{6}$/.test(hlc) || !parse(hlc))
    throw new EnvelopeError('an entry without a clock')
  if (!isShaped(kind, fields)) throw new EnvelopeError(`an entry that is no ${kind}`)
  if (before && (before.index + 1 !== index || before.hlc >= hlc)) throw new EnvelopeError('entries out of order')
  return { index, hlc, kind: kind as EntryKind, bytes: Buffer.from(text), fields, rows }
}

function fieldsOf(text: string): { readonly [name: string]: unknown } {
  let value: unknown
  try {
    value = JSON.parse(text)
    if (canonicalJson(value) === text && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as { readonly [name: string]: unknown }
    }
  } catch (cause) {
    throw new EnvelopeError('an entry that is no JSON', { cause })
  }
  throw new EnvelopeError('an entry in another spelling than its own')
}

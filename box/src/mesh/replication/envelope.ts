/**
 * The messages of replication: pages of entries, byte for byte, with the rows that they explain, and the requests for them. The
 * sender is authenticated by its certificate. Everything it sends is checked all the same, because it may be of another version,
 * broken or taken over.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { parse } from '@gatehouse/proto/hlc.ts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Entry, EntryKind, EntryOf } from '../../ledger/entries.ts'
import { Rows } from './rows.ts'
import { isShaped } from './shapes.ts'

/** A page ends when it reaches this size: with the tickets of its last entry it is less than half of the largest message. */
export const PAGE_BYTES = 192 * 1024
/** The largest message that is read. */
const MOST_BYTES = 1024 * 1024
const MOST_ENTRIES = 5_000

const Index = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const BoxId = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,40}$' })

const Envelope = Type.Object({ index: Index, bytes: Type.String({ maxLength: MOST_BYTES }), rows: Type.Optional(Rows) })

const Page = Type.Object({
  v: Type.Literal(1),
  /** The box that the journal belongs to. */
  box: BoxId,
  /** Number of entries in the journal. */
  size: Index,
  /** Epoch of the sender's topology, where the sender owns the journal. Absent where it is of an older version. */
  epoch: Type.Optional(Index),
  entries: Type.Array(Envelope, { maxItems: MOST_ENTRIES }),
  /** The last entry has more tickets, after this one. The entry is stored when the last of them has arrived. */
  more: Type.Optional(Index),
  /** The newest seal of the journal. */
  seal: Type.Optional(Type.String({ maxLength: 64 * 1024 })),
})
type WirePage = Static<typeof Page>
type WireEnvelope = Static<typeof Envelope>

/** An entry of another box's journal, with the rows that came with it. */
export type PeerEntry<K extends EntryKind = EntryKind> = EntryOf<K> & { readonly rows: Rows }

export interface PeerPage extends Omit<WirePage, 'v' | 'entries'> {
  readonly entries: readonly PeerEntry[]
}

const PullRequestShape = Type.Object({
  v: Type.Literal(1),
  /** Index of the first entry that is requested. */
  from: Index,
  /** Only tickets after this one, within that entry. */
  after: Type.Optional(Index),
  /** The box that the journal belongs to: another one, as far as the asked box has it. The asked box where absent. */
  of: Type.Optional(BoxId),
})
export interface PullRequest {
  readonly from: number
  readonly after?: number | undefined
  readonly of?: string | undefined
}

/** A message of another box cannot be used; nothing of it is. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
}

export function encodeEnvelope(entry: Pick<Entry, 'index' | 'bytes'>, rows: Rows | undefined): string {
  return JSON.stringify({ index: entry.index, bytes: entry.bytes.toString(), ...(rows && { rows }) })
}

/** @param entries made by `encodeEnvelope` */
export function encodePage({
  entries,
  ...page
}: Omit<WirePage, 'v' | 'entries'> & { entries: readonly string[] }): Uint8Array {
  const head = JSON.stringify({ v: 1, ...page })
  return Buffer.from(`${head.slice(0, -1)},"entries":[${entries.join(',')}]}`)
}

/**
 * @param box whose journal it must be
 * @throws EnvelopeError for anything but entries in canonical form, in the order of index and clock
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
  const { v, ...rest } = page
  return { ...rest, entries }
}

export function encodePullRequest({ from, after, of }: PullRequest): Uint8Array {
  return Buffer.from(JSON.stringify({ v: 1, from, after, of }))
}

/** @throws EnvelopeError */
export function decodePullRequest(bytes: Uint8Array): PullRequest {
  const { v, ...request } = checked(PullRequestShape, bytes)
  return request
}

function checked<T extends typeof Page | typeof PullRequestShape>(schema: T, bytes: Uint8Array): Static<T> {
  if (bytes.length > MOST_BYTES) throw new EnvelopeError('too long')
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new EnvelopeError('not JSON', { cause })
  }
  if (!Value.Check(schema, value)) {
    const [first] = Value.Errors(schema, value)
    // Only the path: a value may be a person's name.
    throw new EnvelopeError(`not the shape of this version: ${first?.instancePath || '/'}`)
  }
  return value as Static<T>
}

/** The entry as its journal has it. A newer box may send kinds that this one does not know. */
function peerEntry({ index, bytes: text, rows = {} }: WireEnvelope, before: PeerEntry | undefined): PeerEntry {
  const fields = fieldsOf(text)
  const { hlc, kind } = fields
  if (fields.index !== index) throw new EnvelopeError('an entry that says of itself that it has another place')
  if (typeof kind !== 'string' || !/^[a-z_]{1,40}$/.test(kind)) throw new EnvelopeError('an entry of no kind')
  if (typeof hlc !== 'string' || !/^\d{13}\.\d{6}$/.test(hlc) || !parse(hlc))
    throw new EnvelopeError('an entry without a clock')
  if (!isShaped(kind, fields)) throw new EnvelopeError(`an entry without the fields of ${kind}`)
  if (before && (before.index + 1 !== index || before.hlc >= hlc)) throw new EnvelopeError('entries out of order')
  return { index, hlc, kind, bytes: Buffer.from(text), fields, rows } as unknown as PeerEntry
}

function fieldsOf(text: string): { readonly [name: string]: unknown } {
  let value: unknown
  try {
    value = JSON.parse(text)
    if (canonicalJson(value) === text && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as { readonly [name: string]: unknown }
    }
  } catch (cause) {
    throw new EnvelopeError('an entry that is not JSON', { cause })
  }
  throw new EnvelopeError('an entry in another spelling than its own')
}

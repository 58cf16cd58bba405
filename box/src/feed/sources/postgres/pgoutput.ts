/**
 * Messages of PostgreSQL's `pgoutput` plugin, protocol version 1 (PostgreSQL manual, "Logical Replication Message
 * Formats"). Values stay the text that the server has made of them.
 *
 * Not version 2: it sends transactions before they are committed, when their commit position, which is part of every id,
 * is not known; a transaction that is then rolled back would have to be kept somewhere.
 */
import { Buffer } from 'node:buffer'
import { type ColumnJson, columnJson, RowJson } from './row-json.ts'

export type Message =
  | { kind: 'begin'; commitLsn: bigint; committedAt: bigint }
  | { kind: 'commit'; commitLsn: bigint; end: bigint }
  | RowChange
  | { kind: 'truncate'; relations: readonly Relation[] }
  /** Relations, types, origins, logical messages: nothing that a receiver hears of. */
  | { kind: 'other' }

export interface RowChange {
  kind: 'insert' | 'update' | 'delete'
  relation: Relation
  /** Empty when there is no image; of a key alone when the replica identity gives no more. */
  beforeJson: string
  afterJson: string
  /** Both images, in UTF-8. */
  bytes: number
}

export interface Relation {
  readonly schema: string
  readonly table: string
  readonly columns: readonly Column[]
}

interface Column extends ColumnJson {
  /** Part of the replica identity. */
  readonly key: boolean
}

/** What the server sent is no message that this version of the protocol has. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

const KEY_COLUMN = 1
const [NULL, UNCHANGED, TEXT] = [0x6e, 0x75, 0x74]
const NOTHING: Message = { kind: 'other' }
const EMPTY = Buffer.alloc(0)

/** Decodes the messages of one session, in order: it remembers the relations that they speak of. */
export class Decoder {
  readonly #relations = new Map<number, Relation>()
  readonly #row = new RowJson()
  #bytes: Buffer = EMPTY
  #at = 0
  /** Where each value of the last full old row is: from, to; -1 for what it has not. */
  #old: number[] = []

  /**
   * @param from where in `bytes` the message begins; it ends with them
   * @throws ProtocolError for anything that is not exactly one message
   */
  decode(bytes: Buffer, from = 0): Message {
    this.#bytes = bytes
    this.#at = from
    const message = this.#message()
    if (this.#at !== bytes.length)
      throw new ProtocolError(`${bytes.length - this.#at} bytes after the end of a message`)
    this.#bytes = EMPTY
    return message
  }

  #message(): Message {
    const type = String.fromCharCode(this.#byte())
    switch (type) {
      case 'I':
        return this.#insert()
      case 'U':
        return this.#update()
      case 'D':
        return this.#delete()
      case 'B':
        return this.#begin()
      case 'C':
        return this.#commit()
      case 'T':
        return this.#truncate()
      case 'R':
        return this.#relation()
      case 'Y':
        this.#int32()
        this.#string()
        this.#string()
        return NOTHING
      case 'O':
        this.#int64()
        this.#string()
        return NOTHING
      case 'M':
        this.#byte()
        this.#int64()
        this.#string()
        this.#skip(this.#int32())
        return NOTHING
      default:
        throw new ProtocolError(`a message of type ${JSON.stringify(type)}, which protocol version 1 has not`)
    }
  }

  #begin(): Message {
    const message = { kind: 'begin', commitLsn: this.#int64(), committedAt: BigInt.asIntN(64, this.#int64()) } as const
    this.#int32()
    return message
  }

  #commit(): Message {
    this.#byte()
    const message = { kind: 'commit', commitLsn: this.#int64(), end: this.#int64() } as const
    this.#int64()
    return message
  }

  #relation(): Message {
    const id = this.#int32()
    // The server leaves out the name of its own schema.
    const schema = this.#string() || 'pg_catalog'
    const table = this.#string()
    this.#byte()
    const columns: Column[] = []
    for (let count = this.#int16(); count > 0; count--) {
      const key = (this.#byte() & KEY_COLUMN) !== 0
      columns.push({ key, ...columnJson(this.#string()) })
      this.#int32()
      this.#int32()
    }
    this.#relations.set(id, { schema, table, columns })
    return NOTHING
  }

  #insert(): Message {
    const relation = this.#known()
    this.#expect('N')
    const { json, bytes } = this.#newRow(relation, false)
    return { kind: 'insert', relation, beforeJson: '', afterJson: json, bytes }
  }

  #update(): Message {
    const relation = this.#known()
    const old = this.#next()
    const before = old === 'K' || old === 'O' ? this.#oldRow(relation) : undefined
    this.#expect('N')
    const after = this.#newRow(relation, old === 'O')
    const bytes = after.bytes + (before?.bytes ?? 0)
    return { kind: 'update', relation, beforeJson: before?.json ?? '', afterJson: after.json, bytes }
  }

  #delete(): Message {
    const relation = this.#known()
    const { json, bytes } = this.#oldRow(relation)
    return { kind: 'delete', relation, beforeJson: json, afterJson: '', bytes }
  }

  #truncate(): Message {
    const count = this.#int32()
    this.#byte()
    const relations: Relation[] = []
    for (let i = 0; i < count; i++) relations.push(this.#known())
    return { kind: 'truncate', relations }
  }

  /** A whole row ('O'), or one whose columns are only there when they are part of the key ('K'). */
  #oldRow(relation: Relation) {
    const marker = String.fromCharCode(this.#byte())
    if (marker !== 'K' && marker !== 'O') throw new ProtocolError(`an old row marked ${JSON.stringify(marker)}`)
    this.#countOf(relation)
    this.#row.begin()
    this.#old = []
    for (const column of relation.columns) {
      const kind = this.#byte()
      const length = kind === TEXT ? this.#length() : 0
      const from = this.#at
      this.#at += length
      this.#old.push(kind === TEXT ? from : -1, this.#at)
      // Without the key the server had nothing to say, which it writes as null.
      if (marker === 'K' && !column.key) continue
      if (kind === TEXT) this.#row.text(column, this.#bytes, from, this.#at)
      else if (kind === NULL) this.#row.none(column)
      else if (kind !== UNCHANGED) throw unknownKind(kind)
    }
    return this.#row.end()
  }

  /**
   * A large value that was not touched is not in the message: it is taken from the old row when that is whole, and else the
   * column is left out, because null would be a lie.
   */
  #newRow(relation: Relation, hasOld: boolean) {
    this.#countOf(relation)
    this.#row.begin()
    const { columns } = relation
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i] as Column
      const kind = this.#byte()
      if (kind === TEXT) {
        const length = this.#length()
        const from = this.#at
        this.#at += length
        this.#row.text(column, this.#bytes, from, this.#at)
      } else if (kind === NULL) this.#row.none(column)
      else if (kind !== UNCHANGED) throw unknownKind(kind)
      else if (hasOld && (this.#old[2 * i] ?? -1) >= 0) {
        this.#row.text(column, this.#bytes, this.#old[2 * i] ?? 0, this.#old[2 * i + 1] ?? 0)
      }
    }
    return this.#row.end()
  }

  #countOf(relation: Relation): void {
    const count = this.#int16()
    if (count === relation.columns.length) return
    throw new ProtocolError(`a row of ${count} columns for ${relation.table}, which has ${relation.columns.length}`)
  }

  #known(): Relation {
    const id = this.#int32()
    const relation = this.#relations.get(id)
    if (!relation) throw new ProtocolError(`a change of relation ${id}, which was not described`)
    return relation
  }

  #next(): string {
    return String.fromCharCode(this.#bytes[this.#at] ?? 0)
  }

  #expect(marker: string): void {
    const found = String.fromCharCode(this.#byte())
    if (found !== marker) throw new ProtocolError(`${JSON.stringify(found)} where ${marker} belongs`)
  }

  /** The length of what comes next, all of which is there. */
  #length(): number {
    const length = this.#int32()
    this.#need(length)
    return length
  }

  #skip(length: number): void {
    this.#need(length)
    this.#at += length
  }

  #byte(): number {
    this.#need(1)
    return this.#bytes[this.#at++] ?? 0
  }

  #int16(): number {
    this.#need(2)
    this.#at += 2
    return this.#bytes.readUInt16BE(this.#at - 2)
  }

  #int32(): number {
    this.#need(4)
    this.#at += 4
    return this.#bytes.readUInt32BE(this.#at - 4)
  }

  #int64(): bigint {
    this.#need(8)
    this.#at += 8
    return this.#bytes.readBigUInt64BE(this.#at - 8)
  }

  #string(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    if (end < 0) throw new ProtocolError('a name that does not end')
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end + 1
    return text
  }

  #need(length: number): void {
    if (length > this.#bytes.length - this.#at) throw new ProtocolError('a message that ends too early')
  }
}

function unknownKind(kind: number): ProtocolError {
  return new ProtocolError(`a value of kind ${JSON.stringify(String.fromCharCode(kind))}`)
}

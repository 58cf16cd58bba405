/**
 * Messages of PostgreSQL's `pgoutput` plugin, protocol version 1 (PostgreSQL manual, "Logical Replication Message
 * Formats"). Values stay the text that the server has sent.
 *
 * Not version 2: it sends transactions before they are committed, when their commit position, which is part of every id, is not
 * known yet; and whatever may still be rolled back would have to be kept somewhere.
 */
import { Buffer } from 'node:buffer'
import { type ColumnJson, columnJson, RowJson } from './row-json.ts'

export type Message =
  | { kind: 'begin'; commitLsn: bigint; committedAt: bigint }
  | { kind: 'commit'; commitLsn: bigint; end: bigint }
  | RowChange
  | { kind: 'truncate'; relations: readonly Relation[] }
  /** Relations, types, origins and logical messages, which are not delivered. */
  | { kind: 'other' }

export interface RowChange {
  kind: 'insert' | 'update' | 'delete'
  relation: Relation
  /** Empty when there is no image; the key alone where the replica identity has no more. */
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

/** The server sent something that is not a message of this protocol version. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

const KEY_COLUMN = 1
const [NULL, UNCHANGED, TEXT] = [0x6e, 0x75, 0x74]
const NOTHING: Message = { kind: 'other' }
const EMPTY = Buffer.alloc(0)

/** Decodes the messages of one session, in order: it remembers the relations that they refer to. */
export class Decoder {
  readonly #relations = new Map<number, Relation>()
  readonly #row = new RowJson()
  #bytes: Buffer = EMPTY
  #at = 0
  /** Offsets of each value of the last full old row: from, to; -1 where there is none. */
  #old: number[] = []

  /**
   * @param from where in `bytes` the message begins; it ends where they end
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

  /** The table of a change, without decoding its row; undefined for other messages, and for a table that was not announced. */
  relationOf(bytes: Buffer, from: number): Relation | undefined {
    const isChange = 'IUD'.includes(String.fromCharCode(bytes[from] ?? 0))
    return isChange ? this.#relations.get(bytes.readUInt32BE(from + 1)) : undefined
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
    // The server sends an empty name for its own schema.
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
    const afterJson = this.#newRow(relation, false)
    return { kind: 'insert', relation, beforeJson: '', afterJson, bytes: this.#row.bytes }
  }

  #update(): Message {
    const relation = this.#known()
    const old = this.#next()
    const hasOld = old === 'K' || old === 'O'
    const beforeJson = hasOld ? this.#oldRow(relation) : ''
    const before = hasOld ? this.#row.bytes : 0
    this.#expect('N')
    const afterJson = this.#newRow(relation, old === 'O')
    return { kind: 'update', relation, beforeJson, afterJson, bytes: before + this.#row.bytes }
  }

  #delete(): Message {
    const relation = this.#known()
    const beforeJson = this.#oldRow(relation)
    return { kind: 'delete', relation, beforeJson, afterJson: '', bytes: this.#row.bytes }
  }

  #truncate(): Message {
    const count = this.#int32()
    this.#byte()
    const relations: Relation[] = []
    for (let i = 0; i < count; i++) relations.push(this.#known())
    return { kind: 'truncate', relations }
  }

  /** A whole row ('O'), or one that has only the columns of the key ('K'). */
  #oldRow(relation: Relation): string {
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
      // The server writes null for columns outside the key: they are unknown and not null.
      if (marker === 'K' && !column.key) continue
      if (kind === TEXT) this.#row.text(column, this.#bytes, from, this.#at)
      else if (kind === NULL) this.#row.none(column)
      else if (kind !== UNCHANGED) throw unknownKind(kind)
    }
    return this.#row.end()
  }

  /**
   * The message lacks a large value that did not change (TOAST): it is copied from the old row where that is whole. Otherwise the
   * column is left out, since null would be wrong.
   */
  #newRow(relation: Relation, hasOld: boolean): string {
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

  /** The length of the next value, which is checked to be there. */
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

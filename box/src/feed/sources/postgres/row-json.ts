/**
 * Writes a row as a JSON object of column to text or null, byte by byte from what the server sent: no value becomes a number, a
 * date or an object, and no string is made for a single column. Reading a long log spends its processor time here.
 */
import { Buffer } from 'node:buffer'

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d]
const FIRST_SIZE = 64 * 1024
/** A buffer that one huge row has made larger than this is released after it. */
const KEEP_SIZE = 1024 * 1024

/** The bytes before a value, `,"name":"`, and those for null, `,"name":null`. */
export interface ColumnJson {
  readonly text: Buffer
  readonly none: Buffer
}

export function columnJson(name: string): ColumnJson {
  const key = JSON.stringify(name)
  return { text: Buffer.from(`,${key}:"`), none: Buffer.from(`,${key}:null`) }
}

/** Writes one object after the other, in the same buffer. */
export class RowJson {
  #out = Buffer.allocUnsafeSlow(FIRST_SIZE)
  #at = 0
  #bits = 0

  begin(): void {
    this.#at = 0
    this.#bits = 0
    if (this.#out.length > KEEP_SIZE) this.#out = Buffer.allocUnsafeSlow(FIRST_SIZE)
  }

  none(column: ColumnJson): void {
    this.#reserve(column.none.length)
    this.#copy(column.none)
  }

  /** Adds a column whose value is `bytes` from `from` to `to`, UTF-8. */
  text(column: ColumnJson, bytes: Buffer, from: number, to: number): void {
    this.#reserve(column.text.length + to - from + 1)
    this.#copy(column.text)
    let out = this.#out
    let at = this.#at
    let bits = this.#bits
    for (let i = from; i < to; i++) {
      const byte = bytes[i] ?? 0
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
        bits |= byte
        out[at++] = byte
        continue
      }
      const escaped = ESCAPES[byte] ?? ''
      this.#at = at
      this.#reserve(escaped.length + to - i)
      out = this.#out
      for (let j = 0; j < escaped.length; j++) out[at++] = escaped.charCodeAt(j)
    }
    out[at++] = QUOTE
    this.#at = at
    this.#bits = bits
  }

  /** The length of the last object in UTF-8. */
  get bytes(): number {
    return this.#at
  }

  /** @returns the object. @throws when it is longer than a string can be */
  end(): string {
    this.#reserve(2)
    // Every column begins with a comma; the brace replaces the first one.
    if (this.#at === 0) this.#at = 1
    this.#out[0] = OPEN
    this.#out[this.#at++] = CLOSE
    // For ASCII both give the same string, and Latin-1 needs no decoding.
    return this.#out.toString(this.#bits < 0x80 ? 'latin1' : 'utf8', 0, this.#at)
  }

  #copy(bytes: Buffer): void {
    const out = this.#out
    let at = this.#at
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0
      this.#bits |= byte
      out[at++] = byte
    }
    this.#at = at
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#out.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + more, 2 * this.#out.length))
    this.#out.copy(larger, 0, 0, this.#at)
    this.#out = larger
  }
}

/** As JSON.stringify writes them. */
const ESCAPES = Array.from({ length: BACKSLASH + 1 }, (_, byte) =>
  JSON.stringify(String.fromCharCode(byte)).slice(1, -1),
)

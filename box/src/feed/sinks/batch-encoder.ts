/**
 * Encodes `ChangeEventBatch` of changefeed.proto straight into one buffer, since this is paid for each event. The generated
 * code, which the test compares this with, takes twice as long and makes an object of each event.
 */
import { Buffer } from 'node:buffer'
import type { ChangeEvent } from '../change.ts'

const FIRST_SIZE = 64 * 1024
/** A buffer that one huge batch has made larger than this is released after it. */
const KEEP_SIZE = 2 * 1024 * 1024
/** Bytes of a length below 2^32 as a varint. */
const LONGEST_LENGTH = 5
/** Shorter texts are copied character by character: a call into the runtime costs more. */
const SHORT = 48

/** Tags of the fields: the number, and the wire type `LEN`. */
const EVENTS = (1 << 3) | 2
const [ID, LSN, COMMIT_LSN, COMMIT_TIME, SCHEMA, TABLE, OP, BEFORE, AFTER] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
  (number) => (number << 3) | 2,
) as [number, number, number, number, number, number, number, number, number]

/** Encodes one batch after the other, in the same buffer. */
export class BatchEncoder {
  #out = Buffer.allocUnsafeSlow(FIRST_SIZE)
  #at = 0

  /** @returns a copy, which the caller owns */
  encode(events: readonly ChangeEvent[]): Buffer {
    this.#at = 0
    for (const event of events) this.#event(event)
    const message = Buffer.allocUnsafeSlow(this.#at)
    this.#out.copy(message, 0, 0, this.#at)
    if (this.#out.length > KEEP_SIZE) this.#out = Buffer.allocUnsafeSlow(FIRST_SIZE)
    return message
  }

  #event(event: ChangeEvent): void {
    this.#reserve(1 + LONGEST_LENGTH)
    this.#out[this.#at++] = EVENTS
    // The length is known only at the end: the event is written behind room for the longest, and then moved up.
    const head = this.#at
    const from = head + LONGEST_LENGTH
    this.#at = from
    this.#text(ID, event.id)
    this.#text(LSN, event.lsn)
    this.#text(COMMIT_LSN, event.commitLsn)
    this.#text(COMMIT_TIME, event.commitTime)
    this.#text(SCHEMA, event.schema)
    this.#text(TABLE, event.table)
    this.#text(OP, event.op)
    this.#text(BEFORE, event.beforeJson)
    this.#text(AFTER, event.afterJson)
    const end = this.#at
    this.#at = head
    this.#length(end - from)
    this.#out.copyWithin(this.#at, from, end)
    this.#at += end - from
  }

  /** Empty texts are left out, as proto3 does. */
  #text(tag: number, text: string): void {
    const { length } = text
    if (length === 0) return
    this.#reserve(1 + LONGEST_LENGTH + 3 * length)
    const out = this.#out
    out[this.#at++] = tag
    if (length < SHORT) {
      // ASCII has as many bytes as characters, and so few that the length is one byte.
      let at = this.#at
      out[at++] = length
      let i = 0
      for (; i < length; i++) {
        const code = text.charCodeAt(i)
        if (code > 0x7f) break
        out[at++] = code
      }
      if (i === length) {
        this.#at = at
        return
      }
    }
    this.#length(Buffer.byteLength(text))
    this.#at += out.write(text, this.#at)
  }

  #length(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#out[this.#at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#out[this.#at++] = rest
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#out.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + more, 2 * this.#out.length))
    this.#out.copy(larger, 0, 0, this.#at)
    this.#out = larger
  }
}

/**
 * The events that wait for one sink and do not fit into memory, on disk: one sink that stalls does not hold up the others until
 * this is full too. It is memory and no record: the source keeps whatever is in it, so it is deleted with every start.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { ChangeEvent } from '../change.ts'
import { parseEventId } from '../lsn.ts'

export interface SpillOptions {
  /** Its files are this, a dot and a number; their folder exists, or is made. */
  readonly path: string
  /** The bytes on disk above which it is full. */
  readonly maxBytes: number
}

interface Segment {
  readonly path: string
  readonly fd: number
  size: number
  read: number
}

/** A file is deleted when it was read, so the disk is free again in steps of this. */
const SEGMENT_BYTES = 4 * 1024 * 1024
const WRITE_CHARS = 64 * 1024
const READ_BYTES = 256 * 1024
const NEWLINE = 0x0a

export class Spill {
  readonly #options: SpillOptions
  readonly #segments: Segment[] = []
  /** Lines that are not on disk yet. */
  #tail: string[] = []
  #tailChars = 0
  #bytes = 0
  #events = 0
  #number = 0
  #failed = false

  constructor(options: SpillOptions) {
    this.#options = options
    const own = `${basename(options.path)}.`
    const folder = dirname(options.path)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) if (name.startsWith(own)) rmSync(`${folder}/${name}`, { force: true })
  }

  get events(): number {
    return this.#events
  }

  /** On disk. */
  get bytes(): number {
    return this.#bytes
  }

  /** No more should come, though it is accepted: a source may have read on. Also while the disk refuses. */
  get isFull(): boolean {
    return this.#failed || this.#bytes >= this.#options.maxBytes
  }

  get isLow(): boolean {
    return !this.#failed && this.#bytes <= this.#options.maxBytes / 2
  }

  push({ position: _, ...event }: ChangeEvent): void {
    const line = `${JSON.stringify(event)}\n`
    this.#tail.push(line)
    this.#tailChars += line.length
    this.#events++
    if (this.#tailChars >= WRITE_CHARS) this.#write()
  }

  /** Takes some of the oldest events out: at least one, where there is one. */
  shift(): ChangeEvent[] {
    const [segment] = this.#segments
    if (!segment) {
      // Nothing is on disk: the lines that were not written yet are taken as they are.
      const lines = this.#tail
      this.#tail = []
      this.#tailChars = 0
      this.#failed = false
      return this.#taken(lines.map((line) => line.slice(0, -1)))
    }
    let size = READ_BYTES
    for (;;) {
      const bytes = Buffer.allocUnsafe(Math.min(size, segment.size - segment.read))
      readSync(segment.fd, bytes, 0, bytes.length, segment.read)
      const end = bytes.lastIndexOf(NEWLINE) + 1
      if (end === 0) {
        // One event is longer than what was read.
        size *= 4
        continue
      }
      segment.read += end
      if (segment.read === segment.size) this.#drop(segment)
      return this.#taken(bytes.toString('utf8', 0, end - 1).split('\n'))
    }
  }

  /** Deletes its files. */
  [Symbol.dispose](): void {
    for (const segment of [...this.#segments]) this.#drop(segment)
  }

  #taken(lines: readonly string[]): ChangeEvent[] {
    this.#events -= lines.length
    return lines.map((line) => {
      const event = JSON.parse(line)
      return { ...event, position: parseEventId(event.id) }
    })
  }

  #write(): void {
    const bytes = Buffer.from(this.#tail.join(''))
    try {
      let segment = this.#segments.at(-1)
      if (!segment || segment.size >= SEGMENT_BYTES) {
        const path = `${this.#options.path}.${this.#number++}`
        segment = { path, fd: openSync(path, 'w+', 0o600), size: 0, read: 0 }
        this.#segments.push(segment)
      }
      this.#append(segment, bytes)
      this.#failed = false
    } catch {
      // The disk is full: the rest stays in memory, and the source waits.
      this.#failed = true
      return
    }
    this.#bytes += bytes.length
    this.#tail = []
    this.#tailChars = 0
  }

  /** @throws when not everything could be written; the file is as before then */
  #append(segment: Segment, bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(segment.fd, bytes, done, bytes.length - done, segment.size + done)
    } catch (error) {
      ftruncateSync(segment.fd, segment.size)
      throw error
    }
    segment.size += bytes.length
  }

  #drop(segment: Segment): void {
    this.#segments.splice(this.#segments.indexOf(segment), 1)
    this.#bytes -= segment.size
    closeSync(segment.fd)
    rmSync(segment.path, { force: true })
  }
}

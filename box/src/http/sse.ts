/** Server-sent events to many readers at once: each event is one buffer, written to every socket. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'

const COMMENT_EVERY_MS = 15_000
/** A reader that is this many bytes behind is disconnected: it reconnects with its last position, and memory stays bounded. */
const MAX_UNSENT_BYTES = 1024 * 1024

/** Streams that one key may have open: its tabs, and lost connections that were not noticed yet. */
const MAX_STREAMS = 8

export interface Frame {
  /** The key that caused the event, and does not receive it. */
  readonly from: string | null
  /** Groups of readers that receive it; null for all. */
  readonly to: readonly string[] | null
  /** Sent before the other events of the same turn: lives may depend on it. */
  readonly urgent: boolean
  readonly bytes: Buffer
  /** Offset in `bytes` after the line with its id. */
  readonly idEnd: number
}

export interface FrameOptions {
  id?: string
  event: string
  data: unknown
  from?: string | null
  to?: readonly string[] | null
  urgent?: boolean
}

export function frame({ id, event, data, from = null, to = null, urgent = false }: FrameOptions): Frame {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  const bytes = Buffer.from(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  return { from, to, urgent, bytes, idEnd: Buffer.byteLength(idLine) }
}

/** The same event with this id: the position at which a reader continues. */
export function placed(at: Frame, id: string): Frame {
  const idLine = Buffer.from(`id: ${id}\n`)
  return { ...at, bytes: Buffer.concat([idLine, at.bytes.subarray(at.idEnd)]), idEnd: idLine.length }
}

/**
 * Orders the events of one turn, the urgent ones first. An event that overtakes others is sent without id: a reader that
 * disconnects in between has to come back with a position before those that it has not received.
 */
export function urgentFirst(frames: readonly Frame[]): Frame[] {
  const calm = frames.findIndex(({ urgent }) => !urgent)
  const head = calm === -1 ? frames.length : calm
  const rest = frames.slice(head)
  const overtaking = rest.filter(({ urgent }) => urgent).map(withoutId)
  return [...frames.slice(0, head), ...overtaking, ...rest.filter(({ urgent }) => !urgent)]
}

function withoutId(frame: Frame): Frame {
  return { ...frame, bytes: frame.bytes.subarray(frame.idEnd), idEnd: 0 }
}

interface Reader {
  key: string
  groups: ReadonlySet<string>
  reply: FastifyReply
}

function concerns({ key, groups }: Reader, { from, to }: Frame): boolean {
  return from !== key && (to === null || to.some((group) => groups.has(group)))
}

export class EventStreams {
  readonly #readers = new Set<Reader>()
  readonly #timer: NodeJS.Timeout
  readonly #mostOfOne: number
  #closed = false

  /** @param options.mostOfOne streams that one key may have open */
  constructor({ mostOfOne = MAX_STREAMS }: { mostOfOne?: number } = {}) {
    this.#mostOfOne = mostOfOne
    const comment = Buffer.from(':\n\n')
    this.#timer = setInterval(() => {
      for (const reader of this.#readers) this.#write(reader, comment)
    }, COMMENT_EVERY_MS)
    this.#timer.unref()
  }

  get size(): number {
    return this.#readers.size
  }

  /**
   * Takes over the reply: sends the events that were missed, then every new one.
   * @param key of the reader, for `close`
   * @param groups that the reader is in, beside everybody
   */
  open(reply: FastifyReply, key: string, missed: Iterable<Frame>, groups: ReadonlySet<string> = new Set()): void {
    reply.hijack()
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'x-accel-buffering': 'no',
    })
    // A closing listener waits for its answers, and this one never ends.
    if (this.#closed) return void reply.raw.end()
    this.#makeRoom(key)
    const reader: Reader = { key, groups, reply }
    this.#readers.add(reader)
    reply.raw.on('close', () => this.#readers.delete(reader))
    reply.raw.on('error', () => this.#readers.delete(reader))
    // Headers are sent with the first bytes, and a reader has to know that it is connected before the first event.
    reply.raw.write(':\n\n')
    for (const next of missed) if (concerns(reader, next)) reply.raw.write(next.bytes)
  }

  /** A device that does not close its streams loses its oldest one, and other readers are not affected. */
  #makeRoom(key: string): void {
    const own = [...this.#readers].filter((reader) => reader.key === key)
    for (const reader of own.slice(0, Math.max(0, own.length - this.#mostOfOne + 1))) this.#drop(reader)
  }

  send(next: Frame): void {
    for (const reader of this.#readers) if (concerns(reader, next)) this.#write(reader, next.bytes)
  }

  /** Ends the streams of one reader. */
  close(key: string): void {
    for (const reader of this.#readers) if (reader.key === key) this.#drop(reader)
  }

  /** Ends every stream, and each that is opened from here on. */
  [Symbol.dispose](): void {
    this.#closed = true
    clearInterval(this.#timer)
    for (const reader of this.#readers) this.#drop(reader)
  }

  #write(reader: Reader, bytes: Buffer): void {
    if (reader.reply.raw.writableLength > MAX_UNSENT_BYTES) this.#drop(reader)
    else reader.reply.raw.write(bytes)
  }

  #drop(reader: Reader): void {
    this.#readers.delete(reader)
    reader.reply.raw.destroy()
  }
}

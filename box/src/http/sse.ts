/** Server-sent events to many readers at once: each event is one buffer, written to every socket. */
import type { FastifyReply } from 'fastify'

const COMMENT_EVERY_MS = 15_000
/** A reader this far behind is cut off: it comes back with its last position, and memory stays bounded. */
const MAX_UNSENT_BYTES = 1024 * 1024

/** Streams that one key may have open: its tabs, and those that it has lost and does not know yet. */
const MAX_STREAMS = 8

export interface Frame {
  /** Whoever caused it does not need to hear of it. */
  readonly from: string | null
  readonly bytes: Buffer
}

export function frame(options: { id?: string; event: string; data: unknown; from?: string | null }): Frame {
  const id = options.id === undefined ? '' : `id: ${options.id}\n`
  return {
    from: options.from ?? null,
    bytes: Buffer.from(`${id}event: ${options.event}\ndata: ${JSON.stringify(options.data)}\n\n`),
  }
}

interface Reader {
  key: string
  reply: FastifyReply
}

export class EventStreams {
  readonly #readers = new Set<Reader>()
  readonly #timer: NodeJS.Timeout
  #closed = false

  constructor() {
    const comment = Buffer.from(':\n\n')
    this.#timer = setInterval(() => {
      for (const reader of this.#readers) this.#write(reader, comment)
    }, COMMENT_EVERY_MS)
    this.#timer.unref()
  }

  get size(): number {
    return this.#readers.size
  }

  /** Takes over the reply: what it missed first, then everything new. @param key who reads, for `close` */
  open(reply: FastifyReply, key: string, missed: Iterable<Frame>): void {
    reply.hijack()
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    // A listener that closes waits for its last answer: this one would never end.
    if (this.#closed) return void reply.raw.end()
    this.#makeRoom(key)
    const reader: Reader = { key, reply }
    this.#readers.add(reader)
    reply.raw.on('close', () => this.#readers.delete(reader))
    reply.raw.on('error', () => this.#readers.delete(reader))
    // Headers travel with the first bytes; a reader must know that it is connected before anything happens.
    reply.raw.write(':\n\n')
    for (const { from, bytes } of missed) if (from !== key) reply.raw.write(bytes)
  }

  /** A device that forgets to close its streams loses the oldest, and costs nobody else anything. */
  #makeRoom(key: string): void {
    const own = [...this.#readers].filter((reader) => reader.key === key)
    for (const reader of own.slice(0, Math.max(0, own.length - MAX_STREAMS + 1))) this.#drop(reader)
  }

  send({ from, bytes }: Frame): void {
    for (const reader of this.#readers) if (reader.key !== from) this.#write(reader, bytes)
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

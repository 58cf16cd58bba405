/**
 * The event stream sink: server-sent events at `GET /plugins/<sinkId>/events`. The last events are kept in a ring, and each
 * reader has a place in it: a reader that reconnects with Last-Event-ID goes on where it was, or receives a gap.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Static, Type } from 'typebox'
import type { ChangeEvent } from '../change.ts'
import type { Sink, SinkContext, SinkKind } from '../sink.ts'
import type { SourceGap } from '../source.ts'
import { EventReader } from './event-stream-reader.ts'
import { EventRing } from './event-stream-ring.ts'

const MIB = 1024 * 1024

const Options = Type.Object(
  {
    maxEvents: Type.Integer({
      default: 10_000,
      minimum: 1,
      maximum: 1_000_000,
      description:
        'number of events that are kept; a reader that falls further behind is disconnected, and one that returns later gets a gap',
    }),
    maxBytes: Type.Integer({
      default: 64 * MIB,
      minimum: 1024,
      maximum: 4096 * MIB,
      description: 'number of bytes that are kept',
    }),
    maxReaders: Type.Integer({
      default: 100,
      minimum: 1,
      maximum: 10_000,
      description: 'largest number of readers at a time; another one gets status 503',
    }),
  },
  { additionalProperties: false },
)
type Options = Static<typeof Options>

/** Proxies close a silent connection, and a dead one is noticed only when something is written. */
const COMMENT_EVERY_MS = 15_000

class EventStreamSink implements Sink {
  readonly batch = { maxEvents: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
  readonly #options: Options
  readonly #context: SinkContext
  readonly #ring: EventRing
  readonly #readers = new Set<EventReader>()
  readonly #timer: NodeJS.Timeout
  #dropped = 0
  #refused = 0
  #closed = false

  constructor(options: Options, context: SinkContext) {
    this.#options = options
    this.#context = context
    this.#ring = new EventRing(options)
    this.#timer = setInterval(() => {
      for (const reader of this.#readers) reader.comment()
    }, COMMENT_EVERY_MS)
    this.#timer.unref()
    context.route('GET', '/events', (request, response) => this.#open(request, response))
  }

  async deliver(batch: readonly ChangeEvent[]): Promise<void> {
    for (const event of batch) this.#ring.push(event)
    for (const reader of this.#readers) reader.advance()
  }

  /** Every reader that passes this place, now or later, learns of the gap. */
  lost(events: number): void {
    this.#ring.pushGap({ missing: events })
  }

  gap({ reason }: SourceGap): void {
    this.#ring.pushGap({ why: reason })
  }

  resumed(id: string): void {
    this.#ring.resume(id)
  }

  details() {
    return {
      readers: this.#readers.size,
      readersDropped: this.#dropped,
      readersRefused: this.#refused,
      ringEvents: this.#ring.size,
      ringBytes: this.#ring.bytes,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    for (const reader of this.#readers) reader.close()
  }

  #open(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url ?? '/', 'http://feed')
    const tables = searchParams.getAll('table')
    if (tables.some((table) => !/^[^.]+\.[^.]+$/.test(table))) {
      return void refuse(response, 400, 'each table must be schema.table')
    }
    if (this.#closed || this.#readers.size >= this.#options.maxReaders) {
      this.#refused++
      return void refuse(response, 503, 'there are too many readers')
    }
    const lastEventId = request.headers['last-event-id']
    const reader = new EventReader(response, {
      ring: this.#ring,
      tables,
      lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
      onClose: (slow) => {
        this.#readers.delete(reader)
        if (!slow) return
        this.#dropped++
        this.#context.log.warn({ event: 'reader_dropped', sink: this.#context.id, readers: this.#readers.size })
      },
    })
    this.#readers.add(reader)
    reader.start()
  }
}

function refuse(response: ServerResponse, statusCode: number, error: string): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(statusCode === 503 && { 'retry-after': '5' }),
  }
  response.writeHead(statusCode, headers).end(JSON.stringify({ error }))
}

export default {
  durability: 'ephemeral',
  neverDurable:
    'an event stream keeps its last events in memory, and would lose them with every stop: leave durability out, or use a gRPC, webhook or plugin sink',
  options: Options,
  open: async (options: Options, context: SinkContext) => new EventStreamSink(options, context),
} satisfies SinkKind

/** One reader of the event stream: its place in the ring, and its connection. */
import type { ServerResponse } from 'node:http'
import type { ChangeEvent } from '../change.ts'
import { eventJson } from '../json.ts'
import { comparePositions, type Position, parseEventId } from '../lsn.ts'
import type { EventRing, Gap } from './event-stream-ring.ts'

interface ReaderOptions {
  readonly ring: EventRing
  /** `schema.table`; empty for all. */
  readonly tables: readonly string[]
  readonly lastEventId: string | undefined
  /** @param slow whether it was disconnected for being too far behind */
  readonly onClose: (slow: boolean) => void
}

/** Text that is written at a time: a reader takes this much memory and what its socket holds, however far behind it is. */
const CHUNK_CHARS = 64 * 1024
/** A reader that has read nothing for so many comments is as good as gone. */
const MOST_SILENT_COMMENTS = 3
/** TCP keep-alive probes begin this long after the last byte and give up 10 s later, before the next comment resets them. */
const KEEP_ALIVE_MS = 4000

export class EventReader {
  readonly #response: ServerResponse
  readonly #options: ReaderOptions
  readonly #tables: ReadonlySet<string>
  #place = 0
  /** The reader has seen this event, which the ring has not got again after a restart. */
  #expected: Position | undefined
  /** The socket's buffer is full. */
  #blocked = false
  #silentComments = 0
  #closed = false

  constructor(response: ServerResponse, options: ReaderOptions) {
    this.#response = response
    this.#options = options
    this.#tables = new Set(options.tables)
  }

  /** Sends what the reader has missed, or a gap, and from then on everything new. */
  start(): void {
    const { ring, lastEventId } = this.#options
    const response = this.#response
    response.on('drain', () => {
      this.#blocked = false
      this.#silentComments = 0
      this.advance()
    })
    response.on('error', () => {})
    response.on('close', () => this.#close(false))
    response.socket?.setKeepAlive(true, KEEP_ALIVE_MS)
    response.socket?.setTimeout(0)
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const place = lastEventId === undefined ? ring.end : ring.placeAfter(lastEventId)
    this.#place = place ?? ring.end
    if (place === undefined && lastEventId !== undefined && ring.mayComeAgain(lastEventId)) {
      this.#expected = parseEventId(lastEventId)
    }
    const { oldestId = null, newestId = null } = ring
    const gap = { reason: 'unknown', oldest: oldestId, newest: newestId }
    // The position is sent even where nothing was missed: a reader that is disconnected before the first event can resume.
    const position = this.#place === ring.end && !this.#expected ? this.#idLine() : ''
    this.#write(`retry: 3000\n${position}${place === undefined && !this.#expected ? gapFrame(gap) : ':\n\n'}`)
    this.advance()
  }

  /** Writes what is new, as far as the connection accepts it. */
  advance(): void {
    const { ring } = this.#options
    if (this.#place < ring.first) return void this.#close(true)
    while (!this.#blocked && !this.#closed && this.#place < ring.end) {
      let text = ''
      while (text.length < CHUNK_CHARS && this.#place < ring.end) text += this.#frame(ring.at(this.#place++))
      if (text !== '') this.#write(text)
    }
  }

  /** Shows proxy and reader that the stream is alive, and a reader of few tables how far it has come. */
  comment(): void {
    if (!this.#blocked) this.#write(`${this.#idLine()}:\n\n`)
    else if (++this.#silentComments >= MOST_SILENT_COMMENTS) this.#close(true)
  }

  close(): void {
    this.#close(false)
  }

  #idLine(): string {
    // The reader's own position is ahead of the ring's.
    if (this.#expected) return ''
    const { newestId } = this.#options.ring
    return newestId === undefined ? '' : `id: ${newestId}\n`
  }

  #frame(entry: ChangeEvent | Gap | undefined): string {
    if (!entry) return ''
    if ('missing' in entry) return gapFrame({ reason: 'dropped', missing: entry.missing })
    if ('why' in entry) {
      this.#expected = undefined
      return gapFrame({ reason: 'source', why: entry.why })
    }
    if (this.#expected) {
      const order = comparePositions(entry.position, this.#expected)
      if (order <= 0) {
        if (order === 0) this.#expected = undefined
        return ''
      }
      // It does not come: nothing says what is between it and this event.
      this.#expected = undefined
      return `${gapFrame({ reason: 'unknown', oldest: entry.id, newest: this.#options.ring.newestId ?? null })}${this.#frame(entry)}`
    }
    if (this.#tables.size > 0 && !this.#tables.has(`${entry.schema}.${entry.table}`)) return ''
    return `id: ${entry.id}\nevent: change\ndata: ${eventJson(entry)}\n\n`
  }

  #write(text: string): void {
    if (!this.#response.write(text)) this.#blocked = true
  }

  #close(slow: boolean): void {
    if (this.#closed) return
    this.#closed = true
    // A reader that does not read would never see the end of the response.
    this.#response.destroy()
    this.#options.onClose(slow)
  }
}

function gapFrame(gap: object): string {
  return `event: gap\ndata: ${JSON.stringify(gap)}\n\n`
}

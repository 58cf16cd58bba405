/** One reader of the event stream: its place in the ring, and the connection that it is moved along by. */
import type { ServerResponse } from 'node:http'
import type { ChangeEvent } from '../change.ts'
import { eventJson } from '../json.ts'
import type { EventRing, Gap } from './event-stream-ring.ts'

interface ReaderOptions {
  readonly ring: EventRing
  /** `schema.table`; none for all. */
  readonly tables: readonly string[]
  readonly lastEventId: string | undefined
  /** @param slow whether it was cut off for being too far behind */
  readonly onClose: (slow: boolean) => void
}

/** Text that is written at a time: a reader's memory is this much and what its socket holds, however far behind it is. */
const CHUNK_CHARS = 64 * 1024
/** A reader that has taken nothing between so many comments is gone, or as good as that. */
const MOST_SILENT_COMMENTS = 3
/** Keep-alive probes begin this long after the last byte and give up 10 s later: before the next comment hides it. */
const KEEP_ALIVE_MS = 4000

export class EventReader {
  readonly #response: ServerResponse
  readonly #options: ReaderOptions
  readonly #tables: ReadonlySet<string>
  #place = 0
  /** What was written last waits for the socket. */
  #blocked = false
  #silentComments = 0
  #closed = false

  constructor(response: ServerResponse, options: ReaderOptions) {
    this.#response = response
    this.#options = options
    this.#tables = new Set(options.tables)
  }

  /** Answers: what the reader has missed, or a gap, and then everything new. */
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
    const { oldestId = null, newestId = null } = ring
    const gap = { reason: 'unknown', oldest: oldestId, newest: newestId }
    // The position comes even where nothing was missed: a connection that is lost before the first event loses none.
    const position = this.#place === ring.end ? this.#idLine() : ''
    this.#write(`retry: 3000\n${position}${place === undefined ? gapFrame(gap) : ':\n\n'}`)
    this.advance()
  }

  /** Writes what is new, as far as the connection takes it. */
  advance(): void {
    const { ring } = this.#options
    if (this.#place < ring.first) return void this.#close(true)
    while (!this.#blocked && !this.#closed && this.#place < ring.end) {
      let text = ''
      while (text.length < CHUNK_CHARS && this.#place < ring.end) text += this.#frame(ring.at(this.#place++))
      if (text !== '') this.#write(text)
    }
  }

  /** Shows a proxy, and the reader, that this is still alive; and to a reader of few tables how far it has come. */
  comment(): void {
    if (!this.#blocked) this.#write(`${this.#idLine()}:\n\n`)
    else if (++this.#silentComments >= MOST_SILENT_COMMENTS) this.#close(true)
  }

  close(): void {
    this.#close(false)
  }

  #idLine(): string {
    const { newestId } = this.#options.ring
    return newestId === undefined ? '' : `id: ${newestId}\n`
  }

  #frame(entry: ChangeEvent | Gap | undefined): string {
    if (!entry) return ''
    if (!('id' in entry)) return gapFrame({ reason: 'dropped', missing: entry.missing })
    if (this.#tables.size > 0 && !this.#tables.has(`${entry.schema}.${entry.table}`)) return ''
    return `id: ${entry.id}\nevent: change\ndata: ${eventJson(entry)}\n\n`
  }

  #write(text: string): void {
    if (!this.#response.write(text)) this.#blocked = true
  }

  #close(slow: boolean): void {
    if (this.#closed) return
    this.#closed = true
    // One that does not read would never see the end.
    this.#response.destroy()
    this.#options.onClose(slow)
  }
}

function gapFrame(gap: object): string {
  return `event: gap\ndata: ${JSON.stringify(gap)}\n\n`
}

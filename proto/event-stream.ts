// Parses the text/event-stream format (WHATWG HTML, sections 9.2.5 and 9.2.6) by eventsource-parser, and keeps what it leaves to its
// caller: the position over several events, and the bound of an event.
import { createParser, type EventSourceParser } from 'eventsource-parser'

/** The largest event: a server that never ends one would fill the memory of a phone. */
const MAX_EVENT_CHARS = 2 ** 20

export interface StreamEvent {
  /** the position to resume after: this event's id, or the last id before it */
  id?: string
  /** the event's name, `message` where the server gave none */
  event: string
  data: string
}

/** Parses the bytes of one connection, in chunks of any size. */
export class EventStreamParser {
  /** the position to resume after, '' for none: that of the last event that was complete */
  lastEventId: string
  /** the last wait that the server asked for with `retry:` */
  retryMs: number | undefined
  // The parser takes the byte order mark away.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #parser: EventSourceParser
  #events: StreamEvent[] = []
  #isTooLarge = false

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARS,
      // Also of a block without data: a stream that has nothing to say tells its position like this.
      onId: (id) => {
        this.lastEventId = id
      },
      onEvent: ({ event = 'message', data }) => this.#add({ event: event || 'message', data }),
      onRetry: (ms) => {
        this.retryMs = ms
      },
      onError: ({ type }) => {
        this.#isTooLarge ||= type === 'max-buffer-size-exceeded'
      },
    })
  }

  /** The events that these bytes complete. Throws RangeError for an event over 1 Mi characters. */
  push(bytes: Uint8Array): StreamEvent[] {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }))
    if (this.#isTooLarge) throw new RangeError(`the server sent an event of over ${MAX_EVENT_CHARS} characters`)
    const events = this.#events
    this.#events = []
    return events
  }

  #add(event: Omit<StreamEvent, 'id'>): void {
    this.#isTooLarge ||= event.data.length > MAX_EVENT_CHARS
    this.#events.push(this.lastEventId === '' ? event : { id: this.lastEventId, ...event })
  }
}

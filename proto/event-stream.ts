// The text/event-stream format: WHATWG HTML, sections 9.2.5 and 9.2.6.

/** An event may hold this many characters; a server that never ends one would fill the memory of a phone. */
const MAX_EVENT_CHARS = 2 ** 20

const LF = 10
const CR = 13

export interface StreamEvent {
  /** the position to resume after: this event's id, or the last id before it */
  id?: string
  /** the event's name, `message` where the server gave none */
  event: string
  data: string
}

/** Reads one connection's bytes, however they are cut. */
export class EventStreamParser {
  /** the position to resume after, '' for none: that of the last event that was complete */
  lastEventId: string
  /** the last wait that the server asked for with `retry:` */
  retryMs: number | undefined
  #decoder = new TextDecoder()
  #line = ''
  #afterCr = false
  #id: string
  #event = ''
  #data: string[] = []
  #chars = 0

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
    this.#id = lastEventId
  }

  /** The events that these bytes complete. Throws RangeError for an event over 1 Mi characters. */
  push(bytes: Uint8Array): StreamEvent[] {
    const text = this.#decoder.decode(bytes, { stream: true })
    const events: StreamEvent[] = []
    let start = 0
    for (let i = 0; i < text.length; i++) {
      const char = text.charCodeAt(i)
      const secondOfCrLf = char === LF && this.#afterCr
      this.#afterCr = char === CR
      if (char !== LF && char !== CR) continue
      // A CR ends its line at once: whether an LF follows may only be known when the server next has something to say.
      if (!secondOfCrLf) this.#endLine(this.#line + text.slice(start, i), events)
      start = i + 1
    }
    this.#line += text.slice(start)
    this.#requireRoom(this.#line.length)
    return events
  }

  #endLine(line: string, events: StreamEvent[]): void {
    this.#line = ''
    if (line === '') {
      this.#dispatch(events)
      return
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') {
      this.#requireRoom(value.length)
      this.#chars += value.length + 1
      this.#data.push(value)
    } else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    else if (field === 'retry' && /^[0-9]+$/.test(value)) this.retryMs = Number(value)
  }

  #dispatch(events: StreamEvent[]): void {
    this.lastEventId = this.#id
    if (this.#data.length > 0) {
      const event = { event: this.#event || 'message', data: this.#data.join('\n') }
      events.push(this.#id === '' ? event : { id: this.#id, ...event })
    }
    this.#event = ''
    this.#data = []
    this.#chars = 0
  }

  #requireRoom(chars: number): void {
    if (this.#chars + chars > MAX_EVENT_CHARS) {
      throw new RangeError(`the server sent an event of over ${MAX_EVENT_CHARS} characters`)
    }
  }
}

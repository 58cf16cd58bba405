/** A device's stream, as its app reads it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamEvent } from '@gatehouse/proto/event-stream.ts'
import { readEvents } from '@gatehouse/proto/sse.ts'
import type { TestDevice } from './device.ts'
import type { World } from './world.ts'

export interface ReceivedEvent {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the one event that it looks at
  data: any
  /** `performance.now()` when it came. */
  at: number
}

/** A machine that is slow fails no test; what never comes does. */
const LONG_MS = 20_000

export class StreamReader implements AsyncDisposable {
  /** The ids of `position` events, one for each connection that began without one. They are in no other list. */
  readonly positions: string[] = []
  readonly received: ReceivedEvent[] = []
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>
  #connection = new AbortController()

  /** @param lastEventId where to go on from; undefined for what happens from now on */
  constructor(
    world: World,
    device: TestDevice,
    options: { lastEventId?: string; onEvent?(event: ReceivedEvent): void } = {},
  ) {
    const { lastEventId, onEvent } = options
    const url = () => `https://127.0.0.1:${world.box.ports.device}/v1/stream`
    const connect = (input: RequestInfo | URL, init?: RequestInit) => {
      this.#connection = new AbortController()
      const signal = AbortSignal.any([this.#connection.signal, ...(init?.signal ? [init.signal] : [])])
      // The port is another one after a restart.
      return device.fetch(new Request(input instanceof URL ? url() : input, { ...init, signal }))
    }
    const events = readEvents(url(), {
      fetch: connect,
      headers: { authorization: `Bearer ${device.paired.token}` },
      signal: this.#stopping.signal,
      minBackoffMs: 5,
      maxBackoffMs: 50,
      ...(lastEventId !== undefined && { lastEventId }),
    })
    this.#done = this.#read(events, onEvent)
  }

  async #read(events: AsyncIterable<StreamEvent>, onEvent?: (event: ReceivedEvent) => void): Promise<void> {
    for await (const { id = '', event, data } of events) {
      if (event === 'position') {
        this.positions.push(id)
        continue
      }
      const received = { id, event, data: JSON.parse(data), at: performance.now() }
      this.received.push(received)
      onEvent?.(received)
    }
  }

  /** Breaks the connection, as a phone does that leaves the network for a moment. */
  cut(): void {
    this.#connection.abort()
  }

  /** Position of the stream when this reader first connected. */
  async position(): Promise<string> {
    for (const until = performance.now() + LONG_MS; performance.now() < until; await sleep(2)) {
      const [position] = this.positions
      if (position) return position
    }
    throw new Error('the stream gave no position')
  }

  /** Waits until this many were received. That no more follow is for the test to check. */
  async count(wanted: number): Promise<void> {
    for (const until = performance.now() + LONG_MS; this.received.length < wanted; await sleep(2)) {
      if (performance.now() > until) throw new Error(`only ${this.received.length} events of ${wanted} were received`)
    }
  }

  /** The first event that fits, once it is there. */
  async event(fits: (event: ReceivedEvent) => boolean, withinMs = LONG_MS): Promise<ReceivedEvent> {
    for (const until = performance.now() + withinMs; performance.now() < until; await sleep(2)) {
      const found = this.received.find(fits)
      if (found) return found
    }
    throw new Error(
      `nothing fitting was received, only ${this.received.map(({ event }) => event).join(', ') || 'silence'}`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#done
  }
}

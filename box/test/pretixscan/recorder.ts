/** Writes down what an app asks of a box in this process, in its order: what is another at each run has a word in its place. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

const STARTED = 'http.server.request.start'

export class Recorder implements Disposable {
  readonly #port: number
  #calls: string[] = []

  /** @param port of the box, for pretixSCAN */
  constructor(port: number) {
    this.#port = port
    subscribe(STARTED, this.#write)
  }

  /** The calls since this was asked for the last time. */
  take(): string[] {
    const taken = this.#calls
    this.#calls = []
    return taken
  }

  [Symbol.dispose](): void {
    unsubscribe(STARTED, this.#write)
  }

  readonly #write = (message: unknown) => {
    const { method, url = '', headers, socket } = (message as { request: IncomingMessage }).request
    if (socket.localPort !== this.#port) return
    const path = decodeURIComponent(url)
      .replace(/\d{4}-\d\d-\d\d[^&]*/g, 'DATE')
      .replace(/(checkinlists|test-fair)\/\d+/g, '$1/LIST')
    this.#calls.push(`${method} ${path}${headers['if-modified-since'] === undefined ? '' : ' if changed'}`)
  }
}

/** Counts what the listeners of this process answer: the fuzzer's own count is not the only one. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'

const CHANNEL = 'http.server.response.finish'

export class Answers implements Disposable {
  /** Number of answers with each status. */
  readonly statuses = new Map<number, number>()
  readonly #count = (message: unknown) => {
    const { statusCode } = (message as { response: ServerResponse }).response
    this.statuses.set(statusCode, (this.statuses.get(statusCode) ?? 0) + 1)
  }

  constructor() {
    subscribe(CHANNEL, this.#count)
  }

  /** Number of them from `from` to below `to`. */
  between(from: number, to: number): number {
    return [...this.statuses].reduce((sum, [status, count]) => sum + (status >= from && status < to ? count : 0), 0)
  }

  [Symbol.dispose](): void {
    unsubscribe(CHANNEL, this.#count)
  }
}

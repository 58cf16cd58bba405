/** An answer of megabytes to somebody who does not read it would keep them in memory for as long as the connection lives. */
import type { ServerResponse } from 'node:http'

/** At 0.4 Mbit/s, 15 MB take as long. */
const MOST_MS = 5 * 60_000

/** Closes the connection if it has not taken the whole answer in this time. */
export function limitAnswer(response: Pick<ServerResponse, 'destroy' | 'destroyed' | 'once'>, ms = MOST_MS): void {
  // Whoever asked has gone: no further event would end the timer.
  if (response.destroyed) return
  const limit = setTimeout(() => response.destroy(), ms).unref()
  response.once('close', () => clearTimeout(limit))
}

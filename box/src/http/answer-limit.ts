/** An answer of megabytes to somebody who does not read it would keep them in memory for as long as the connection lives. */
import type { ServerResponse } from 'node:http'

/** At 0.4 Mbit/s, 15 MB take as long. */
const MOST_MS = 5 * 60_000

/** Closes the connection if it has not taken the whole answer in this time, also where the answer waits behind another one. */
export function limitAnswer(response: ServerResponse, ms = MOST_MS): void {
  // Node destroys no answer that waits behind another one.
  const { socket } = response.req
  if (socket.destroyed) return
  const limit = setTimeout(() => socket.destroy(), ms).unref()
  response.once('close', () => clearTimeout(limit))
}

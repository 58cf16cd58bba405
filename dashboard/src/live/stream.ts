/** The stream of a session, opened again whenever it ends. */
import { sleep } from '@gatehouse/proto/sleep.ts'
import type { StreamRefused } from '@gatehouse/proto/sse.ts'
import type { ConnectionOptions } from './connection.ts'

/** The box writes at least a comment every 15 s. */
const SILENCE_MS = 20_000
/** After a stream that could not be opened, or that ended by itself. */
const AGAIN_MS = 5_000

interface Follower {
  /** Ends it all. */
  signal: AbortSignal
  /** The box has taken a new connection. */
  onOpen: () => void
  onEvent: (event: string, data: string) => void
}

/** @returns `renew`, which gives up the connection for a new one */
export function followStream(
  options: Pick<ConnectionOptions, 'url' | 'fetch' | 'onRetry' | 'random'>,
  { signal, onOpen, onEvent }: Follower,
): { renew: () => void } {
  let current = new AbortController()
  const open = async () => {
    // The first screen asks for a token, and has nothing to read yet.
    const { readEvents } = await import('@gatehouse/proto/sse.ts')
    return readEvents(options.url, {
      signal: AbortSignal.any([signal, current.signal]),
      silenceMs: SILENCE_MS,
      minBackoffMs: 1_000,
      maxBackoffMs: 10_000,
      fetch: async (input, init) => {
        const response = await options.fetch(input instanceof URL ? input.href : input, init)
        if (response.ok) onOpen()
        return response
      },
      ...(options.random && { random: options.random }),
      onRetry: (_cause, waitMs) => options.onRetry(waitMs),
    })
  }

  const run = async () => {
    while (!signal.aborted) {
      current = new AbortController()
      try {
        for await (const { event, data } of await open()) onEvent(event, data)
      } catch (error) {
        // 401 has ended the session already. Anything else may be a proxy that is not up yet.
        const { name, status } = error as StreamRefused
        if (name === 'StreamRefused' && status === 401) return
        options.onRetry(AGAIN_MS)
      }
      if (!signal.aborted && !current.signal.aborted) await sleep(AGAIN_MS, signal)
    }
  }
  void run()
  return { renew: () => current.abort() }
}

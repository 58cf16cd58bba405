/**
 * One session's stream: events, the board after each new connection, and a question to the box whenever the stream is
 * silent. `live.ts` says what becomes of what is heard.
 */
import { readEvents, StreamRefused } from '@gatehouse/proto/sse.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { ASK_AFTER_MS, ageOf, type Moment, sleptThrough } from './age.ts'
import { isIncident, type LiveEvent, readEvent } from './event.ts'

/** The box writes at least a comment every 15 s. */
const SILENCE_MS = 20_000
const BEAT_MS = 1_000
/** For one answer. */
const PATIENCE_MS = 8_000

export interface ConnectionOptions {
  /** Where the events are. */
  url: string
  /** fetch with the token. */
  fetch: (input: string | Request, init?: RequestInit) => Promise<Response>
  askStats: (signal: AbortSignal) => Promise<Stats>
  askBoard: (signal: AbortSignal) => Promise<readonly Incident[]>
  now: () => Moment
  onEvent: (event: LiveEvent) => void
  onBoard: (board: readonly Incident[]) => void
  /** Figures came in, or the same ones were confirmed. */
  onHeard: () => void
  /** Figures or an incident came that this page cannot read: it is older than the box. */
  onUnreadable: () => void
  /** Every second. @param age ms since something was heard; null when nothing was */
  onBeat: (age: number | null) => void
  /** The stream ended or could not be opened. @param inMs until the next try */
  onRetry: (inMs: number) => void
  random?: () => number
}

export interface Connection {
  /** Asks at once: somebody looks, or the network is back. */
  wake: () => void
  [Symbol.dispose]: () => void
}

/** Runs until it is disposed of. Never throws: a box that is gone is what it is for. */
export function connect(options: ConnectionOptions): Connection {
  const session = new AbortController()
  let current = new AbortController()
  let heard: Moment | null = null
  let asking = false
  let askingBoard = false
  let boardDue = false
  let beat = options.now()

  const take = (event: string, data: string) => {
    const read = readEvent(event, data)
    if (read) options.onEvent(read)
    else if (event === 'stats' || event === 'incident') options.onUnreadable()
    if (read?.kind !== 'stats') return
    heard = options.now()
    options.onHeard()
  }

  /** Nothing is lost while a connection was down, because the board says what stands. Asked again until it was answered. */
  const fetchBoard = async () => {
    if (!boardDue || askingBoard || session.signal.aborted) return
    askingBoard = true
    boardDue = false
    try {
      const board = await options.askBoard(AbortSignal.any([session.signal, AbortSignal.timeout(PATIENCE_MS)]))
      if (!session.signal.aborted) options.onBoard(board.filter(isIncident))
    } catch {
      boardDue = true
    } finally {
      askingBoard = false
    }
  }

  const stream = async () => {
    while (!session.signal.aborted) {
      current = new AbortController()
      const signal = AbortSignal.any([session.signal, current.signal])
      try {
        const events = readEvents(options.url, {
          ...{ signal, silenceMs: SILENCE_MS, minBackoffMs: 1_000, maxBackoffMs: 10_000 },
          fetch: async (input, init) => {
            const response = await options.fetch(input instanceof URL ? input.href : input, init)
            if (response.ok) {
              boardDue = true
              void fetchBoard()
            }
            return response
          },
          ...(options.random && { random: options.random }),
          onRetry: (_cause, waitMs) => options.onRetry(waitMs),
        })
        for await (const { event, data } of events) {
          take(event, data)
        }
      } catch (error) {
        // 401 has ended the session already. Anything else may be a proxy that is not up yet.
        if (error instanceof StreamRefused && error.status === 401) return
        options.onRetry(5_000)
      }
      if (!session.signal.aborted && !current.signal.aborted) await pause(5_000, session.signal)
    }
  }

  const ask = async () => {
    if (asking || session.signal.aborted) return
    asking = true
    const patience = AbortSignal.any([session.signal, AbortSignal.timeout(PATIENCE_MS)])
    try {
      const stats = await options.askStats(patience)
      if (!session.signal.aborted) take('stats', JSON.stringify(stats))
    } catch {
      // No answer: the age that is shown says so.
    } finally {
      asking = false
    }
  }

  const ageNow = () => heard && ageOf(heard, options.now())

  const tick = () => {
    const now = options.now()
    const age = ageNow()
    if (sleptThrough(beat, now, age)) current.abort()
    beat = now
    if (age !== null && age >= ASK_AFTER_MS) void ask()
    void fetchBoard()
    options.onBeat(age)
  }

  const timer = setInterval(tick, BEAT_MS)
  void stream()
  return {
    wake: () => {
      const age = ageNow()
      if (age === null || age >= ASK_AFTER_MS) {
        current.abort()
        void ask()
      }
      options.onBeat(age)
    },
    [Symbol.dispose]: () => {
      clearInterval(timer)
      session.abort()
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

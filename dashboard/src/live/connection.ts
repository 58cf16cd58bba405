/**
 * Receives for one session: the events of the stream, the board after each new connection, and the figures, asked for whenever
 * the stream is silent. `live.ts` turns what it emits into signals.
 */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { once } from '../widgets/once.ts'
import { ASK_AFTER_MS, ageOf, type Moment, sleptThrough } from './age.ts'
import { isIncident, type LiveEvent, readEvent } from './event.ts'
import { followStream } from './stream.ts'

const BEAT_MS = 1_000
/** For one answer. */
const PATIENCE_MS = 8_000

export interface ConnectionOptions {
  /** Address of the events. */
  url: string
  /** fetch with the token. */
  fetch: (input: string | Request, init?: RequestInit) => Promise<Response>
  askStats: (signal: AbortSignal) => Promise<Stats>
  askBoard: (signal: AbortSignal) => Promise<readonly Incident[]>
  now: () => Moment
  onEvent: (event: LiveEvent) => void
  onBoard: (board: readonly Incident[]) => void
  /** Figures came in, or the same ones were confirmed. */
  onReceived: () => void
  /** Figures or an incident came that this page cannot read: it is older than the box. */
  onUnreadable: () => void
  /** Every second. @param age ms of the figures; null while none have arrived */
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
  const { signal } = session
  const { take, ageNow } = createReceiver(options)
  const board = createBoardReader(options, signal)
  const stats = createStatsReader(options, take, signal)
  const stream = followStream(options, { signal, onOpen: board.renew, onEvent: take })

  let beat = options.now()
  const tick = () => {
    const now = options.now()
    const age = ageNow()
    if (sleptThrough(beat, now, age)) stream.renew()
    beat = now
    if (age !== null && age >= ASK_AFTER_MS) void stats.run()
    void board.run()
    options.onBeat(age)
  }
  const timer = setInterval(tick, BEAT_MS)
  return {
    wake: () => {
      const age = ageNow()
      if (age === null || age >= ASK_AFTER_MS) {
        stream.renew()
        void stats.run()
      }
      options.onBeat(age)
    },
    [Symbol.dispose]: () => {
      clearInterval(timer)
      session.abort()
    },
  }
}

type Take = (event: string, data: string) => void

/** Hands on each event that can be read, and knows how old the figures are. */
function createReceiver({ now, onEvent, onReceived, onUnreadable }: ConnectionOptions) {
  let receivedAt: Moment | null = null
  const take: Take = (event, data) => {
    const read = readEvent(event, data)
    if (read) onEvent(read)
    else if (event === 'stats' || event === 'incident') onUnreadable()
    if (read?.kind !== 'stats') return
    receivedAt = now()
    onReceived()
  }
  return { take, ageNow: () => receivedAt && ageOf(receivedAt, now()) }
}

/** The board, once it is due, until it was answered. Nothing is lost while a connection was down: the board has what stands. */
function createBoardReader({ askBoard, onBoard }: ConnectionOptions, session: AbortSignal) {
  let due = false
  const { run } = once(async () => {
    if (!due || session.aborted) return
    due = false
    try {
      const board = await askBoard(patience(session))
      if (!session.aborted) onBoard(board.filter(isIncident))
    } catch {
      due = true
    }
  })
  return {
    run,
    renew() {
      due = true
      void run()
    },
  }
}

function createStatsReader({ askStats }: ConnectionOptions, take: Take, session: AbortSignal) {
  return once(async () => {
    if (session.aborted) return
    try {
      const stats = await askStats(patience(session))
      if (!session.aborted) take('stats', JSON.stringify(stats))
    } catch {
      // No answer: the age that is shown says so.
    }
  })
}

/** Aborts the question when the session ends, and when the answer takes too long. */
function patience(session: AbortSignal): AbortSignal {
  return AbortSignal.any([session, AbortSignal.timeout(PATIENCE_MS)])
}

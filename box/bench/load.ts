/** Two kinds of load: as much as the server takes, and a steady rate that does not wait for answers. */
import { setTimeout } from 'node:timers/promises'
import type { Answer, Connection } from './connection.ts'

export interface Round {
  /** Answers a second. */
  readonly rate: number
  /** Milliseconds for each answer. */
  readonly latencies: readonly number[]
}

export interface Load {
  connections: readonly Connection[]
  seconds: number
  /** The next request's body; undefined when there is no more to send. */
  body: () => string | undefined
  /** Throws for an answer that makes the whole run worthless. @param due time at which the request was due, `performance.now()` */
  onAnswer: (answer: Answer, due: number) => void
}

const PATH = '/v1/scan'

/** Every connection sends its next request as soon as it has the last one's answer. */
export async function saturate({ connections, seconds, body, onAnswer }: Load): Promise<Round> {
  const latencies: number[] = []
  const started = performance.now()
  const until = started + seconds * 1000
  await Promise.all(
    connections.map(async (connection) => {
      for (let sent = performance.now(); sent < until; sent = performance.now()) {
        const next = body()
        if (next === undefined) return
        const answer = await connection.post(PATH, next)
        latencies.push(performance.now() - sent)
        onAnswer(answer, sent)
      }
    }),
  )
  return roundOf(latencies, performance.now() - started)
}

/**
 * Sends `perSecond` requests a second, evenly, without waiting for earlier ones. Each is timed from the moment it was
 * due, so that one slow answer is not hidden by the requests that wait behind it.
 */
export async function pace({
  connections,
  seconds,
  body,
  onAnswer,
  perSecond,
}: Load & { perSecond: number }): Promise<Round> {
  const latencies: number[] = []
  const free = [...connections]
  const waiting: ((connection: Connection) => void)[] = []
  const scan = async (text: string, due: number) => {
    const connection = free.shift() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)))
    const answer = await connection.post(PATH, text)
    latencies.push(performance.now() - due)
    onAnswer(answer, due)
    const next = waiting.shift()
    if (next) next(connection)
    else free.push(connection)
  }
  const started = performance.now()
  const scans: Promise<void>[] = []
  for (let n = 0; n < perSecond * seconds; ) {
    // A timer is late by up to a millisecond: requests that are due are sent now, and timed from now.
    await setTimeout(Math.max(0, started + (n / perSecond) * 1000 - performance.now()))
    const now = performance.now()
    for (; n < perSecond * seconds && started + (n / perSecond) * 1000 <= now; n++) {
      const text = body()
      if (text === undefined) n = Number.POSITIVE_INFINITY
      else {
        const sent = scan(text, now)
        // Awaited below: one that fails while others are still sent is no unhandled rejection.
        sent.catch(() => {})
        scans.push(sent)
      }
    }
  }
  await Promise.all(scans)
  return roundOf(latencies, performance.now() - started)
}

function roundOf(latencies: readonly number[], ms: number): Round {
  if (latencies.length === 0) throw new Error('there was nothing left to send: use a larger ledger, or shorter rounds.')
  return { rate: (latencies.length / ms) * 1000, latencies }
}

/**
 * The source's status for those who poll the control plane: at most one query a second, however many ask, and an answer
 * within two seconds, whatever the database does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SourceStatus } from '../source.ts'

export const UNKNOWN: SourceStatus = { slot: null, publication: null, walLevel: null }

interface Options {
  /** Milliseconds, never going back. */
  monotonic: () => number
  freshMs?: number
  timeoutMs?: number
}

/** @returns a function that never rejects: it answers UNKNOWN when the source cannot be asked */
export function statusReader(
  ask: () => Promise<SourceStatus>,
  { monotonic, freshMs = 1000, timeoutMs = 2000 }: Options,
): () => Promise<SourceStatus> {
  let query: { at: number; answer: Promise<SourceStatus>; settled: boolean; late: boolean } | undefined

  function start() {
    const started = { at: monotonic(), answer: Promise.resolve(UNKNOWN), settled: false, late: false }
    started.answer = (async () => ask())()
      .catch(() => UNKNOWN)
      .finally(() => {
        started.settled = true
      })
    return started
  }

  return async () => {
    // While a query hangs, no second one is started: each would hold a connection.
    if (!query || (query.settled && monotonic() - query.at >= freshMs)) query = start()
    const current = query
    if (current.late && !current.settled) return UNKNOWN
    const timer = new AbortController()
    const timeout = sleep(timeoutMs, UNKNOWN, { signal: timer.signal, ref: false }).then(
      (unknown) => {
        current.late = true
        return unknown
      },
      () => UNKNOWN,
    )
    const answer = await Promise.race([current.answer, timeout])
    timer.abort()
    return answer
  }
}

/** When the public certificate is obtained or renewed. Pure; all times in unix ms. */
import { backoffMs } from '@gatehouse/proto/backoff.ts'
import type { Coded } from '@gatehouse/proto/said.ts'
import type { CertificateCode } from './failure.ts'

/** The attempts so far, kept on disk: a box that restarts often does not ask more often. */
export interface Attempts {
  /** In a row. */
  readonly failures: number
  /** Not before this; null: at once. */
  readonly nextAt: number | null
  /** Reason of the last failure, a sentence; null after a success. */
  readonly problem: string | null
  /** The same as a code, where it is known: an older version kept none. */
  readonly coded?: Coded
}

export const NO_ATTEMPTS: Attempts = { failures: 0, nextAt: null, problem: null }

/** An attempt failed. */
export interface Failure {
  problem: string
  coded?: CertificateCode
  /** The authority was reached, and counts attempts. */
  reached: boolean
  /** Milliseconds that the authority asked to wait. */
  retryAfterMs: number | undefined
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Let's Encrypt takes 5 failed validations an hour. A DNS service that is down for a week costs it some 20 attempts. */
const AFTER_REFUSAL = { initialMs: 10 * MINUTE, maxMs: 12 * HOUR, jitter: [0.8, 1.2] } as const
/** Without internet an attempt costs nobody anything, and the box may be given a network for an hour only. */
const WITHOUT_NETWORK = { initialMs: MINUTE, maxMs: 15 * MINUTE, jitter: [0.8, 1.2] } as const
/** Longer waits are not believed: an authority that says "next year" would otherwise decide about this event. */
const MOST_WAIT_MS = 7 * DAY

/** A certificate is renewed when a third of its life is left. @param held undefined: there is none */
export function isDue(
  held: { readonly notBefore: number; readonly notAfter: number } | undefined,
  { nextAt }: Attempts,
  now: number,
): boolean {
  if (held && now < renewAt(held)) return false
  // A clock that was set back would otherwise put the next attempt years ahead.
  return nextAt === null || now >= nextAt || nextAt - now > MOST_WAIT_MS * 1.2
}

export function renewAt({ notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number }): number {
  return notAfter - (notAfter - notBefore) / 3
}

/** @param random from 0 to under 1: boxes that lost the same DNS service do not come back in the same second */
export function afterFailure(
  { failures }: Attempts,
  { problem, coded, reached, retryAfterMs = 0 }: Failure,
  { now, random }: { now: number; random: number },
): Attempts {
  const wait = backoffMs(Math.min(failures, 20), reached ? AFTER_REFUSAL : WITHOUT_NETWORK, random)
  const asked = Math.min(retryAfterMs, MOST_WAIT_MS)
  return { failures: failures + 1, nextAt: Math.round(now + Math.max(wait, asked)), problem, ...(coded && { coded }) }
}

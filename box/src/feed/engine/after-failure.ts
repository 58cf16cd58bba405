/** Decides how a sink goes on after a failed delivery. Pure. */
import { backoffMs } from '@gatehouse/proto/backoff.ts'
import type { ChangeEvent } from '../change.ts'
import type { EngineSink } from './engine-sink.ts'
import type { Failure } from './failure.ts'

/** After so many dead letters in a row the receiver is to blame and not the events: the sink is paused, and a person has to look. */
const MOST_IN_A_ROW = 10
/** The longest wait that a receiver or a plugin gets by asking: with a longer one, the sink would look dead. */
const LONGEST_WAIT_MS = 3_600_000

type Batch = readonly ChangeEvent[]

/** A sink whose delivery has just failed. */
export interface FailedDelivery {
  readonly batch: Batch
  /** Failures of this batch, this one included. */
  readonly attempts: number
  /** 0: no limit. */
  readonly maxAttempts: number
  /** Its events are sent one by one, because the receiver refused them together. */
  readonly isApart: boolean
  /** A paused sink makes no dead letter by itself. */
  readonly isRunning: boolean
  /** True where the configuration lets the feed make dead letters. */
  readonly isAutomatic: boolean
  /** Dead letters since the last delivery. */
  readonly inARow: number
}

export type NextStep =
  /** With at most so many events: all of them, unless the batch is too large. */
  | { readonly kind: 'retry'; readonly most: number }
  | { readonly kind: 'pause' }
  /** The event becomes a dead letter. */
  | { readonly kind: 'bury'; readonly event: ChangeEvent }
  /** The events of the batch are sent one by one, to find the one that is refused. */
  | { readonly kind: 'take apart' }

export function afterFailure({ pause, refused, tooLarge, event }: Failure, failed: FailedDelivery): NextStep {
  const { batch, attempts, maxAttempts, isApart, isRunning, isAutomatic, inARow } = failed
  const isLast = pause || (refused && isApart) || (maxAttempts > 0 && attempts >= maxAttempts)
  if (!isLast) return { kind: 'retry', most: tooLarge ? fewer(failed) : batch.length }
  if (!isRunning || !isAutomatic || inARow >= MOST_IN_A_ROW) return { kind: 'pause' }
  const stuck = batch.find(({ id }) => id === event) ?? (refused && batch.length === 1 ? batch[0] : undefined)
  if (stuck) return { kind: 'bury', event: stuck }
  return { kind: refused ? 'take apart' : 'pause' }
}

/** Half as many events, and in the last attempt one alone: what the sink pauses with is then an event that is too large by itself. */
function fewer({ batch, attempts, maxAttempts }: FailedDelivery): number {
  return attempts === maxAttempts - 1 ? 1 : Math.ceil(batch.length / 2)
}

/**
 * The wait before the next attempt, milliseconds.
 * @param attempts failures of the batch, at least 1
 * @param retryAfterMs the wait that the receiver asks for
 * @param random 0 up to, and not including, 1
 */
export function retryWaitMs(
  attempts: number,
  { jitter, ...waits }: EngineSink['backoff'],
  retryAfterMs: number | undefined,
  random: number,
): number {
  const own = backoffMs(attempts - 1, { ...waits, jitter: [1 - jitter, 1 + jitter] }, random)
  return Math.min(LONGEST_WAIT_MS, retryAfterMs === undefined ? own : Math.max(retryAfterMs, waits.initialMs))
}

/** The id of the event that a failed batch is stuck on; null where it is not known. @param named by the last failure */
export function stuckEvent(batch: Batch, named: string | undefined): string | null {
  return batch.find(({ id }) => id === named)?.id ?? (batch.length === 1 ? (batch[0]?.id ?? null) : null)
}

/** The event of a failed batch that an admin skips, or why none is. @param id undefined where the admin names none */
export function eventToSkip(batch: Batch, id: string | undefined): { event: ChangeEvent } | { refused: string } {
  const [first] = batch
  if (!first) return { refused: 'no batch has failed: there is nothing to skip' }
  const all = `the batch that failed has ${batch.length} events, ${first.id} to ${batch.at(-1)?.id}`
  if (id === undefined && batch.length > 1) return { refused: `${all}: name one with ?event=` }
  const event = id === undefined ? first : batch.find((one) => one.id === id)
  return event ? { event } : { refused: `${all}: none has this id` }
}

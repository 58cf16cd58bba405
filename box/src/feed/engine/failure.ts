/** Reads what a sink threw. */
import type { DeliveryError } from '../sink.ts'

/** A receiver's message may be of any length, and ends up in the statistics. */
const LONGEST_ERROR = 1000
/** The log has more of it: a receiver that fails for ever must not fill the disk with what it says. */
const LONGEST_LOGGED = 65_536

export interface Failure {
  /** For the statistics: the first 1,000 characters. */
  readonly message: string
  /** For the log: the first 65,536 characters. */
  readonly text: string
  /** No further attempt would succeed. */
  readonly pause: boolean
  /** The receiver has looked at these events, and does not want them as they are. */
  readonly refused: boolean
  /** The receiver finds the batch too large. */
  readonly tooLarge: boolean
  /** The id of the event that cannot be delivered. */
  readonly event: string | undefined
  readonly retryAfterMs: number | undefined
}

/** Reads an error by its properties and not by its class: a plugin may bring its own class, and throw anything. */
export function readFailure(error: unknown): Failure {
  const { message, pause, refused, tooLarge, event, retryAfterMs } = (error ?? {}) as Partial<DeliveryError>
  const text = String(message || error).slice(0, LONGEST_LOGGED)
  return {
    message: text.slice(0, LONGEST_ERROR),
    text,
    pause: pause === true,
    refused: refused === true,
    tooLarge: tooLarge === true,
    event: typeof event === 'string' ? event : undefined,
    retryAfterMs: typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined,
  }
}

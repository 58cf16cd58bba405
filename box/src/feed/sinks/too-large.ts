/** Messages that are too large: for the sink's own limit they are sent in parts, and what the receiver refuses is the engine's to make smaller. */
import type { ChangeEvent } from '../change.ts'
import { DeliveryError } from '../sink.ts'

/** A message is over the sink's own limit, or the receiver's. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  readonly bytes: number
  /** The remedy when it is a single event. */
  readonly advice: string

  constructor(message: string, bytes: number, advice: string) {
    super(message)
    this.bytes = bytes
    this.advice = advice
  }
}

/**
 * Sends a batch whole, and in halves where `send` finds it too large. After a failure, the parts that were sent come again
 * with the rest.
 * @throws DeliveryError that pauses the sink, when one event is too large by itself: no retry would change that
 */
export async function sendInParts(
  events: readonly ChangeEvent[],
  send: (events: readonly ChangeEvent[]) => Promise<void>,
): Promise<void> {
  try {
    return await send(events)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    const [event] = events
    if (!event) throw error
    if (events.length === 1) throw tooLargeAlone(event, error)
  }
  const half = Math.ceil(events.length / 2)
  await sendInParts(events.slice(0, half), send)
  await sendInParts(events.slice(half), send)
}

/**
 * Tells if the transaction of a part's last event goes on after the part.
 * @param open the same of the whole batch
 */
export function isPartOpen(batch: readonly ChangeEvent[], part: readonly ChangeEvent[], open: boolean): boolean {
  const last = part.at(-1)
  if (!last || last === batch.at(-1)) return open
  return batch[batch.indexOf(last) + 1]?.commitLsn === last.commitLsn
}

/** The receiver has refused a batch for its size: the engine sends fewer events the next time. */
export function tooLargeThere(events: readonly ChangeEvent[], cause: TooLarge): DeliveryError {
  const [event] = events
  if (event && events.length === 1) {
    return new DeliveryError(`${named(event, cause)}`, { tooLarge: true, event: event.id, cause })
  }
  const message = `The batch of ${events.length} events is too large: ${cause.bytes} bytes. ${cause.message} The next attempt has fewer.`
  return new DeliveryError(message, { tooLarge: true, cause })
}

function tooLargeAlone(event: ChangeEvent, cause: TooLarge): DeliveryError {
  return new DeliveryError(named(event, cause), { pause: true, event: event.id, cause })
}

function named({ id, schema, table }: ChangeEvent, { bytes, message, advice }: TooLarge): string {
  return `The event ${id} of ${schema}.${table} is too large: ${bytes} bytes. ${message} ${advice} Then resume the sink, or skip the event.`
}

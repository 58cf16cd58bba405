/** What a receiver will not take for its size is sent in halves, down to one event: that one holds the sink up, and is named. */
import type { ChangeEvent } from '../change.ts'
import { DeliveryError } from '../sink.ts'

/** A message that is over a limit, whoever's it is. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  readonly bytes: number
  /** What to do about it when it is a single event. */
  readonly advice: string

  constructor(message: string, bytes: number, advice: string) {
    super(message)
    this.bytes = bytes
    this.advice = advice
  }
}

/**
 * Sends a batch whole, and in two where `send` finds it too large. What was sent before a failure comes again with the rest.
 * @throws DeliveryError that pauses, when one event is too large by itself: no attempt would change that
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
    if (!event || events.length === 1) throw tooLargeAlone(event, error)
  }
  const half = Math.ceil(events.length / 2)
  await sendInParts(events.slice(0, half), send)
  await sendInParts(events.slice(half), send)
}

function tooLargeAlone(event: ChangeEvent | undefined, cause: TooLarge): DeliveryError {
  const which = event ? `${event.id} of ${event.schema}.${event.table}` : 'none'
  const message = `The event ${which} is too large: ${cause.bytes} bytes. ${cause.message} ${cause.advice} Then resume the sink.`
  return new DeliveryError(message, { pause: true, cause })
}

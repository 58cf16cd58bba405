/**
 * A code stays in front of the camera long after it was scanned. It counts again only after it was out of sight for a while; any
 * other code counts at once.
 */
import { parseCode } from '@gatehouse/proto/code.ts'

/** A code that was out of sight for this long, ms, counts again. */
export const OUT_OF_SIGHT_MS = 3000
/**
 * Of two codes in view a decoder may find one in this frame and the other in the next. So a code that comes this soon, ms, after another
 * counts only when the next frame has it in the same place: one frame later. From one person to the next it takes a hand longer.
 */
export const BESIDE_MS = 600

interface Sighting {
  payload: string
  seenAt: number
  /** Its holder was asked for a fresh code: the next one scans at once. */
  anew: boolean
}

export interface RepeatGuard {
  /** The first of `payloads` if it is to be scanned. The others are in view beside it, and only stay known if they are. */
  fresh(payloads: readonly string[], now: number): string | undefined
  /** The same for a code that was read by hand, alone: it may follow another at once. */
  freshByHand(payload: string, now: number): string | undefined
  /** The answer was "try again": this code stays out, the next code of the same ticket is let through. */
  expectAnother(payload: string): void
  /** There was no answer: the code may be scanned again at once. */
  forget(payload: string): void
}

export function createRepeatGuard(): RepeatGuard {
  const seen = new Map<string, Sighting>()
  /** The ticket that was nearest to the middle of the frame before, and when. */
  let before: { ticket: string; at: number } | undefined

  /** False for the first frame of a code that follows another at once. */
  const isSteady = (ticket: string, now: number) => {
    const last = before
    before = { ticket, at: now }
    return last === undefined || last.ticket === ticket || now - last.at >= BESIDE_MS
  }
  const take = (payloads: readonly string[], now: number, isCertain: boolean) => {
    for (const [ticket, { seenAt }] of seen) if (now - seenAt >= OUT_OF_SIGHT_MS) seen.delete(ticket)
    const [first, ...beside] = payloads
    for (const payload of beside) {
      const earlier = seen.get(ticketOf(payload))
      if (earlier) earlier.seenAt = now
    }
    if (first === undefined) return undefined
    const ticket = ticketOf(first)
    const steady = isSteady(ticket, now)
    const earlier = seen.get(ticket)
    if (earlier && (earlier.payload === first || !earlier.anew)) {
      earlier.seenAt = now
      return undefined
    }
    if (!steady && !isCertain) return undefined
    seen.set(ticket, { payload: first, seenAt: now, anew: false })
    return first
  }

  return {
    fresh: (payloads, now) => take(payloads, now, false),
    freshByHand: (payload, now) => take([payload], now, true),
    expectAnother(payload) {
      const sighting = seen.get(ticketOf(payload))
      if (sighting?.payload === payload) sighting.anew = true
    },
    forget(payload) {
      seen.delete(ticketOf(payload))
    },
  }
}

/**
 * A rotating code changes every 15 seconds under the camera. Told apart by its text, somebody who was let in a moment ago would
 * be told that the ticket is used; so it is told apart by the ticket's key.
 */
function ticketOf(payload: string): string {
  const code = parseCode(payload)
  return code ? `key ${code.publicKey.join()}` : `text ${payload}`
}

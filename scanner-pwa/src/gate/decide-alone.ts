/**
 * What a scanner says of a code without its box. Total and pure, in the order of the box's own `decide` (`box/src/scan/decide.ts`).
 *
 * It is not that function: `decide` goes by a ticket (its tier, its dates, its passages), and a manifest has no tickets in it,
 * only hashes of codes; whoever finds a phone with it must not learn who comes. So alone nobody is sent to another gate, a
 * ticket of the wrong kind or day is not noticed, and `revoked` may as well be unpaid. The box looks at all of that when the
 * scan reaches it, and opens a case.
 */
import type { Said } from '@gatehouse/proto/verdict-words.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { Standing, Use } from './mirror.ts'

export interface AloneFacts {
  /** Unix ms: when the person stands there. */
  at: number
  checkpoint: Pick<Checkpoint, 'direction' | 'opens_at' | 'closes_at'>
  code:
    | { kind: 'static' }
    /** Of this event, and signed by its own key. */
    | { kind: 'rotating'; fresh: boolean; ageSeconds: number }
    /** A rotating code of another event, or one that nobody signed. */
    | { kind: 'forged' }
  /** By the manifest, and what was heard since. */
  standing: Standing
  /** What this device let in or out itself, and the box has not confirmed yet: the last passage through this zone. */
  own: { direction: 'in' | 'out'; use: Use } | undefined
  hold: { reason: string } | undefined
}

/** A verdict as far as it can be known here. `earlier` is undefined where nobody told of the use. */
export type AloneDecision =
  | Extract<Said, { verdict: 'ADMIT' | 'EXIT' | 'NOT_VALID_NOW' | 'STALE_CODE' | 'REVOKED' | 'BLOCKED' | 'UNKNOWN' }>
  | { verdict: 'ALREADY_USED'; earlier: Use | undefined; leftAt: Use | undefined }

export function decideAlone(facts: AloneFacts): AloneDecision {
  const { at, checkpoint, code, standing, own, hold } = facts
  // A revoked code was a ticket's once, also when the filter was made after that.
  if (code.kind === 'forged' || !(standing.known || standing.revoked)) return { verdict: 'UNKNOWN' }

  // Whoever wants to leave may leave, whatever is wrong with the ticket: a gate must never hold people inside.
  if (checkpoint.direction === 'out') return { verdict: 'EXIT' }
  if (hold) return { verdict: 'BLOCKED', detail: hold.reason, held: true }
  if (standing.revoked) return { verdict: 'REVOKED', reason: null }
  // Before anything that a photograph of somebody's screen should be able to find out.
  if (code.kind === 'rotating' && !code.fresh) {
    return { verdict: 'STALE_CODE', ageSeconds: code.ageSeconds, phoneClock: code.ageSeconds < 0 }
  }
  const opens = checkpoint.opens_at === undefined ? null : Date.parse(checkpoint.opens_at)
  const closes = checkpoint.closes_at === undefined ? null : Date.parse(checkpoint.closes_at)
  if ((opens !== null && at < opens) || (closes !== null && at >= closes)) {
    return { verdict: 'NOT_VALID_NOW', from: opens, until: closes, what: 'gate' }
  }

  const known = standing.used === 'unknown' ? undefined : standing.used
  if (own?.direction === 'in') return { verdict: 'ALREADY_USED', earlier: own.use, leftAt: undefined }
  if (standing.used !== undefined) {
    // Who has left may come back on some tiers and not on others. Which one this is, the manifest does not say: a ticket that
    // two people share is passed back over the fence in just this way.
    return { verdict: 'ALREADY_USED', earlier: known, leftAt: own?.use }
  }
  return { verdict: 'ADMIT', occurrence: 1 }
}

/**
 * What a scanner says of a code without its box. Total and pure, in the order of the box's own `decide` (`box/src/scan/decide.ts`);
 * a law test holds the two together (`box/test/scanner-alone.test.ts`).
 *
 * It is not that function: `decide` goes by a ticket and all its passages, and a manifest has no tickets in it. So alone
 * `revoked` may as well be unpaid, and of gates that are not this scanner's own nobody can be told. The box looks at all of
 * that when the scan reaches it, and opens a case.
 */
import type { Said } from '@gatehouse/proto/verdict-words.ts'
import type { TierRules } from '@gatehouse/proto/wire/device.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { gateWords as words } from '../words/en-gate.ts'
import type { Standing, Use } from './mirror.ts'

export interface AloneFacts {
  /** Unix ms: when the person stands there. */
  at: number
  checkpoint: Pick<Checkpoint, 'direction' | 'opens_at' | 'closes_at' | 'tiers'>
  code:
    | { kind: 'static' }
    /** Of this event, and signed by its own key. */
    | { kind: 'rotating'; fresh: boolean; ageSeconds: number }
    /** A rotating code of another event, or one that nobody signed. */
    | { kind: 'forged' }
  /** By the manifest, and what was heard since. */
  standing: Standing
  /** How often the ticket's tier enters. */
  policy: TierRules['entry']
  /** Unix ms: when festival days begin. */
  days: readonly number[]
  /** What this device let in or out itself, and the box has not confirmed yet: the last passage through this zone. */
  own: { direction: 'in' | 'out'; use: Use } | undefined
  /** The last of those that led in. */
  ownEntry: Use | undefined
  hold: { reason: string } | undefined
  /** This scanner's own checkpoints that let the ticket's tier in, nearest first, held gates left out. */
  serving: readonly Checkpoint[]
  /** `serving` is empty because every gate that would be in it is on hold. */
  everyGateHeld: boolean
}

/** A verdict as far as it can be known here: `earlier` is undefined where nobody told of the use, `to` where no gate is known. */
export type AloneDecision =
  | Extract<Said, { verdict: 'ADMIT' | 'EXIT' | 'NOT_VALID_NOW' | 'STALE_CODE' | 'REVOKED' | 'BLOCKED' | 'UNKNOWN' }>
  | { verdict: 'ALREADY_USED'; earlier: Use | undefined }
  | { verdict: 'REDIRECT'; to: Checkpoint | undefined }

export function decideAlone(facts: AloneFacts): AloneDecision {
  const { at, checkpoint, code, standing, hold } = facts
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

  const from = msOf(standing.kind?.valid_from)
  const until = msOf(standing.kind?.valid_until)
  if ((from !== null && at < from) || (until !== null && at > until)) {
    return { verdict: 'NOT_VALID_NOW', from, until, what: 'ticket' }
  }
  if (standing.kind && !checkpoint.tiers.includes(standing.kind.tier)) {
    const { serving, everyGateHeld } = facts
    if (everyGateHeld) return { verdict: 'BLOCKED', detail: words.alone.everyGateHeld, held: true }
    return { verdict: 'REDIRECT', to: serving[0] }
  }
  const opens = msOf(checkpoint.opens_at)
  const closes = msOf(checkpoint.closes_at)
  if ((opens !== null && at < opens) || (closes !== null && at >= closes)) {
    return { verdict: 'NOT_VALID_NOW', from: opens, until: closes, what: 'gate' }
  }

  const use = usedUpBy(facts)
  if (use === undefined) return { verdict: 'ADMIT', occurrence: 1 }
  return { verdict: 'ALREADY_USED', earlier: use === 'unknown' ? undefined : use }
}

/** The admission that has used up the right to enter here, by the rule of the ticket's tier; undefined for none. */
function usedUpBy({ at, standing, policy, days, own, ownEntry }: AloneFacts): Use | 'unknown' | undefined {
  const { used, usedAsOf } = standing
  switch (policy) {
    case 'unlimited':
      return undefined
    case 'once':
      return ownEntry ?? used
    case 'once_per_day': {
      const isOfToday = (then: number) => !days.some((begins) => begins > then && begins <= at)
      if (ownEntry && isOfToday(ownEntry.at)) return ownEntry
      return isOfToday(usedAsOf) ? used : undefined
    }
    case 'reentry':
      if (own?.direction !== 'out') return ownEntry ?? used
      // Out here, and in again where the box was heard: or else the right is the ticket's again.
      return typeof used === 'object' && used.at > own.use.at ? used : undefined
  }
}

const msOf = (time: string | null | undefined) => (time == null ? null : Date.parse(time))

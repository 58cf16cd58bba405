/**
 * Decides about a code without the box. Total and pure, in the order of the box's own `decide` (`box/src/scan/decide.ts`); a
 * property test compares the two (`box/test/scanner/offline.test.ts`).
 *
 * It is a function of its own because `decide` needs the ticket and all its passages, and a manifest contains no tickets. So a
 * code that is `revoked` here may also be unpaid, and a person is only sent to gates that this scanner is paired for. The box
 * decides again when the scan reaches it, and opens a case where it disagrees.
 */
import type { VerdictFacts } from '@gatehouse/proto/verdict-words.ts'
import type { TierRules } from '@gatehouse/proto/wire/device.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { CodeStatus, Use } from '../mirror/mirror.ts'
import { gateWords as words } from '../words/core.ts'

export interface OfflineFacts {
  /** Unix ms: when the person stands there. */
  at: number
  checkpoint: Pick<Checkpoint, 'direction' | 'opens_at' | 'closes_at' | 'tiers'>
  code:
    | { kind: 'static' }
    /** A rotating code of this event with a valid signature. */
    | { kind: 'rotating'; fresh: boolean; ageSeconds: number }
    /** A rotating code of another event, or with an invalid signature. */
    | { kind: 'forged' }
  /** By the mirror. */
  status: CodeStatus
  /** Number of times that a ticket of this tier may enter. */
  policy: TierRules['entry']
  /** Unix ms: when festival days begin. */
  days: readonly number[]
  /** The last passage of this code through this zone that this device let through and the mirror does not contain. */
  own: { direction: 'in' | 'out'; use: Use } | undefined
  /** The last of these passages that led in. */
  ownEntry: Use | undefined
  hold: { reason: string } | undefined
  /** This scanner's checkpoints that admit the ticket's tier, nearest first, without those of held gates. */
  serving: readonly Checkpoint[]
  /** `serving` is empty because every gate that admits the tier is on hold. */
  everyGateHeld: boolean
}

/** A verdict with less detail than the box's: `earlier` is undefined where the use is not known, `to` where no gate is. */
export type OfflineDecision =
  | Extract<
      VerdictFacts,
      { verdict: 'ADMIT' | 'EXIT' | 'NOT_VALID_NOW' | 'STALE_CODE' | 'REVOKED' | 'BLOCKED' | 'UNKNOWN' }
    >
  | { verdict: 'ALREADY_USED'; earlier: Use | undefined }
  | { verdict: 'REDIRECT'; to: Checkpoint | undefined }

export function decideOffline(facts: OfflineFacts): OfflineDecision {
  const { at, checkpoint, code, status, hold } = facts
  // A revoked code was a ticket's once, even if the filter was made later.
  if (code.kind === 'forged' || !(status.known || status.revoked)) return { verdict: 'UNKNOWN' }

  // People may leave, whatever is wrong with their ticket: a gate must never hold anybody inside.
  if (checkpoint.direction === 'out') return { verdict: 'EXIT' }
  if (hold) return { verdict: 'BLOCKED', detail: hold.reason, held: true }
  if (status.revoked) return { verdict: 'REVOKED', reason: null }
  // Checked first, so that a photograph of somebody's screen reveals nothing about the ticket.
  if (code.kind === 'rotating' && !code.fresh) {
    return { verdict: 'STALE_CODE', ageSeconds: code.ageSeconds, phoneClock: code.ageSeconds < 0 }
  }

  const from = msOf(status.kind?.valid_from)
  const until = msOf(status.kind?.valid_until)
  if ((from !== null && at < from) || (until !== null && at > until)) {
    return { verdict: 'NOT_VALID_NOW', from, until, what: 'ticket' }
  }
  if (status.kind && !checkpoint.tiers.includes(status.kind.tier)) {
    const { serving, everyGateHeld } = facts
    if (everyGateHeld) return { verdict: 'BLOCKED', detail: words.offline.everyGateHeld, held: true }
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

/** The admission that has used up the right to enter here, by the tier's policy; undefined for none. */
function usedUpBy({ at, status, policy, days, own, ownEntry }: OfflineFacts): Use | 'unknown' | undefined {
  const { used, usedAsOf } = status
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
      // It left through this device. Unless it came in again at another gate since, it may enter.
      return typeof used === 'object' && used.at > own.use.at ? used : undefined
  }
}

const msOf = (time: string | null | undefined) => (time == null ? null : Date.parse(time))

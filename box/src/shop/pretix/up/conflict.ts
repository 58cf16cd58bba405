/** A refusal of pretix as a case for the control room. */
import type { Flags } from '../../../cases/flags.ts'
import type { Call, PushedFact } from './call.ts'
import type { Refusal } from './next-step.ts'

/** Times of one passage differ by less between here and there. */
const SAME_MS = 1_000

/**
 * Opens a case with both sides' words, unless pretix only repeats what this ledger knows: the earlier use that it names is a passage of
 * this event's own boxes, and two uses of one right are a case here already. Within a transaction.
 * @param ownTimes when this ticket went through, by our record, unix ms
 */
export function openConflict(
  { refusal, done }: { refusal: Refusal; done: 'forced' | 'sent_out' | 'waits' },
  { call, fact, ownTimes }: { call: Call; fact: PushedFact; ownTimes: readonly number[] },
  flags: Flags,
): void {
  // A refused attempt that pretix does not take moved nobody.
  if (call.do === 'fail' || call.do === 'answer') return
  const theirs = refusal.usedAt === null ? undefined : Date.parse(refusal.usedAt)
  const isOurs = theirs !== undefined && ownTimes.some((at) => Math.abs(at - theirs) < SAME_MS)
  if (refusal.reason === 'already_redeemed' && isOurs) return
  flags.open({
    kind: 'shop_conflict',
    about: call.scan,
    ticketRef: call.ticket,
    device: call.do === 'sell' ? null : call.device,
    occurrence: null,
    scanIds: [call.scan],
    since: fact.hlc,
    shop: { reason: refusal.reason, used_at: refusal.usedAt, used_by: refusal.usedBy, done },
  })
}

/**
 * What the box answers to a scan. Total and pure: no clock, no database, no I/O. Everything that the answer rests on
 * is in `Facts`; the table of cases in `decide.test.ts` is complete.
 */
import type { Checkpoint, EntryPolicy } from '../event/event.ts'
import type { Movement, TicketStatus } from '../ledger/schema.ts'
import type { PrintedStanding } from '../tickets/printed-code.ts'
import { admissions, rightToEnter } from './right-to-enter.ts'

export interface Facts {
  /** Unix ms: when the person stood at the checkpoint. */
  at: number
  /** The festival day of `at`, for tiers that enter once a day. */
  day: string
  checkpoint: Checkpoint
  /** Undefined when the code opens no ticket. */
  ticket: TicketFacts | undefined
  /** How the ticket was shown. */
  code: CodeFacts
  /** The ticket's passages, oldest first. */
  movements: readonly Movement[]
  /** Where this ticket's tier is let in, nearest first, held gates left out: what a redirect picks from. */
  serving: readonly Checkpoint[]
  /** `serving` is empty because every gate that would be in it is on hold. */
  everyGateHeld: boolean
  /** The gate is on hold: nobody enters through it. */
  hold: { reason: string } | undefined
  /** A scanner had let the person in before it asked. */
  passedAlready: boolean
}

export interface TicketFacts {
  tier: string
  policy: EntryPolicy
  status: TicketStatus
  statusDetail: string | null
  revokedAt: number | null
  revokedReason: string | null
  validFrom: number | null
  validUntil: number | null
}

export type CodeFacts =
  | { kind: 'static'; standing: PrintedStanding }
  | {
      kind: 'rotating'
      /** Whether another key is in its place, and which: a phone's by a claim, or a new one of the box's by a release. */
      retired: false | 'claimed' | 'released'
      fresh: boolean
      ageSeconds: number
      /** Off by the same amount as the code before it: it is the phone's clock, and not an old picture. */
      steady: boolean
    }

/** The admission that used a right up: one of this ledger, or one that another box has told of. */
export type EarlierUse = Pick<Movement, 'checkpoint' | 'at' | 'hlc' | 'scanId' | 'occurrence'>

/** One of the contract's verdicts with what it rests on; words and wire form come later. */
export type Decision =
  | { verdict: 'ADMIT'; occurrence: number }
  | { verdict: 'EXIT'; occurrence: number }
  | { verdict: 'ALREADY_USED'; occurrence: number; earlier: EarlierUse }
  | { verdict: 'REDIRECT'; occurrence: number; to: Checkpoint }
  | { verdict: 'NOT_VALID_NOW'; occurrence: number; from: number | null; until: number | null; what: 'ticket' | 'gate' }
  | { verdict: 'STALE_CODE'; occurrence: number; ageSeconds: number; phoneClock: boolean }
  | { verdict: 'REVOKED'; occurrence: number; at: number | null; reason: string | null }
  | { verdict: 'NOT_PAID'; occurrence: number; detail: string }
  /** `held`: nothing is wrong with the ticket, people are kept out for now. */
  | { verdict: 'BLOCKED'; occurrence: number; detail: string; held?: true }
  | { verdict: 'UNKNOWN' }

export function decide(facts: Facts): Decision {
  const { checkpoint, ticket, movements, hold } = facts
  if (!ticket) return { verdict: 'UNKNOWN' }
  const occurrence = admissions(movements)

  // Whoever wants to leave may leave, whatever is wrong with the ticket: a gate must never hold people inside.
  if (checkpoint.direction === 'out') return { verdict: 'EXIT', occurrence }

  const held = hold && ({ verdict: 'BLOCKED', occurrence, detail: hold.reason, held: true } as const)
  if (held && !facts.passedAlready) return held
  const decision = decideTicket({ ...facts, ticket }, occurrence)
  // Who is inside already is judged by the ticket first: a second use of it must not hide behind the hold.
  return decision.verdict === 'ADMIT' ? (held ?? decision) : decision
}

/** What the ticket is worth at this entrance, when it lets people in at all. */
function decideTicket(facts: Facts & { ticket: TicketFacts }, occurrence: number): Decision {
  const { at, checkpoint, ticket, code } = facts
  if (ticket.revokedAt !== null) {
    return { verdict: 'REVOKED', occurrence, at: ticket.revokedAt, reason: ticket.revokedReason }
  }
  if (ticket.status === 'revoked') return { verdict: 'REVOKED', occurrence, at: null, reason: ticket.statusDetail }
  if (ticket.status === 'blocked') {
    return { verdict: 'BLOCKED', occurrence, detail: ticket.statusDetail ?? 'blocked by the ticket shop' }
  }
  if (ticket.status === 'pending') {
    return { verdict: 'NOT_PAID', occurrence, detail: ticket.statusDetail ?? 'the order is not paid' }
  }
  const unusable = unusableCode(code)
  if (unusable) return { verdict: 'BLOCKED', occurrence, detail: unusable }
  // Before anything that a photograph of somebody's screen should be able to find out.
  if (code.kind === 'rotating' && !code.fresh) {
    const { ageSeconds, steady } = code
    return { verdict: 'STALE_CODE', occurrence, ageSeconds, phoneClock: steady || ageSeconds < 0 }
  }

  const { validFrom, validUntil } = ticket
  if ((validFrom !== null && at < validFrom) || (validUntil !== null && at > validUntil)) {
    return { verdict: 'NOT_VALID_NOW', occurrence, from: validFrom, until: validUntil, what: 'ticket' }
  }
  if (!checkpoint.tiers.includes(ticket.tier)) {
    const [to] = facts.serving
    if (to) return { verdict: 'REDIRECT', occurrence, to }
    if (facts.everyGateHeld) {
      return { verdict: 'BLOCKED', occurrence, detail: 'every gate for this ticket is on hold', held: true }
    }
    return { verdict: 'BLOCKED', occurrence, detail: 'no gate of this event serves this kind of ticket' }
  }
  const opens = checkpoint.opens_at === undefined ? null : Date.parse(checkpoint.opens_at)
  const closes = checkpoint.closes_at === undefined ? null : Date.parse(checkpoint.closes_at)
  if ((opens !== null && at < opens) || (closes !== null && at >= closes)) {
    return { verdict: 'NOT_VALID_NOW', occurrence, from: opens, until: closes, what: 'gate' }
  }

  const { usedUpBy } = rightToEnter({ ...facts, zone: checkpoint.to ?? '' }, ticket.policy)
  return usedUpBy
    ? { verdict: 'ALREADY_USED', occurrence, earlier: usedUpBy }
    : { verdict: 'ADMIT', occurrence: occurrence + 1 }
}

/** Why this ticket is not opened by a code that was once its own; undefined for one that is. */
function unusableCode(code: CodeFacts): string | undefined {
  if (code.kind === 'rotating') {
    if (code.retired === 'claimed') return 'this ticket was claimed on another phone: ask for that one'
    return code.retired ? 'this phone no longer has this ticket: ask for its link to be opened again' : undefined
  }
  switch (code.standing) {
    case 'opens':
      return undefined
    case 'phone_only':
      return 'this ticket enters with the code on the phone, not a printed one'
    case 'claimed':
      return 'this ticket was claimed on a phone: ask for the code there, not the printed one'
    case 'replaced':
      return 'the ticket shop has replaced this code: ask for the new ticket'
  }
}

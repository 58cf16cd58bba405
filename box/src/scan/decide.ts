/**
 * Decides what the box answers to a scan. Total and pure: no clock, no database, no I/O. Everything that the answer rests
 * on is in `Facts`; the table of cases in `decide.test.ts` is complete.
 */
import type { Checkpoint, EntryPolicy } from '../event/event.ts'
import type { Movement, TicketStatus } from '../ledger/schema.ts'
import { admissions, rightToEnter } from '../rights/right-to-enter.ts'
import type { PrintedCodeStatus } from '../tickets/printed-code.ts'

export interface Facts {
  /** Unix ms: when the person stood at the checkpoint. */
  at: number
  /** The festival day of `at`, for tiers that enter once a day. */
  day: string
  checkpoint: Checkpoint
  /** Undefined when the code opens no ticket. */
  ticket: TicketFacts | undefined
  /** The form in which the ticket was shown. */
  code: CodeFacts
  /** The ticket's passages, oldest first. */
  movements: readonly Movement[]
  /** Checkpoints that admit this ticket's tier, nearest first, without held gates; a redirect chooses from them. */
  serving: readonly Checkpoint[]
  /** Every gate that would be in `serving` is on hold, and it is empty for that reason. */
  everyGateHeld: boolean
  /** The gate is on hold: nobody enters through it. */
  hold: { reason: string } | undefined
  /** A scanner had let the person in before it asked. */
  passedAlready: boolean
  /** The required questions without an answer, as the shop words them: nobody is admitted before they are asked. */
  unanswered: readonly string[]
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
  | { kind: 'static'; state: PrintedCodeStatus }
  | {
      kind: 'rotating'
      /** True where another key has replaced the code's: a phone's, by a claim, or a new one of the box, by a release or a re-issue. */
      retired: false | 'claimed' | 'released' | 'reissued'
      fresh: boolean
      ageSeconds: number
      /** Off by the same amount as the code before it: the phone's clock is wrong, and this is no old picture. */
      steady: boolean
    }

/** The admission that used a right up: of this ledger, or of another box that was asked. */
export type EarlierUse = Pick<Movement, 'checkpoint' | 'at' | 'hlc' | 'scanId' | 'occurrence'>

/** One of the contract's verdicts with what it rests on. `verdict.ts` gives it its sentence and its form on the wire. */
export type Decision =
  | { verdict: 'ADMIT'; occurrence: number }
  | { verdict: 'EXIT'; occurrence: number }
  | { verdict: 'ALREADY_USED'; occurrence: number; earlier: EarlierUse }
  | { verdict: 'REDIRECT'; occurrence: number; to: Checkpoint }
  | { verdict: 'NOT_VALID_NOW'; occurrence: number; from: number | null; until: number | null; what: 'ticket' | 'gate' }
  | { verdict: 'STALE_CODE'; occurrence: number; ageSeconds: number; phoneClock: boolean }
  | { verdict: 'REVOKED'; occurrence: number; at: number | null; reason: string | null }
  | { verdict: 'NOT_PAID'; occurrence: number; detail: string }
  /**
   * `held`: nothing is wrong with the ticket, people are kept out for now. `asks`: it is admitted once its questions are answered.
   * `elsewhere`: its tier is not served here.
   */
  | { verdict: 'BLOCKED'; occurrence: number; detail: string; held?: true; asks?: true; elsewhere?: true }
  | { verdict: 'UNKNOWN' }

export function decide(facts: Facts): Decision {
  const { checkpoint, ticket, movements, hold } = facts
  if (!ticket) return { verdict: 'UNKNOWN' }
  const occurrence = admissions(movements)

  // Everybody may leave, whatever is wrong with the ticket: a gate must never hold people inside.
  if (checkpoint.direction === 'out') return { verdict: 'EXIT', occurrence }

  const held = hold && ({ verdict: 'BLOCKED', occurrence, detail: hold.reason, held: true } as const)
  if (held && !facts.passedAlready) return held
  const decision = decideTicket({ ...facts, ticket }, occurrence)
  if (decision.verdict !== 'ADMIT') return decision
  // For somebody who is inside already, the ticket comes first: a second use of it must not hide behind the hold.
  if (held) return held
  // Asked last: nobody answers questions to be turned away after them.
  const { unanswered, passedAlready } = facts
  if (passedAlready || unanswered.length === 0) return decision
  return { verdict: 'BLOCKED', occurrence, detail: askFirst(unanswered), asks: true }
}

/** Longest part of a question in a sentence. */
const QUOTED = 120

function askFirst([first = '', ...more]: readonly string[]): string {
  const quoted = `"${first.length > QUOTED ? `${first.slice(0, QUOTED)}...` : first}"`
  return more.length === 0
    ? `${quoted} has to be answered first`
    : `${quoted} and ${more.length} more have to be answered first`
}

/** True for the ticket's own code of now: only then does the screen say more about the ticket. */
export function codeOpens(code: CodeFacts): boolean {
  return unusableCode(code) === undefined && (code.kind === 'static' || code.fresh)
}

/** True where the place alone is wrong: the ticket's tier is served at another checkpoint, or nowhere. */
export function isForElsewhere(decision: Decision): boolean {
  return decision.verdict === 'REDIRECT' || (decision.verdict === 'BLOCKED' && decision.elsewhere === true)
}

/** The decision about the ticket at this entrance, regardless of a hold. */
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
  // Checked before everything that somebody with a photograph of the code must not learn about the ticket.
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
      return {
        verdict: 'BLOCKED',
        occurrence,
        detail: 'every gate for this ticket is on hold',
        held: true,
        elsewhere: true,
      }
    }
    return {
      verdict: 'BLOCKED',
      occurrence,
      detail: 'no gate of this event serves this kind of ticket',
      elsewhere: true,
    }
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

const REISSUED = 'this ticket was issued again at the ticket desk: ask for the new code'

/** The reason why a former code of the ticket no longer opens it; undefined for a code that does. */
function unusableCode(code: CodeFacts): string | undefined {
  if (code.kind === 'rotating') {
    if (code.retired === 'claimed') return 'this ticket was claimed on another phone: ask for that one'
    if (code.retired === 'reissued') return REISSUED
    return code.retired ? 'this phone no longer has this ticket: ask for its link to be opened again' : undefined
  }
  switch (code.state) {
    case 'opens':
      return undefined
    case 'phone_only':
      return 'this ticket enters with the code on the phone, not a printed one'
    case 'claimed':
      return 'this ticket was claimed on a phone: ask for the code there, not the printed one'
    case 'reissued':
      return REISSUED
    case 'replaced':
      return 'the ticket shop has replaced this code: ask for the new ticket'
  }
}

/** Puts a decision into the contract's form. */
import { type KnownDetail, knownDetail } from '@gatehouse/proto/known-details.ts'
import { SEVERITY } from '@gatehouse/proto/verdict-words.ts'
import type { Evidence, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { iso, isoOrNull } from '../clock/iso.ts'
import type { Checkpoint, Event } from '../event/event.ts'
import type { Decision } from './decide.ts'
import type { VerdictDetails } from './details.ts'
import { reasonFor, unconfirmedReason } from './reasons.ts'

export interface Answered {
  scanId: string
  event: Event
  checkpoint: Checkpoint
  /** Unix ms of the scan. */
  at: number
  ticket: { tier: string; seat: string | null } | undefined
  hlc: string
  confidence: Verdict['confidence']
  /** Reason why it is provisional, where that is known. */
  why?: string | undefined
  /** A sentence of the shop about a ticket that is valid. */
  said?: string | null
  /** Number of admissions that the ticket now has; null for no ticket. */
  occurrence: number | null
  /** The case that was opened, where somebody is inside whom this decision would have kept out. */
  flag: string | undefined
  /** The scanner had let the person in, or out, before it asked. */
  passedAlready: boolean
  /** For a redirect: how far it is; null where no map has the way. */
  walkingSeconds: number | null
  /** Further fields of the ticket; see `details.ts`. */
  details?: VerdictDetails
}

export function verdictFor(decision: Decision, answered: Answered): Verdict {
  const { event, checkpoint, ticket } = answered
  const tier = ticket && event.tierById.get(ticket.tier)
  return {
    scan_id: answered.scanId,
    verdict: decision.verdict,
    // Nobody who is inside already is refused after the fact: the verdict says what is true of the ticket, the
    // severity what happens to the person, and the flag names the case.
    severity: answered.passedAlready ? 'admit' : SEVERITY[decision.verdict],
    reason: reasonOf(decision, answered),
    tier_name: ticket ? (tier?.name ?? ticket.tier) : null,
    tier_colour: tier?.colour ?? null,
    seat_label: ticket?.seat ?? null,
    occurrence: answered.occurrence,
    hlc: answered.hlc,
    direction: checkpoint.direction,
    confidence: answered.confidence,
    evidence: evidenceFor(decision, answered),
    ...(answered.flag && { flag: answered.flag }),
    ...answered.details,
  }
}

/** Says beside an unconfirmed admission which boxes could not be asked, so that the gate knows what it does. */
function reasonOf(decision: Decision, { event, at, checkpoint, why, said }: Answered): string {
  const reason = reasonFor(decision, event, at, checkpoint.name)
  if (decision.verdict !== 'ADMIT') return reason
  const sentences = [reason, ...(said ? [said] : []), ...(why !== undefined ? [unconfirmedReason(why)] : [])]
  return sentences.join(' ')
}

function evidenceFor(decision: Decision, answered: Answered): Evidence {
  const { event, at } = answered
  switch (decision.verdict) {
    case 'ADMIT':
    case 'EXIT':
    case 'UNKNOWN':
      return null
    case 'ALREADY_USED': {
      const { earlier } = decision
      return {
        ...place(event, earlier.checkpoint),
        used_at: iso(earlier.at),
        seconds_ago: Math.max(0, Math.floor((at - earlier.at) / 1000)),
        hlc: earlier.hlc,
        occurrence: earlier.occurrence,
      }
    }
    case 'REDIRECT':
      return { ...place(event, decision.to.id), walking_seconds: answered.walkingSeconds }
    case 'NOT_VALID_NOW':
      return {
        ...{ valid_from: isoOrNull(decision.from), valid_until: isoOrNull(decision.until) },
        ...{ of: decision.what, time_zone: event.timezone },
      }
    case 'STALE_CODE':
      return { code_age_seconds: decision.ageSeconds, phone_clock: decision.phoneClock }
    case 'REVOKED':
      return { revoked_at: isoOrNull(decision.at), revoked_reason: decision.reason, ...coded(decision.reason) }
    case 'NOT_PAID':
      return { detail: decision.detail, ...coded(decision.detail) }
    case 'BLOCKED':
      return { detail: decision.detail, ...coded(decision.detail), ...(decision.held && { held: true }) }
  }
}

/** The code of a text that is Gatehouse's own, which a phone says in its own language. */
function coded(text: string | null): { code?: KnownDetail } {
  const code = knownDetail(text)
  return code === undefined ? {} : { code }
}

function place(event: Event, id: string) {
  const checkpoint = event.checkpointById.get(id)
  const gate = checkpoint && event.gateById.get(checkpoint.gate)
  return { checkpoint: id, checkpoint_name: checkpoint?.name ?? id, gate_name: gate?.name ?? id }
}

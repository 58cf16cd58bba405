/** `POST /v1/scan/{scan_id}/answers`: answers that are given after the admission. */
import type { Answers } from '@gatehouse/proto/questions.ts'
import type { AnswersTaken, AskedQuestion, GivenAnswers } from '@gatehouse/proto/wire/scan.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { OVERRIDE_MS } from '../cases/overrides.ts'
import { passageFact } from '../cases/passage-fact.ts'
import { GatehouseError } from '../errors.ts'
import type { Ticket } from '../ledger/schema.ts'
import { answersOfScan, recordAnswers } from '../tickets/answers.ts'
import { namesErased } from '../tickets/erasure.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { askedQuestions, askingOf } from './questions.ts'
import type { RecordDeps } from './record.ts'
import type { ShownScan } from './shown.ts'
import { conflict } from './supervise.ts'

export interface AnswersDeps extends Pick<RecordDeps, 'ledger' | 'clock' | 'scans'> {
  tickets: Tickets
}

/**
 * Takes answers to the questions that an admission by this device left open. The same answers again change nothing; others to the
 * same questions, after a slip of the finger, replace them.
 * @throws GatehouseError `not_found`; `not_allowed` for another device's scan; `conflict` where nobody was admitted by it, where it is
 *   too late, and where names were erased; `ledger_unavailable`
 */
export function takeAnswers(
  scanId: string,
  sent: GivenAnswers,
  device: ScanningDevice,
  deps: AnswersDeps,
): Promise<AnswersTaken> {
  return deps.ledger.commit(() => {
    const ticket = admittedTicket(scanId, device, deps)
    const { all, questions } = storeAnswers(sent, { scanId, ticket, device }, deps)
    return { scan_id: scanId, answered: Object.keys(all).length, questions }
  })
}

/**
 * Stores what an upload says that a person answered whom this scan had let in already: its first answer was lost, or its scanner was
 * alone by then. The stored verdict stays as it is. Within a transaction.
 */
export function storeLate({ scan, device }: ShownScan, ticket: Ticket, deps: AnswersDeps): void {
  if (!scan.answers || ticket.forgottenAt !== null || namesErased(deps.ledger.db)) return
  storeAnswers(scan.answers, { scanId: scan.scan_id, ticket, device }, deps)
}

/** @returns all answers of this scan, and the questions whose answer was none */
function storeAnswers(
  sent: GivenAnswers,
  { scanId, ticket, device }: { scanId: string; ticket: Ticket; device: Pick<ScanningDevice, 'id' | 'by'> },
  deps: AnswersDeps,
): { all: Answers; questions: AskedQuestion[] } {
  const { ledger, tickets } = deps
  const { product, personal } = tickets.details.detailsOf(ticket)
  const before = answersOfScan(ledger.db, scanId)?.answers ?? {}
  const others = { ...personal.answers, ...tickets.answers.of(ticket.ref) }
  const known = Object.fromEntries(Object.entries(others).filter(([id]) => !Object.hasOwn(before, id)))
  const asking = askingOf(product?.questions ?? [], known, sent)
  const all = { ...before, ...asking.given }
  const isNew = Object.entries(asking.given).some(([id, answer]) => before[id] !== answer)
  if (isNew) recordAnswers(all, { scanId, ticket, device }, deps)
  return { all, questions: askedQuestions(asking).filter(({ problem }) => problem !== undefined) }
}

/** The ticket that this scan let in. */
function admittedTicket(
  scanId: string,
  device: ScanningDevice,
  { ledger, scans, tickets, clock }: AnswersDeps,
): Ticket {
  const stored = scans.find(scanId)
  const fact = stored && passageFact(ledger.db, { entry: stored.entry, scanId, kind: 'scan' })
  if (!fact)
    throw new GatehouseError('not_found', 'This box knows no such scan: scan the ticket again.', {
      reason: 'scan_unknown',
    })
  const { device: by, at, ticket: ref, slot } = fact.fields
  if (by !== device.id) {
    throw new GatehouseError('not_allowed', 'Another scanner made that scan: answer there, or at the ticket desk.', {
      reason: 'scan_of_other',
    })
  }
  if (clock.wall() - Date.parse(at) > OVERRIDE_MS) {
    throw conflict('That scan is more than 15 minutes old: the ticket desk can take the answers.', {
      reason: 'scan_too_old',
      values: { minutes: 15 },
    })
  }
  const ticket = ref === null || slot === null ? undefined : tickets.byRef(ref)
  if (!ticket)
    throw conflict('Nobody was admitted by that scan: scan the ticket again, and answer then.', {
      reason: 'nobody_admitted',
    })
  if (ticket.forgottenAt !== null || namesErased(ledger.db)) {
    throw conflict('The names of this event were erased: nothing about people is stored any more.', {
      reason: 'names_erased',
    })
  }
  return ticket
}

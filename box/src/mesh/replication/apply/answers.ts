/** Applies answers that were given at another box. Of two rows of one scan the later one counts. */
import { putAnswers } from '../../../tickets/answers.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

export function applyAnswers({ fields, hlc, rows }: PeerEntry<'answers'>, context: ApplyContext): void {
  if (!rows.answers || isForgotten(fields.ticket, context)) return
  const { scan_id: scanId, ticket: ticketRef, device, at } = fields
  const { ledger, recordedBy: entry } = context
  putAnswers(ledger.db, { ...rows.answers, scanId, ticketRef, device, at: Date.parse(at), hlc, entry })
}

/** Another box may not have learned of the erasure of this person. */
function isForgotten(ref: string, { tickets }: ApplyContext): boolean {
  const forgottenAt = tickets.byRef(ref)?.forgottenAt
  return forgottenAt !== undefined && forgottenAt !== null
}

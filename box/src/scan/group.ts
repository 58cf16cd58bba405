/**
 * `POST /v1/scan/{scan_id}/group`: admits others of the order whose ticket a scan has just admitted. Each is a scan of its own, with an
 * entry, a reservation and a verdict, and is taken back by itself. The device is told none of their codes, and none of them enters
 * without a code that was shown for the order.
 */
import type { GroupRequest } from '@gatehouse/proto/wire/scan.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { passageFact } from '../cases/passage-fact.ts'
import { GatehouseError } from '../errors.ts'
import type { Ticket } from '../ledger/schema.ts'
import { companions, orderOf } from './order.ts'
import { type RedeemDeps, redeemShown } from './redeem.ts'
import { companionOf, type ShownScan } from './shown.ts'
import { conflict } from './supervise.ts'

/** For this long after the code was shown, the others stand beside it. */
export const GROUP_MS = 5 * 60_000

/**
 * Admits as many others as there are ids, by their position in the order: those that may enter at this checkpoint now.
 * @returns a verdict for each as JSON text, on disk before this resolves: the same text again for the same `scan_id`
 * @throws GatehouseError `not_found`; `not_allowed` for another device's scan; `conflict` for a scan that admitted nobody, and where it
 *   is too late; `scan_id_reused`; `ledger_unavailable`
 */
export async function admitGroup(
  scanId: string,
  { scan_ids, device_hlc, observed_at }: GroupRequest,
  device: ScanningDevice,
  deps: RedeemDeps,
): Promise<string[]> {
  const { leader, ticket, others } = readGroup(scanId, device, deps)
  const scanOf = (scan_id: string) => ({ ...leader.scan, scan_id, device_hlc, observed_at })
  // Ids that were answered before get their answers again; the others are for those who are not in yet.
  const answered = new Set(scan_ids.filter((id) => deps.scans.find(id)))
  const next = others.values()
  const group = scan_ids.flatMap((id) => {
    const ref = answered.has(id) ? ticket.ref : next.next().value?.ref
    return ref === undefined ? [] : [companionOf(scanOf(id), { ref, of: scanId }, leader)]
  })
  // Together: their rights are reserved at the same time, and they share a commit.
  return Promise.all(group.map((shown) => redeemShown(shown, deps)))
}

/** The scan whose code was shown, as it was made; and who may come in with it, by position. */
function readGroup(
  scanId: string,
  device: ScanningDevice,
  deps: RedeemDeps,
): { leader: ShownScan; ticket: Ticket; others: readonly Ticket[] } {
  const { ledger, scans, overrides, clock, event, tickets } = deps
  const stored = scans.find(scanId)
  const fact = stored && passageFact(ledger.db, { entry: stored.entry, scanId, kind: 'scan' })
  if (!fact)
    throw new GatehouseError('not_found', 'This box knows no such scan: scan the ticket again.', {
      reason: 'scan_unknown',
    })
  const { fields } = fact
  const checkpoint = event.checkpointById.get(fields.checkpoint)
  if (fields.device !== device.id || !checkpoint || !device.checkpoints.has(checkpoint.id)) {
    throw new GatehouseError('not_allowed', 'Another scanner read that ticket: scan one of the order here.', {
      reason: 'scan_of_other',
    })
  }
  const { verdict, offline_admitted: alone, with: companion } = fields
  if (verdict !== 'ADMIT' || alone || companion !== undefined || overrides.find(scanId, 'undo')) {
    throw conflict('That scan admitted no ticket of an order: scan one that may enter.', { reason: 'no_order' })
  }
  if (clock.wall() - Date.parse(fields.at) > GROUP_MS) {
    throw conflict('That scan is more than 5 minutes old: scan one of the order again.', {
      reason: 'scan_too_old',
      values: { minutes: 5 },
    })
  }
  const ticket = fields.ticket === null ? undefined : tickets.byRef(fields.ticket)
  const order = ticket && orderOf(ticket, deps)
  if (!ticket || !order) throw conflict('That ticket has no order: scan each ticket by itself.', { reason: 'no_order' })
  const scan = {
    scan_id: scanId,
    checkpoint: checkpoint.id,
    device_hlc: fields.device_hlc,
    observed_at: fields.observed_at,
    offline_admitted: false,
  }
  const leader = companionOf(scan, { ref: ticket.ref, of: scanId }, { device, checkpoint })
  return { leader, ticket, others: companions(order, leader, ticket, deps).may }
}

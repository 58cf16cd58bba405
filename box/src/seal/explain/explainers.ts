/** Every table that the journal explains. Not here: what only helps to be quick, and is never part of the record. */
import type { NoteKey } from '../note.ts'
import { explainAnnouncements } from './announcements.ts'
import { explainDevices, explainInvites } from './devices.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { explainFlags } from './flags.ts'
import { explainHolds, explainIncidents } from './incidents.ts'
import { explainMode } from './mode.ts'
import { explainMovements } from './movements.ts'
import { explainOverrides } from './overrides.ts'
import { explainScans } from './scans.ts'
import { explainShopCertificates } from './shop.ts'
import { explainTickets } from './tickets.ts'

/** By table. @param key the box's public key */
export function explainersOf(context: ExplainContext, key: NoteKey): Record<string, Explainer> {
  return {
    scans: explainScans(context),
    movements: explainMovements(context),
    overrides: explainOverrides(context),
    flags: explainFlags(context),
    incidents: explainIncidents(context),
    holds: explainHolds(context),
    devices: explainDevices(context),
    invites: explainInvites(context),
    shop_certificates: explainShopCertificates(context),
    tickets: explainTickets(context),
    announcements: explainAnnouncements(context, key),
    mode: explainMode(context),
  }
}

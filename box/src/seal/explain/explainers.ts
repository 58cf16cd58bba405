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
import { explainTickets } from './tickets.ts'

/** @param key the box's public key */
export function explainersOf(context: ExplainContext, key: NoteKey): Explainer[] {
  return [
    explainScans(context),
    explainMovements(context),
    explainOverrides(context),
    explainFlags(context),
    explainIncidents(context),
    explainHolds(context),
    explainDevices(context),
    explainInvites(context),
    explainTickets(context),
    explainAnnouncements(context, key),
    explainMode(context),
  ]
}

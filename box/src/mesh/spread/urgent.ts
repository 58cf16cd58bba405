/** What must not wait behind anything: a life may hang on it. */

import type { Db } from '../../db.ts'
import { eq } from '../../drizzle/core.ts'
import type { IncidentActionEntry, IncidentEntry } from '../../incidents/entry.ts'
import { isEmergency } from '../../incidents/incident.ts'
import type { Entry } from '../../ledger/ledger.ts'
import { incidents } from '../../ledger/schema.ts'

/** Emergencies, what is done about them, and emergency announcements. */
export function isUrgent({ kind, fields }: Entry, { drizzle }: Pick<Db, 'drizzle'>): boolean {
  switch (kind) {
    case 'incident':
      return isEmergency((fields as IncidentEntry).incident_kind)
    case 'incident_action': {
      const { incident } = fields as IncidentActionEntry
      const row = drizzle.select({ kind: incidents.kind }).from(incidents).where(eq(incidents.id, incident)).get()
      return row !== undefined && isEmergency(row.kind)
    }
    case 'announcement':
      return (fields as { severity?: string }).severity === 'emergency'
    default:
      return false
  }
}

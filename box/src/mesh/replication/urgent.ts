/** Entries that are urgent and must not wait behind anything: lives may depend on them. */
import { eq } from '../../drizzle/core.ts'
import { isEmergency } from '../../incidents/incident.ts'
import type { Db } from '../../ledger/db.ts'
import type { Entry } from '../../ledger/entries.ts'
import { incidents } from '../../ledger/schema.ts'

/** Emergencies, what is done about them, and announcements: the API promises that these are relayed at priority, whatever their severity. */
export function isUrgent({ kind, fields }: Entry, { drizzle }: Pick<Db, 'drizzle'>): boolean {
  switch (kind) {
    case 'incident':
      return isEmergency(fields.incident_kind)
    case 'incident_action':
    case 'incident_note': {
      const { incident } = fields
      const row = drizzle.select({ kind: incidents.kind }).from(incidents).where(eq(incidents.id, incident)).get()
      return row !== undefined && isEmergency(row.kind)
    }
    case 'announcement':
      return true
    default:
      return false
  }
}

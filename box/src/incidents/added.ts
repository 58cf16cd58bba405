/** Later acts of the scanner that reported an incident: it adds a note, or withdraws the report. */
import type { AddedNote, Incident } from '@gatehouse/proto/wire/incidents.ts'
import { type By, signedOn } from '../ca/actor.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { noteHash, SALT_BYTES } from '../ledger/note-hash.ts'
import { type IncidentRow, incidentNotes, incidents } from '../ledger/schema.ts'
import { findIncident } from './board.ts'
import { isActive, WITHDRAWN } from './incident.ts'
import { act, type IncidentDeps } from './incidents.ts'

/** More is a conversation, which belongs on the radio. */
const MOST_NOTES = 20

/**
 * Adds a note to a report. The same note again adds nothing.
 * @throws GatehouseError `not_found`; `not_allowed` for a report of another device; `conflict` where the incident is over, for an
 *   id of another note, and beyond the most notes
 */
export async function addNote(
  id: string,
  { note_id, note }: AddedNote,
  device: ScanningDevice,
  deps: IncidentDeps,
): Promise<Incident> {
  const salt = deps.random(SALT_BYTES)
  const { drizzle } = deps.ledger.db
  return deps.ledger.commit(() => {
    const { state } = own(id, device, deps)
    const notes = drizzle.select().from(incidentNotes).where(eq(incidentNotes.incident, id)).all()
    if (notes.some((one) => one.id === note_id && one.note === note)) return current(id, deps)
    if (drizzle.select().from(incidentNotes).where(eq(incidentNotes.id, note_id)).get()) {
      throw new GatehouseError('conflict', 'This note id was used for another note: send it again.')
    }
    if (!isActive(state))
      throw new GatehouseError('conflict', 'This report is closed: report it again.', { reason: 'report_closed' })
    if (notes.length >= MOST_NOTES) {
      throw new GatehouseError('conflict', 'This report has all the notes it can take: use the radio.', {
        reason: 'report_full',
      })
    }
    const at = deps.now()
    const { index: entry, hlc } = deps.ledger.append('incident_note', {
      at: new Date(at).toISOString(),
      device: device.id,
      ...signedOn(device),
      incident: id,
      note: note_id,
      note_hash: noteHash(note, salt),
    })
    const row = { id: note_id, incident: id, note, noteSalt: salt, device: device.id, at, hlc, entry }
    drizzle.insert(incidentNotes).values(row).run()
    return current(id, deps)
  })
}

/**
 * Closes a report as a false alarm, in the name of the scanner. One that is over stays as it is.
 * @throws GatehouseError `not_found`; `not_allowed` for a report of another device
 */
export async function withdraw(
  id: string,
  device: ScanningDevice & { name: string },
  address: By['address'],
  deps: IncidentDeps,
): Promise<Incident> {
  const { state } = own(id, device, deps)
  if (!isActive(state)) return current(id, deps)
  return act(
    id,
    { action: 'cancel', actor: device.by?.name ?? device.name, address, ...signedOn(device), reason: WITHDRAWN },
    deps,
  )
}

function own(id: string, device: ScanningDevice, { ledger }: IncidentDeps): IncidentRow {
  const row = ledger.db.drizzle.select().from(incidents).where(eq(incidents.id, id)).get()
  if (!row)
    throw new GatehouseError('not_found', 'This box does not have that report yet: try again in a moment.', {
      reason: 'report_missing',
    })
  if (row.reportedBy === device.id) return row
  throw new GatehouseError('not_allowed', 'Another scanner reported this: only that one can change it.', {
    reason: 'report_of_other',
  })
}

function current(id: string, deps: IncidentDeps): Incident {
  const incident = findIncident(id, deps)
  if (!incident) throw new Error('an incident that was just read is not there')
  return incident
}

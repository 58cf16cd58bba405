/**
 * Incidents of other boxes: the report as it first came in, and the union of what was done about it, in the order of the clocks.
 * Two who act on one incident at once, at two boxes, have both acted; the state is what follows from all of it in order.
 */
import { asc, eq } from '../../../drizzle/core.ts'
import type { IncidentActionEntry } from '../../../incidents/entry.ts'
import { next } from '../../../incidents/incident.ts'
import { type IncidentState, incidentActions, incidents } from '../../../ledger/schema.ts'
import { namesForgotten } from '../../../tickets/forget.ts'
import type { PeerEntry } from '../envelope.ts'
import type { IncidentReportRow } from '../rows.ts'
import type { Hearing } from './hearing.ts'

type Action = typeof incidentActions.$inferSelect

export function hearIncident({ rows }: PeerEntry, hearing: Hearing): void {
  if (rows.incident) hearReport(rows.incident, hearing)
}

export function hearIncidentAction({ fields, hlc, rows }: PeerEntry, hearing: Hearing): void {
  if (rows.incident) hearReport(rows.incident, hearing)
  const { drizzle } = hearing.ledger.db
  const { incident, action, actor, assignee, reason, at } = fields as IncidentActionEntry
  const before = actionsOf(incident, hearing.ledger)
  const heard = { incident, action, actor, assignee, reason, at: Date.parse(at), hlc, version: 0, entry: hearing.heard }
  if (before.some((one) => placeOf(one) === placeOf(heard))) return
  const actions = [...before, heard].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  // The report is the first version.
  for (const [i, one] of actions.entries()) {
    const version = i + 2
    if (one.version === version) continue
    const row = { ...one, version, entry: hearing.heard }
    drizzle
      .insert(incidentActions)
      .values(row)
      .onConflictDoUpdate({ target: [incidentActions.incident, incidentActions.version], set: row })
      .run()
  }
  stand(incident, actions, hearing)
}

/** Two boxes that were sent one report, because the first did not answer: the one that had it first stands. */
function hearReport(row: IncidentReportRow, { ledger, heard: entry }: Hearing): void {
  const { drizzle } = ledger.db
  const there = drizzle.select().from(incidents).where(eq(incidents.id, row.id)).get()
  if (there && placeOfReport(there) <= placeOfReport(row)) return
  const { digest, note, noteSalt, ...report } = row
  // Once forgotten, a note does not come back: another box may not have heard of it yet.
  const kept = note === null || noteSalt === null || namesForgotten(ledger.db) ? null : { note, noteSalt }
  const noted = { note: kept?.note ?? null, noteSalt: kept && Buffer.from(kept.noteSalt, 'base64') }
  const set = { ...report, ...noted, digest: Buffer.from(digest, 'base64'), entry }
  drizzle
    .insert(incidents)
    .values({ ...set, state: 'open', version: 1 })
    .onConflictDoUpdate({ target: incidents.id, set })
    .run()
  const actions = actionsOf(row.id, ledger)
  if (actions.length > 0) stand(row.id, actions, { ledger, heard: entry })
}

function actionsOf(incident: string, { db }: Hearing['ledger']): Action[] {
  const rows = db.drizzle.select().from(incidentActions).where(eq(incidentActions.incident, incident))
  return rows.orderBy(asc(incidentActions.version)).all()
}

function stand(
  incident: string,
  actions: readonly Action[],
  { ledger, heard: entry }: Pick<Hearing, 'ledger' | 'heard'>,
): void {
  // Who was too late has acted on what was over: it is on the record, and changes nothing.
  const state = actions.reduce<IncidentState>((before, { action }) => next(before, action) ?? before, 'open')
  const assignee = actions.findLast(({ action }) => action === 'assign')?.assignee ?? null
  const version = actions.length + 1
  ledger.db.drizzle.update(incidents).set({ state, assignee, version, entry }).where(eq(incidents.id, incident)).run()
}

function placeOf({ hlc, action, actor, assignee, reason }: Action): string {
  return JSON.stringify([hlc, action, actor, assignee, reason])
}

function placeOfReport({ hlc, gate, checkpoint }: Pick<IncidentReportRow, 'hlc' | 'gate' | 'checkpoint'>): string {
  return JSON.stringify([hlc, gate, checkpoint])
}

/**
 * Applies incidents of other boxes: the report as it first came in, and the union of the actions on it, in the order of the
 * clocks. Where two people act on one incident at two boxes, both have acted, and the state follows from all actions in order.
 */
import { and, asc, eq } from '../../../drizzle/core.ts'
import { next } from '../../../incidents/incident.ts'
import { type IncidentState, incidentActions, incidents } from '../../../ledger/schema.ts'
import { namesErased } from '../../../tickets/erasure.ts'
import type { PeerEntry } from '../envelope.ts'
import type { IncidentReportRow } from '../rows.ts'
import type { ApplyContext } from './context.ts'

type Action = typeof incidentActions.$inferSelect

export function applyIncident({ fields, hlc, rows }: PeerEntry<'incident'>, context: ApplyContext): void {
  if (!rows.incident) return
  applyReport(rows.incident, context)
  // The row does not have the traffic, and an action may have brought the row first.
  const { scans = null, refusals = null, idle_seconds: idleSeconds = null } = fields
  context.ledger.db.drizzle
    .update(incidents)
    .set({ scans, refusals, idleSeconds })
    .where(and(eq(incidents.id, fields.incident), eq(incidents.hlc, hlc)))
    .run()
}

export function applyIncidentAction({ fields, hlc, rows }: PeerEntry<'incident_action'>, context: ApplyContext): void {
  if (rows.incident) applyReport(rows.incident, context)
  const { drizzle } = context.ledger.db
  const { incident, action, actor, assignee, reason, at } = fields
  const before = actionsOf(incident, context.ledger)
  const added = {
    incident,
    action,
    actor,
    assignee,
    reason,
    at: Date.parse(at),
    hlc,
    version: 0,
    entry: context.recordedBy,
  }
  if (before.some((one) => placeOf(one) === placeOf(added))) return
  const actions = [...before, added].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  // The report is the first version.
  for (const [i, one] of actions.entries()) {
    const version = i + 2
    if (one.version === version) continue
    const row = { ...one, version, entry: context.recordedBy }
    drizzle
      .insert(incidentActions)
      .values(row)
      .onConflictDoUpdate({ target: [incidentActions.incident, incidentActions.version], set: row })
      .run()
  }
  updateIncident(incident, actions, context)
}

/** A scanner whose box does not answer sends its report to another one: the report that was recorded first counts. */
function applyReport(row: IncidentReportRow, { ledger, recordedBy: entry }: ApplyContext): void {
  const { drizzle } = ledger.db
  const there = drizzle.select().from(incidents).where(eq(incidents.id, row.id)).get()
  if (there && placeOfReport(there) <= placeOfReport(row)) return
  const { digest, note, noteSalt, ...report } = row
  // After an erasure no note comes back: another box may not have replicated the erasure yet.
  const kept = note === null || noteSalt === null || namesErased(ledger.db) ? null : { note, noteSalt }
  const noted = { note: kept?.note ?? null, noteSalt: kept && Buffer.from(kept.noteSalt, 'base64') }
  const traffic = { scans: null, refusals: null, idleSeconds: null }
  const set = { ...report, ...noted, ...traffic, digest: Buffer.from(digest, 'base64'), entry }
  drizzle
    .insert(incidents)
    .values({ ...set, state: 'open', version: 1 })
    .onConflictDoUpdate({ target: incidents.id, set })
    .run()
  const actions = actionsOf(row.id, ledger)
  if (actions.length > 0) updateIncident(row.id, actions, { ledger, recordedBy: entry })
}

function actionsOf(incident: string, { db }: ApplyContext['ledger']): Action[] {
  const rows = db.drizzle.select().from(incidentActions).where(eq(incidentActions.incident, incident))
  return rows.orderBy(asc(incidentActions.version)).all()
}

function updateIncident(
  incident: string,
  actions: readonly Action[],
  { ledger, recordedBy: entry }: Pick<ApplyContext, 'ledger' | 'recordedBy'>,
): void {
  // An action on an incident that is over stays on the record, and changes nothing.
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

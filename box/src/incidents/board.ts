/** The current state of incidents: for the control room's board, for gates, and for streams. */

import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { iso } from '../clock/iso.ts'
import { asc, desc, eq, inArray, or } from '../drizzle/core.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  devices,
  type IncidentRow,
  type IncidentState,
  incidentActions,
  incidentNotes,
  incidents,
} from '../ledger/schema.ts'
import { isActive, isEmergency, WITHDRAWN } from './incident.ts'

/** The most incidents that a phone shows; open ones come first. */
const MOST_FOR_A_GATE = 200
/** The most incidents on the board. The statistics count the rest, and the log has them. */
const MOST_ON_THE_BOARD = 1000

export interface BoardDeps {
  event: Event
  ledger: Ledger
}

const STATES: readonly IncidentState[] = ['open', 'acknowledged', 'assigned', 'resolved', 'cancelled']
const ACTIVE_STATES = STATES.filter(isActive)

/** Unacknowledged incidents first, emergencies before the rest, then the latest. @param states only these */
export function board(deps: BoardDeps, states: readonly IncidentState[] = STATES): Incident[] {
  const rows = newestFirst(deps).where(inArray(incidents.state, states)).all()
  rows.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state) || urgency(b) - urgency(a))
  return wireOf(rows.slice(0, MOST_ON_THE_BOARD), deps)
}

/** The incidents of these gates, and every active emergency anywhere. */
export function incidentsOf(gates: readonly string[], deps: BoardDeps): Incident[] {
  const rows = newestFirst(deps)
    .where(or(inArray(incidents.gate, gates), inArray(incidents.state, ACTIVE_STATES)))
    .all()
    .filter(({ gate, kind }) => gates.includes(gate) || isEmergency(kind))
  const active = ({ state }: IncidentRow) => Number(isActive(state))
  rows.sort((a, b) => active(b) - active(a) || urgency(b) - urgency(a))
  return wireOf(rows.slice(0, MOST_FOR_A_GATE), deps)
}

/** Every active emergency anywhere. */
export function activeEmergencies(deps: BoardDeps): Incident[] {
  return incidentsOf([], deps)
}

export function findIncident(id: string, deps: BoardDeps): Incident | undefined {
  return wireOf(newestFirst(deps).where(eq(incidents.id, id)).all(), deps)[0]
}

function newestFirst({ ledger }: BoardDeps) {
  return ledger.db.drizzle.select().from(incidents).orderBy(desc(incidents.hlc)).$dynamic()
}

function urgency({ kind }: IncidentRow): number {
  return Number(isEmergency(kind))
}

function wireOf(rows: readonly IncidentRow[], { event, ledger }: BoardDeps): Incident[] {
  const { drizzle } = ledger.db
  const ids = rows.map(({ id }) => id)
  const taken = drizzle
    .select()
    .from(incidentActions)
    .where(inArray(incidentActions.incident, ids))
    .orderBy(asc(incidentActions.version))
    .all()
  const actions = Map.groupBy(taken, ({ incident }) => incident)
  const noted = drizzle
    .select()
    .from(incidentNotes)
    .where(inArray(incidentNotes.incident, ids))
    .orderBy(asc(incidentNotes.hlc))
    .all()
  const notes = Map.groupBy(noted, ({ incident }) => incident)
  const reporters = [...new Set(rows.map(({ reportedBy }) => reportedBy))]
  const named = drizzle.select().from(devices).where(inArray(devices.id, reporters)).all()
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    incident_id: row.id,
    kind: row.kind,
    state: row.state,
    emergency: isEmergency(row.kind),
    checkpoint: row.checkpoint,
    gate: row.gate,
    gate_name: event.gateById.get(row.gate)?.name ?? row.gate,
    zone: row.zone,
    queue_rate_per_min: row.queueRatePerMin,
    queue: row.queue,
    scans: row.scans,
    refusals: row.refusals,
    idle_seconds: row.idleSeconds,
    occupancy: row.occupancy,
    note: row.note,
    ...(notes.has(row.id) && { notes: (notes.get(row.id) ?? []).map(({ note, at }) => ({ note, at: iso(at) })) }),
    reported_by: row.reportedBy,
    reported_by_name: names.get(row.reportedBy) ?? null,
    observed_at: iso(row.observedAt),
    reported_at: iso(row.reportedAt),
    hlc: row.hlc,
    version: row.version,
    ...(row.assignee !== null && { assignee: row.assignee }),
    actions: (actions.get(row.id) ?? []).map(({ action, actor, assignee, reason, at, hlc }) => ({
      action,
      actor,
      at: iso(at),
      hlc,
      ...(assignee !== null && { assignee }),
      ...(reason !== null && { reason }),
      ...(reason === WITHDRAWN && { reason_coded: { code: 'withdrawn' } }),
    })),
  }))
}

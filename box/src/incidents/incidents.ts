/** The shell around `incident.ts`: records a gate's report, and what the control room does about it. */
import { createHash } from 'node:crypto'
import type { Incident, IncidentActionRequest, IncidentReport } from '@gatehouse/proto/wire/incidents.ts'
import { type By, signedOn, whoOf } from '../ca/actor.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Checkpoint, Event } from '../event/event.ts'
import type { Lanes } from '../gates/lanes.ts'
import type { NewEntry } from '../ledger/entries.ts'
import { noteHash, SALT_BYTES } from '../ledger/note-hash.ts'
import { type IncidentRow, incidentActions, incidents } from '../ledger/schema.ts'
import { type BoardDeps, findIncident } from './board.ts'
import { next } from './incident.ts'

export interface IncidentDeps extends BoardDeps {
  lanes: Pick<Lanes, 'queue' | 'traffic'>
  /** People admitted a minute at a gate, over the last five minutes, those before a restart included. */
  rateOf: (gate: string) => number
  /** People in a zone now; null where that is unknown. */
  occupancyOf: (zone: string) => number | null
  /** Unix ms. */
  now: () => number
  random: (bytes: number) => Buffer
}

/**
 * Records what a device reports, with what the box knows of that gate.
 * @returns the incident in its current state; `isNew` is false when this report had come in before
 * @throws GatehouseError `not_found`, `not_allowed` for the checkpoint; `conflict` for an id of another report
 */
export async function report(
  report: IncidentReport,
  device: ScanningDevice,
  deps: IncidentDeps,
): Promise<{ incident: Incident; isNew: boolean }> {
  const checkpoint = checkpointOf(report.checkpoint, device, deps.event)
  const salt = report.note ? deps.random(SALT_BYTES) : null
  return deps.ledger.commit(() => {
    const earlier = find(report.incident_id, deps)
    if (earlier && !isSameReport(report, device, earlier)) {
      throw new GatehouseError('conflict', 'This incident id was used for another report: report it again.', {
        reason: 'report_id_used',
      })
    }
    if (!earlier) write(report, { device, checkpoint, salt }, deps)
    return { incident: currentIncident(report.incident_id, deps), isNew: !earlier }
  })
}

/** @throws GatehouseError `not_found`, or `not_allowed` where the device was not invited to it */
export function checkpointOf(id: string, device: ScanningDevice, event: Event): Checkpoint {
  const checkpoint = event.checkpointById.get(id)
  if (!checkpoint) {
    throw new GatehouseError('not_found', 'This box knows no such checkpoint: choose one of this device.', {
      reason: 'checkpoint_unknown',
    })
  }
  if (!device.checkpoints.has(checkpoint.id)) {
    throw new GatehouseError('not_allowed', 'This scanner was not invited to that checkpoint: choose one of its own.', {
      reason: 'checkpoint_of_other',
    })
  }
  return checkpoint
}

function write(
  report: IncidentReport,
  from: { device: ScanningDevice; checkpoint: Checkpoint; salt: Buffer | null },
  deps: IncidentDeps,
): void {
  const { device, checkpoint, salt } = from
  const zone = checkpoint.direction === 'in' ? checkpoint.to : checkpoint.from
  const note = report.note || null
  const reportedAt = deps.now()
  const occupancy = zone === null ? null : deps.occupancyOf(zone)
  const { rate, queue, scans, refusals, idleSeconds } = gateNow(checkpoint.gate, deps)
  const fields: NewEntry<'incident'> = {
    at: new Date(reportedAt).toISOString(),
    checkpoint: checkpoint.id,
    device: device.id,
    ...signedOn(device),
    incident: report.incident_id,
    incident_kind: report.kind,
    note_hash: note === null || salt === null ? null : noteHash(note, salt),
    observed_at: report.observed_at,
    gate: checkpoint.gate,
    zone,
    occupancy,
    queue,
    queue_rate_per_min: rate,
    scans,
    refusals,
    idle_seconds: idleSeconds,
  }
  const { index: entry, hlc } = deps.ledger.append('incident', fields)
  deps.ledger.db.drizzle
    .insert(incidents)
    .values({
      id: report.incident_id,
      digest: digestOf(report, device, salt),
      kind: report.kind,
      state: 'open',
      checkpoint: checkpoint.id,
      gate: checkpoint.gate,
      zone,
      queueRatePerMin: rate,
      queue,
      scans,
      refusals,
      idleSeconds,
      occupancy,
      note,
      noteSalt: salt,
      reportedBy: device.id,
      observedAt: Date.parse(report.observed_at),
      reportedAt,
      hlc,
      version: 1,
      entry,
    })
    .run()
}

/** The load of a gate, over all its checkpoints. */
function gateNow(gate: string, { event, lanes, rateOf }: IncidentDeps) {
  const own = event.checkpoints.filter((checkpoint) => checkpoint.gate === gate)
  const traffic = lanes.traffic(own.map(({ id }) => id))
  const queues = own.flatMap(({ id }) => lanes.queue(id) ?? [])
  const queue = queues.length === 0 ? null : queues.reduce((sum, people) => sum + people, 0)
  return { rate: rateOf(gate), queue, ...traffic }
}

/** True if a report with the id of an earlier one is that report again: its device may read the clock anew for each try. */
function isSameReport(
  { kind, checkpoint, note }: IncidentReport,
  device: ScanningDevice,
  earlier: IncidentRow,
): boolean {
  const isFromThere = earlier.reportedBy === device.id && earlier.checkpoint === checkpoint
  return isFromThere && earlier.kind === kind && earlier.note === (note || null)
}

/**
 * The digest by which boxes of version 0.1, which replicate it, recognise a report. The note goes into it as a salted hash: once note and salt are
 * erased, nobody can find out what was written by trying.
 */
function digestOf(report: IncidentReport, device: ScanningDevice, salt: Buffer | null): Buffer {
  const note = report.note && salt ? noteHash(report.note, salt) : report.note || null
  const same = JSON.stringify([device.id, report.kind, report.checkpoint, report.observed_at, note])
  return createHash('sha256').update(same).digest()
}

/**
 * Acts on an incident.
 * @throws GatehouseError `bad_request`, `not_found`; `conflict` for a step back, or when somebody else was quicker
 */
export async function act(id: string, request: IncidentActionRequest & By, deps: IncidentDeps): Promise<Incident> {
  const { action, actor, assignee, reason, version } = request
  requireWords('actor', actor)
  if (action === 'cancel') requireWords('reason', reason)
  if (action === 'assign') requireWords('assignee', assignee)
  else if (assignee !== undefined) {
    throw new GatehouseError('bad_request', 'The field "assignee" belongs to the action "assign": leave it out.')
  }
  const { ledger } = deps
  return ledger.commit(() => {
    const row = find(id, deps)
    if (!row)
      throw new GatehouseError('not_found', 'There is no such incident: look at the board again.', {
        reason: 'incident_unknown',
      })
    if (version !== undefined && version !== row.version) {
      throw new GatehouseError('conflict', `This incident is ${row.state} by now: look at it again before you act.`, {
        reason: 'incident_moved',
      })
    }
    const to = next(row.state, action)
    if (!to)
      throw new GatehouseError('conflict', `This incident is ${row.state} already: look at the board again.`, {
        reason: 'incident_moved',
      })
    const at = deps.now()
    const step = {
      action,
      actor,
      assignee: assignee ?? null,
      reason: reason ?? null,
      version: row.version + 1,
    }
    const fields: NewEntry<'incident_action'> = {
      ...whoOf(request),
      ...step,
      at: new Date(at).toISOString(),
      from: row.state,
      incident: id,
      to,
    }
    const { index: entry, hlc } = ledger.append('incident_action', fields)
    const { drizzle } = ledger.db
    drizzle
      .insert(incidentActions)
      .values({ ...step, incident: id, at, hlc, entry })
      .run()
    drizzle
      .update(incidents)
      .set({ state: to, version: step.version, assignee: assignee ?? row.assignee, entry })
      .where(eq(incidents.id, id))
      .run()
    return currentIncident(id, deps)
  })
}

function requireWords(field: string, text: string | undefined): void {
  if (text?.trim()) return
  throw new GatehouseError('bad_request', `The field "${field}" is missing: say it, and send the request again.`)
}

function find(id: string, { ledger }: IncidentDeps): IncidentRow | undefined {
  return ledger.db.drizzle.select().from(incidents).where(eq(incidents.id, id)).get()
}

function currentIncident(id: string, deps: IncidentDeps): Incident {
  const incident = findIncident(id, deps)
  if (!incident) throw new Error('an incident that was just written is not there')
  return incident
}

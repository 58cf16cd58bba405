/** The rows of the attendance report about cases: flags, overrides, incidents and holds. */

import { isoOfReading } from '../../clock/iso.ts'
import { type Flag, Flags } from '../cases/flags.ts'
import { type Hold, Holds } from '../cases/holds.ts'
import { actionsInOrder, earliestReport, type Incident, Incidents, stepsOf } from '../cases/incidents.ts'
import type { Fact } from '../fact.ts'
import type { FlagRow, HoldRow, IncidentRow, OverrideRow, Report } from './shape.ts'

export class CaseRows {
  readonly #flags = new Flags('')
  readonly #incidents = new Incidents()
  readonly #holds = new Holds()
  readonly #overrides: OverrideRow[] = []

  /** @throws TypeError for an entry that somebody has changed */
  add(fact: Fact): void {
    this.#flags.add(fact)
    this.#incidents.add(fact)
    this.#holds.add(fact)
    if (fact.kind !== 'supervisor_admit' && fact.kind !== 'undo') return
    const { actor, reason, device, checkpoint, ticket, scan_id } = fact.fields
    this.#overrides.push({
      kind: fact.kind,
      at: isoOfReading(fact.hlc),
      actor,
      reason,
      device,
      checkpoint,
      ticket,
      scan_id,
    })
  }

  /** A case is listed once its own entry is known: what another box did about it may have been replicated before. */
  list(): Pick<Report, 'flags' | 'overrides' | 'incidents' | 'holds'> {
    return {
      overrides: [...this.#overrides],
      flags: [...this.#flags.byId].flatMap(([id, flag]) => flagRow(id, flag)),
      incidents: [...this.#incidents.byId].flatMap(([id, incident]) => incidentRow(id, incident)),
      holds: [...this.#holds.byId].flatMap(([id, hold]) => holdRow(id, hold)),
    }
  }
}

function flagRow(flag: string, { opened, scans, resolutions, resolved }: Flag): FlagRow[] {
  if (!opened) return []
  const { flag_kind: kind, ticket, device } = opened.fields
  return [
    {
      flag,
      kind,
      opened_at: isoOfReading(opened.hlc),
      ...(ticket !== null && { ticket }),
      ...(device !== null && { device }),
      resolutions: resolutions.map(({ fact: { hlc, fields } }) => {
        return { resolution: fields.resolution, actor: fields.actor, at: isoOfReading(hlc) }
      }),
      scans,
      state: resolved ? 'resolved' : 'open',
    },
  ]
}

function incidentRow(id: string, incident: Incident): IncidentRow[] {
  const report = earliestReport(incident)
  if (!report) return []
  const { incident_kind: kind, checkpoint, gate, zone, device, at: reported_at } = report.fields
  const { state, steps } = stepsOf(incident)
  const taken = steps.map(({ fields }) => fields)
  // Assigning and resolving count as taking it on; cancelling does not.
  const acknowledged = taken.find(({ action }) => action !== 'cancel')
  const resolved = taken.find(({ action }) => action === 'resolve')
  return [
    {
      incident: id,
      kind,
      state,
      checkpoint,
      gate,
      ...(zone !== null && { zone }),
      device,
      reported_at,
      ...(acknowledged && { acknowledged_after: secondsBetween(reported_at, acknowledged.at) }),
      ...(resolved && { resolved_after: secondsBetween(reported_at, resolved.at) }),
      actions: actionsInOrder(incident).map(({ fields: { action, actor, assignee, reason, at } }) => {
        return { action, actor, ...(assignee !== null && { assignee }), ...(reason !== null && { reason }), at }
      }),
    },
  ]
}

function holdRow(hold: string, { placed, ends }: Hold): HoldRow[] {
  if (!placed) return []
  const { gate, actor, reason, at, expires_at } = placed.fields
  // The earliest end, and of two at the same time the one that was known first.
  const [end] = ends.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return [
    {
      hold,
      gate,
      actor,
      reason,
      placed_at: at,
      ...(expires_at !== null && { expires_at }),
      ...(end && { released_at: end.at, released_by: end.by }),
      ...(end?.replacedBy !== undefined && { replaced_by: end.replacedBy }),
    },
  ]
}

/** Whole seconds; 0 if a clock was put back in between. */
function secondsBetween(from: string, until: string): number {
  return Math.max(0, Math.floor((Date.parse(until) - Date.parse(from)) / 1000))
}

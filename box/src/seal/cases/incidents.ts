/** Folds everything that boxes say of an incident into one case, in whatever order their entries come. */
import { next } from '../../incidents/incident.ts'
import type { IncidentState } from '../../ledger/schema.ts'
import type { Fact, FactOf } from '../fact.ts'

export interface Incident {
  readonly reports: FactOf<'incident'>[]
  /** Also those that came too late to change anything. */
  readonly actions: FactOf<'incident_action'>[]
}

export class Incidents {
  /** By id, in the order in which they were reported; at first those of which only an action of another box is known. */
  readonly byId = new Map<string, Incident>()

  add(fact: Fact): void {
    if (fact.kind === 'incident') {
      const id = fact.fields.incident
      const incident = this.byId.get(id) ?? { reports: [], actions: [] }
      if (incident.reports.length === 0) this.byId.delete(id)
      incident.reports.push(fact)
      this.byId.set(id, incident)
    } else if (fact.kind === 'incident_action') {
      const incident = this.byId.get(fact.fields.incident) ?? { reports: [], actions: [] }
      incident.actions.push(fact)
      this.byId.set(fact.fields.incident, incident)
    }
  }
}

/** A scanner whose first box did not answer sends its report to another one, too: the earlier report counts. */
export function earliestReport({ reports }: Incident): FactOf<'incident'> | undefined {
  return reports.toSorted(({ fields: a }, { fields: b }) => (a.hlc < b.hlc ? -1 : a.hlc > b.hlc ? 1 : 0))[0]
}

/** By clock; at equal readings of two boxes by what was done, so that the order is the same everywhere. */
export function actionsInOrder({ actions }: Incident): FactOf<'incident_action'>[] {
  const placeOf = ({ fields: { hlc, action, actor, assignee, reason } }: FactOf<'incident_action'>) =>
    JSON.stringify([hlc, action, actor, assignee, reason])
  return actions.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** The actions that changed the state. Of two control rooms without connection, the second may act on what is over. */
export function stepsOf(incident: Incident): { state: IncidentState; steps: FactOf<'incident_action'>[] } {
  const steps: FactOf<'incident_action'>[] = []
  let state: IncidentState = 'open'
  for (const action of actionsInOrder(incident)) {
    const after = next(state, action.fields.action)
    if (!after) continue
    state = after
    steps.push(action)
  }
  return { state, steps }
}

/** The states of an incident and the actions that change them. Pure; the table in `incident.test.ts` is complete. */
import type { INCIDENT_ACTIONS } from '@gatehouse/proto/wire/incidents.ts'
import type { IncidentKind, IncidentState } from '../ledger/schema.ts'

export type IncidentAction = (typeof INCIDENT_ACTIONS)[number]

/** The progress of an incident; `resolved` and `cancelled` are final. */
const STEP: Record<IncidentState, number> = { open: 0, acknowledged: 1, assigned: 2, resolved: 3, cancelled: 3 }

const RESULT: Record<IncidentAction, IncidentState> = {
  acknowledge: 'acknowledged',
  assign: 'assigned',
  resolve: 'resolved',
  cancel: 'cancelled',
}

/**
 * The state after an action; undefined where the action is not allowed. Steps may be skipped, and never taken back: a
 * second "acknowledge" comes from somebody who has not seen the first. Only `assign` may be repeated, because another
 * person may have to go.
 */
export function next(state: IncidentState, action: IncidentAction): IncidentState | undefined {
  const result = RESULT[action]
  if (action === 'assign' && state === 'assigned') return result
  return STEP[result] > STEP[state] ? result : undefined
}

/** True if the incident still needs action. */
export function isActive(state: IncidentState): boolean {
  return STEP[state] < STEP.resolved
}

/** A life may hang on it: it reaches every gate, and goes before everything else. */
export function isEmergency(kind: IncidentKind): boolean {
  return kind === 'crush' || kind === 'medical' || kind === 'fire'
}

/** The reason of a report that its own scanner has closed. On disk, and so found again by its text. */
export const WITHDRAWN = 'Withdrawn at the gate'

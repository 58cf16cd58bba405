/** What can become of an incident. Pure; the table in `incident.test.ts` is complete. */
import type { IncidentKind, IncidentState } from '../ledger/schema.ts'

export type IncidentAction = 'acknowledge' | 'assign' | 'resolve' | 'cancel'

/** How far along; `resolved` and `cancelled` are the end, whatever else was done before. */
const STEP: Record<IncidentState, number> = { open: 0, acknowledged: 1, assigned: 2, resolved: 3, cancelled: 3 }

const RESULT: Record<IncidentAction, IncidentState> = {
  acknowledge: 'acknowledged',
  assign: 'assigned',
  resolve: 'resolved',
  cancel: 'cancelled',
}

/**
 * The state after an action; undefined where it may not be taken. Steps may be skipped, never gone back: a second
 * "acknowledge" is somebody who has not seen the first. Only `assign` may be repeated, because another person may have to go.
 */
export function next(state: IncidentState, action: IncidentAction): IncidentState | undefined {
  const result = RESULT[action]
  if (action === 'assign' && state === 'assigned') return result
  return STEP[result] > STEP[state] ? result : undefined
}

/** Somebody still has to do something. */
export function isStanding(state: IncidentState): boolean {
  return STEP[state] < STEP.resolved
}

/** A life may hang on it: it reaches every gate, and goes before everything else. */
export function isEmergency(kind: IncidentKind): boolean {
  return kind === 'crush' || kind === 'medical' || kind === 'fire'
}

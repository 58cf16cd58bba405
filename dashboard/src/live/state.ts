/** The state of the control room, and its change by each event. Pure; `live.ts` holds the one that is shown. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { LiveEvent } from './event.ts'
import { type History, remember } from './trend.ts'

/** As many as the box's own board holds. */
const MOST_INCIDENTS = 1000

export interface LiveState {
  stats: Stats | null
  incidents: ReadonlyMap<string, Incident>
  /** People by zone over the last minutes. */
  history: History
}

export const NOTHING: LiveState = { stats: null, incidents: new Map(), history: new Map() }

/** @param now unix ms by the clock of this browser, for the history alone */
export function next(state: LiveState, event: LiveEvent, now: number): LiveState {
  if (event.kind === 'incident') return { ...state, incidents: withIncidents(state.incidents, [event.incident]) }
  const { stats } = event
  // A box with another event's data under the same address: nothing of the old one may stay on the wall.
  const before = state.stats !== null && state.stats.event !== stats.event ? NOTHING : state
  // An answer that was asked for may come in after a later event of the stream.
  if (before.stats !== null && Date.parse(stats.as_of) < Date.parse(before.stats.as_of) - CLOCK_SET_BACK_MS) {
    return { ...before, stats, history: remember(new Map(), stats.zones, now) }
  }
  if (before.stats !== null && Date.parse(stats.as_of) < Date.parse(before.stats.as_of)) return before
  return { ...before, stats, history: remember(before.history, stats.zones, now) }
}

/** Older by more than this is no overtaking: the box's clock was set back, or its ledger is another. */
const CLOCK_SET_BACK_MS = 60_000

/** With the board as the box has it. Nothing goes: an incident of a box ends, and is never taken back. */
export function withBoard(state: LiveState, board: readonly Incident[]): LiveState {
  return { ...state, incidents: withIncidents(state.incidents, board) }
}

/** Each as it stands by its highest version; an alert has the version that is known. */
export function withIncidents(
  known: ReadonlyMap<string, Incident>,
  incoming: readonly Incident[],
): ReadonlyMap<string, Incident> {
  const all = new Map(known)
  for (const incident of incoming) {
    const before = all.get(incident.incident_id)
    if (before && before.version > incident.version) continue
    // The board does not say how often it was said.
    const alert = Math.max(incident.alert ?? 0, before?.version === incident.version ? (before.alert ?? 0) : 0)
    all.set(incident.incident_id, alert > 0 ? { ...incident, alert } : incident)
  }
  if (all.size <= MOST_INCIDENTS) return all
  return new Map(
    [...all.values()]
      .sort(byUrgency)
      .slice(0, MOST_INCIDENTS)
      .map((incident) => [incident.incident_id, incident]),
  )
}

/** False for what somebody has still to see to, which includes a state that this page does not know. */
export function isOver({ state }: Incident): boolean {
  return state === 'resolved' || state === 'cancelled'
}

/** Nobody has seen it: it rings. */
export function isUnseen({ state }: Incident): boolean {
  return state === 'open'
}

/** Unseen, then what is under way, then what is over; emergencies first within each, then the latest. */
export function byUrgency(a: Incident, b: Incident): number {
  return (
    rank(a) - rank(b) ||
    Number(b.emergency) - Number(a.emergency) ||
    Date.parse(b.reported_at) - Date.parse(a.reported_at) ||
    (a.incident_id < b.incident_id ? -1 : 1)
  )
}

function rank(incident: Incident): number {
  return isUnseen(incident) ? 0 : isOver(incident) ? 2 : 1
}

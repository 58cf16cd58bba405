/** The steps that an incident may take, and those that somebody else took meanwhile. Pure. `box/docs/control-room.md`. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { liveWords } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'

export type Action = Incident['actions'][number]['action']
type Step = Incident['actions'][number]

/** None for a state that this page does not know: a newer box says what may become of it. */
export function stepsFrom(state: Incident['state']): readonly Action[] {
  return STEPS[state] ?? []
}

const STEPS: Readonly<Record<Incident['state'], readonly Action[]>> = {
  open: ['acknowledge', 'assign', 'resolve', 'cancel'],
  acknowledged: ['assign', 'resolve', 'cancel'],
  assigned: ['assign', 'resolve', 'cancel'],
  resolved: [],
  cancelled: [],
}

export type Column = 'open' | 'acknowledged' | 'assigned' | 'over'
export const COLUMNS: readonly Column[] = ['open', 'acknowledged', 'assigned', 'over']

/** Those that are over and shown: the rest is in the log. */
const MOST_OVER = 30

/** Each column in the order it came in. A state that this page does not know stands where nobody can miss it. */
export function columnsOf(incidents: readonly Incident[]): Record<Column, Incident[]> {
  const columns: Record<Column, Incident[]> = { open: [], acknowledged: [], assigned: [], over: [] }
  for (const incident of incidents) columns[columnOf(incident.state)].push(incident)
  columns.over.sort((a, b) => endOf(b) - endOf(a)).splice(MOST_OVER)
  return columns
}

function columnOf(state: Incident['state']): Column {
  if (state === 'resolved' || state === 'cancelled') return 'over'
  return state === 'acknowledged' || state === 'assigned' ? state : 'open'
}

/** The moment of its last step, or of the report: unix ms. */
export function endOf({ actions, reported_at }: Incident): number {
  return Date.parse(actions.at(-1)?.at ?? reported_at)
}

/** The steps after `version` (1 is the report): what somebody did since it was looked at. */
export function stepsSince({ actions }: Pick<Incident, 'actions'>, version: number): readonly Step[] {
  return actions.slice(Math.max(0, version - 1))
}

/** A step in one sentence, with the box's own reasons in the language of the screen. */
export function stepText({ reason_coded, ...step }: Step): string {
  const { reason } = step
  return liveWords.incidents.stepBy(
    reason === undefined ? step : { ...step, reason: saidBy('incident', reason_coded, reason) },
  )
}

/** The sentence for a person who was too slow. */
export function meanwhile(incident: Incident, version: number): string {
  const steps = stepsSince(incident, version).map(stepText)
  return steps.length === 0 ? liveWords.incidents.nothingMeanwhile : liveWords.incidents.meanwhile(steps.join(' '))
}

/** Teams that were sent before, the latest first: what one types twice should be a press. */
export function teamsIn(incidents: readonly Incident[], most = 4): string[] {
  const sent = incidents.flatMap(({ actions }) =>
    actions.flatMap(({ assignee, at }) => (assignee ? [{ assignee, at }] : [])),
  )
  sent.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return [...new Set(sent.map(({ assignee }) => assignee))].slice(0, most)
}

/** Facts on an incident's card: when it was pressed, and the figures of its gate then and now. Pure. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { liveWords } from '../../words/late.ts'
import { ageWords, count, rate } from '../../words/time.ts'
import { zoneNames } from '../parts/places.ts'

const say = liveWords.incidents
/** At a gate that works, somebody passes sooner. */
const IDLE_SECONDS = 60
/** An arrival this much later than the press is told apart from it, ms. */
const LATE_MS = 10_000

/** The time between the press at the gate and the arrival at the box, ms; null where the one followed the other at once. */
export function lateBy({ observed_at, reported_at }: Pick<Incident, 'observed_at' | 'reported_at'>): number | null {
  const late = Date.parse(reported_at) - Date.parse(observed_at)
  return late >= LATE_MS ? late : null
}

/** The figures that the box attached to the report. */
export function figuresThen(incident: Incident, stats: Stats | null): string[] {
  const { queue, queue_rate_per_min, scans, refusals, idle_seconds, occupancy, zone } = incident
  return [
    queue === null ? [] : say.queue(count(queue)),
    say.rate(rate(queue_rate_per_min)),
    scans === null ? [] : say.scans(count(scans), count(refusals ?? 0)),
    idle_seconds === null || idle_seconds < IDLE_SECONDS ? [] : say.idle(ageWords(idle_seconds * 1000)),
    occupancy === null ? [] : say.inside(count(occupancy), zoneNames(stats, zone === null ? [] : [zone])),
  ].flat()
}

/** The same of this moment, as far as the live figures have them. */
export function figuresNow({ gate, zone }: Pick<Incident, 'gate' | 'zone'>, stats: Stats | null): string[] {
  const here = stats?.gates.find(({ id }) => id === gate)
  const inside = stats?.zones.find(({ id }) => id === zone)
  return [
    here ? say.rate(rate(here.per_minute)) : [],
    inside ? say.inside(count(inside.occupancy), inside.name) : [],
  ].flat()
}

/** The points of the chart of a zone's people, and the rows of the table that says the same. Pure. */
import type { Occupancy, Stats } from '@gatehouse/proto/wire/stats.ts'

export interface Points {
  name: string
  capacity: number
  /** Unix seconds, ascending. */
  times: number[]
  people: number[]
}

export interface Row {
  /** Unix ms. */
  at: number
  people: number
}

/** More rows than that nobody reads. */
const MOST_ROWS = 24

/**
 * @param now the newest figures, which end the line where they are later than the answer
 * @returns undefined for a zone that the answer does not have
 */
export function pointsOf(
  { from, as_of, step_seconds, zones }: Occupancy,
  id: string,
  now: Pick<Stats, 'as_of' | 'zones'> | null,
): Points | undefined {
  const zone = zones.find((each) => each.id === id)
  if (!zone) return undefined
  const [begin, end] = [Date.parse(from) / 1000, Date.parse(as_of) / 1000]
  const last = zone.people.length - 1
  // The newest step is not over: its point is of the moment of the answer.
  const times = zone.people.map((_, i) => (i === last ? end : begin + i * step_seconds))
  const people = [...zone.people]
  const newest = now?.zones.find((each) => each.id === id)
  if (now && newest && Date.parse(now.as_of) / 1000 > end) {
    times.push(Date.parse(now.as_of) / 1000)
    people.push(newest.occupancy)
  }
  return { name: zone.name, capacity: zone.capacity, times, people }
}

/** The newest first, evenly spread. */
export function rowsOf({ times, people }: Points): Row[] {
  const every = Math.max(1, Math.ceil(times.length / MOST_ROWS))
  const rows = times.map((seconds, i) => ({ at: seconds * 1000, people: people[i] ?? 0 })).reverse()
  return rows.filter((_, back) => back % every === 0)
}

/** The row with the most people, the first of several. */
export function peakOf(points: Points): Row | undefined {
  const most = Math.max(...points.people)
  const at = points.people.indexOf(most)
  const seconds = points.times[at]
  return seconds === undefined ? undefined : { at: seconds * 1000, people: most }
}

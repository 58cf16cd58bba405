/** The trend of a count: the people of each zone over the last minutes, as this page has seen them. Pure. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

interface Sample {
  /** Unix ms. */
  at: number
  people: number
}

export type History = ReadonlyMap<string, readonly Sample[]>

const KEPT_MS = 5 * 60_000
/** Between two samples that are kept: the stream may send one a second for a whole night. */
const EVERY_MS = 5_000
/** From less than this nobody can tell a direction. */
const LEAST_SPAN_MS = 30_000
/** After a gap this long the samples before it do not count: the laptop slept. */
const LONGEST_GAP_MS = 2 * 60_000

export interface Trend {
  direction: 'up' | 'down' | 'steady'
  /** People a minute, more or fewer. */
  perMinute: number
}

/** The history with what the zones have now. */
export function remember(history: History, zones: Stats['zones'], now: number): History {
  return new Map(
    zones.map(({ id, occupancy }) => {
      const samples = history.get(id) ?? []
      const last = samples.at(-1)
      const broken = last !== undefined && (now - last.at > LONGEST_GAP_MS || now < last.at)
      const before = broken ? [] : samples.filter(({ at }) => now - at <= KEPT_MS)
      // The newest sample moves along until the one before it is old enough to be kept.
      const settled = (before.at(-1)?.at ?? 0) - (before.at(-2)?.at ?? Number.NEGATIVE_INFINITY) < EVERY_MS
      return [id, [...(settled ? before.slice(0, -1) : before), { at: now, people: occupancy }]]
    }),
  )
}

/** Null until there is enough to go by. Steady: less than one person a minute, or than 0.2 % of the capacity. */
export function trendOf(samples: readonly Sample[] | undefined, capacity: number): Trend | null {
  const [first, last] = [samples?.[0], samples?.at(-1)]
  if (!first || !last || last.at - first.at < LEAST_SPAN_MS) return null
  const perMinute = ((last.people - first.people) / (last.at - first.at)) * 60_000
  const least = Math.max(1, capacity * 0.002)
  if (Math.abs(perMinute) < least) return { direction: 'steady', perMinute }
  return { direction: perMinute > 0 ? 'up' : 'down', perMinute }
}

/** People in each zone over the last day: what the control room's chart is drawn from. Pure. */
import type { Occupancy } from '@gatehouse/proto/wire/stats.ts'
import type { Event } from '../event/event.ts'
import { addTo } from './minutes.ts'
import type { Tally } from './tally.ts'

/** Changes of a zone's people; the key is unix time in steps. */
export type Steps = Map<number, number>

const STEP_MS = 5 * 60_000
/** A day. */
const KEPT = 288

/**
 * Counts people who came in (or, below zero, left) at the step of the passage. Of what is uploaded more than a day late only the
 * present count knows: it counts as if they had been inside all along.
 * @param at when the box learned of it, unix ms; `observedAt` as the scanner says
 */
export function countStep(steps: Steps, people: number, { at, observedAt }: { at: number; observedAt: number }): void {
  const current = Math.floor(at / STEP_MS)
  const step = Math.floor(Math.min(Number.isFinite(observedAt) ? observedAt : at, at) / STEP_MS)
  if (!(step > current - KEPT)) return
  if (!steps.has(step)) {
    for (const old of steps.keys()) if (old <= current - KEPT || old > current + 1) steps.delete(old)
  }
  addTo(steps, step, people)
}

/** The zones' people at the end of each step, from before the first of the last day's passages until now. @param now unix ms */
export function occupancyOf(
  { zones, zoneSteps }: Tally,
  event: Pick<Event, 'zones' | 'timezone'>,
  now: number,
): Occupancy {
  const current = Math.floor(now / STEP_MS)
  const all = [...zoneSteps.values()].flatMap((steps) => [...steps.keys()])
  const first = Math.max(current - KEPT, Math.min(current, ...all) - 1)
  return {
    as_of: new Date(now).toISOString(),
    from: new Date((first + 1) * STEP_MS).toISOString(),
    step_seconds: STEP_MS / 1000,
    time_zone: event.timezone,
    zones: event.zones.map(({ id, name, capacity }) => {
      const changes = zoneSteps.get(id)
      // Backwards from what is counted now: whoever came in before the first step is in every one.
      let inside = zones.get(id) ?? 0
      const people = Array.from({ length: current - first + 1 }, (_, back) => {
        const shown = Math.max(0, inside)
        inside -= changes?.get(current - back) ?? 0
        return shown
      })
      return { id, name, capacity, people: people.reverse() }
    }),
  }
}

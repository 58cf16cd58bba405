/** The event's venue: the plan that everybody gets, and the ways through it, once per start of the box. */
import { join } from 'node:path'
import { readIfThere } from '../durable-file.ts'
import type { Event } from '../event/event.ts'
import { compileVenue } from './compile.ts'
import { compilePlan, type Plan } from './plan.ts'
import { formatProblems, isError, type Problem } from './problems.ts'
import { openRoutes, type Routes, walkingTimes } from './route.ts'

export interface Venue {
  readonly plan: Plan
  /** Undefined where nobody has drawn a map. */
  readonly routes: Routes | undefined
  /** What is worth knowing, and no reason not to open. */
  readonly warnings: readonly Problem[]
}

/** The map cannot be used; the message lists every problem. */
export class VenueError extends Error {
  override readonly name = 'VenueError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(`venue.geojson has mistakes:\n${formatProblems(problems)}`)
    this.problems = problems
  }
}

/** Reads and compiles `venue.geojson` of an event's folder. @throws VenueError */
export async function openVenue(event: Event, folder: string): Promise<Venue> {
  const text = await readIfThere(join(folder, 'venue.geojson'))
  if (text === undefined) return { plan: compilePlan(event), routes: undefined, warnings: [] }
  const { map, problems } = compileVenue(event, text)
  if (!map) throw new VenueError(problems.filter(isError))
  return { plan: compilePlan(event, map), routes: openRoutes(map), warnings: problems }
}

/**
 * Seconds on foot from one checkpoint to another, for somebody who stands before the first; null where no map says. Only
 * the zone that the person is in counts: what a ticket opens further on does not help on the way there.
 */
export function walkingSeconds(venue: Venue, from: { id: string; from: string | null }, to: string): number | null {
  if (!venue.routes) return null
  const allowedZones = from.from === null ? [] : [from.from]
  return walkingTimes(venue.routes, { from: from.id, allowedZones }).get(to)?.walking_seconds ?? null
}

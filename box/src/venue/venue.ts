/** The event's venue, loaded when the box starts: the plan that everybody gets, and routes through it. */
import { join } from 'node:path'
import { readIfThere } from '../durable-file.ts'
import type { Event } from '../event/event.ts'
import { compileVenue } from './compile.ts'
import { compilePlan, type Plan } from './plan.ts'
import { formatProblems, isError, type Problem } from './problems.ts'
import { openRoutes, type Routes, walkingTimes } from './route.ts'

export interface Venue {
  readonly plan: Plan
  /** Undefined without a map. */
  readonly routes: Routes | undefined
  /** Problems that do not keep the box from opening. */
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
 * Seconds on foot from one checkpoint to another, for somebody in front of the first; null without a map. The way stays in the
 * zone that the person is in, because zones that a ticket opens further on are not open yet.
 */
export function walkingSeconds(venue: Venue, from: { id: string; from: string | null }, to: string): number | null {
  if (!venue.routes) return null
  const allowedZones = from.from === null ? [] : [from.from]
  return walkingTimes(venue.routes, { from: from.id, allowedZones }).get(to)?.walking_seconds ?? null
}

/**
 * How far a count of people may be off. A scanner that the box does not hear goes on admitting, alone: nobody knows how
 * many, but what it was doing just before is the best guess there is, and what it said it had still to send is certain.
 */
import type { Checkpoint } from '../event/event.ts'
import { type Minutes, SPARKLINE } from './minutes.ts'

export type ScannerState = 'live' | 'quiet' | 'lost' | 'revoked'

const MINUTE_MS = 60_000
const LIVE_MS = 15_000
const LOST_MS = 60_000
/** Its rate of just before is taken for no longer: by then somebody has walked over. */
const MOST_MINUTES = 30
/** What it was doing lately, in minutes. */
const LATELY = 10

/** @param silentMs since it was last heard */
export function stateOf(silentMs: number): ScannerState {
  if (silentMs < LIVE_MS) return 'live'
  return silentMs < LOST_MS ? 'quiet' : 'lost'
}

/** People whom one scanner may have let through unheard, and the zones that its checkpoints lead into and out of. */
export interface Doubt {
  people: number
  into: ReadonlySet<string>
  outOf: ReadonlySet<string>
}

export function doubtOf(scanner: {
  state: ScannerState
  /** Unix ms. */
  lastSeen: number
  now: number
  /** As it last said. */
  unsent: number
  /** People whom it has let through, by minute, as far as the box has heard. */
  passages: Minutes | undefined
  places: readonly Pick<Checkpoint, 'from' | 'to'>[]
}): Doubt {
  const { state, lastSeen, now, unsent, passages, places } = scanner
  const guessed =
    state === 'quiet' || state === 'lost' ? rateBefore(passages, lastSeen) * minutesSince(lastSeen, now) : 0
  return {
    // A device out of service admits nobody more; what it never sent is inside all the same.
    people: unsent + Math.ceil(guessed),
    into: new Set(places.flatMap(({ to }) => to ?? [])),
    outOf: new Set(places.flatMap(({ from }) => from ?? [])),
  }
}

function minutesSince(lastSeen: number, now: number): number {
  return Math.min(MOST_MINUTES, (now - lastSeen) / MINUTE_MS)
}

/** People a minute, over the minutes up to `moment` in which it was at work. */
function rateBefore(passages: Minutes | undefined, moment: number): number {
  const last = Math.floor(moment / MINUTE_MS)
  let [people, first] = [0, last]
  for (let minute = last - Math.min(LATELY, SPARKLINE) + 1; minute <= last; minute++) {
    const passed = passages?.get(minute) ?? 0
    if (passed > 0 && people === 0) first = minute
    people += passed
  }
  return people / (last - first + 1)
}

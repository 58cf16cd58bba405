/**
 * Estimates how far a count of people may be off. A scanner that the box cannot reach goes on admitting offline: how many
 * people is unknown, but its rate just before is the best estimate, and the uploads that it reported pending are certain.
 */
import type { Checkpoint } from '../event/event.ts'
import { type Minutes, SPARKLINE } from './minutes.ts'

export type ScannerState = 'live' | 'quiet' | 'lost' | 'revoked'

const MINUTE_MS = 60_000
const LIVE_MS = 15_000
const LOST_MS = 60_000
/** The estimate grows for no longer than this: by then somebody has walked over. */
const MOST_MINUTES = 30
/** Minutes that its rate just before is taken over. */
const LATELY = 10

/** @param silentMs since the scanner was last seen */
export function stateOf(silentMs: number): ScannerState {
  if (silentMs < LIVE_MS) return 'live'
  return silentMs < LOST_MS ? 'quiet' : 'lost'
}

/** Of a device that only a person has scanned with, by hand: it stands at no gate, so it is not lost, and lets nobody in meanwhile. */
export function stateByHand(silentMs: number): 'live' | 'quiet' {
  return silentMs < LIVE_MS ? 'live' : 'quiet'
}

/** People whom one scanner may have let through unreported, and the zones that its checkpoints lead into and out of. */
export interface Uncertainty {
  people: number
  into: ReadonlySet<string>
  outOf: ReadonlySet<string>
}

export function uncertaintyOf(scanner: {
  state: ScannerState
  /** Unix ms. */
  lastSeen: number
  now: number
  /** Uploads pending, as it last reported. */
  unsent: number
  /** People whom it has let through, by minute, as far as the box knows. */
  passages: Minutes | undefined
  places: readonly Pick<Checkpoint, 'from' | 'to'>[]
}): Uncertainty {
  const { state, lastSeen, now, unsent, passages, places } = scanner
  const guessed =
    state === 'quiet' || state === 'lost' ? rateBefore(passages, lastSeen) * minutesSince(lastSeen, now) : 0
  return {
    // A revoked device admits nobody any more; the people whom it never reported are inside all the same.
    people: unsent + Math.ceil(guessed),
    into: new Set(places.flatMap(({ to }) => to ?? [])),
    outOf: new Set(places.flatMap(({ from }) => from ?? [])),
  }
}

function minutesSince(lastSeen: number, now: number): number {
  return Math.min(MOST_MINUTES, (now - lastSeen) / MINUTE_MS)
}

/** People a minute, over the minutes up to `moment` since its first passage among them. */
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

/**
 * Which box this scanner asks: its own, or the next one while its own is gone. It leaves after a few seconds of silence, and
 * goes back only once its own has answered for a while: a box that comes and goes takes nobody along. Pure; times are of a
 * clock that never jumps, in ms.
 */

export interface Whereabouts {
  /** Origin of the box that it was paired with. */
  readonly home: string
  /** Origin of the box that it asks. */
  readonly at: string
  /** Since when that one is silent; null while it answers. */
  readonly silentSince: number | null
  /** Elsewhere: since when home has answered each time that it was asked. */
  readonly homeSince: number | null
  /** For how long home must have answered before it is gone back to. */
  readonly steadyMs: number
  /** When it was last gone back to. */
  readonly backAt: number | null
}

/** A box that restarts is back before that, and a scan that was too slow is no reason to leave. */
export const SILENT_MS = 3_000
export const STEADY = { leastMs: 20_000, mostMs: 320_000 }
/** Home that is lost again within this time was not back. */
export const LASTED_MS = 120_000

export function atHome(home: string): Whereabouts {
  return { home, at: home, silentSince: null, homeSince: null, steadyMs: STEADY.leastMs, backAt: null }
}

export function isAway({ at, home }: Whereabouts): boolean {
  return at !== home
}

/** The box that is asked has answered. */
export function heard(here: Whereabouts): Whereabouts {
  return here.silentSince === null ? here : { ...here, silentSince: null }
}

/** It has not. */
export function unheard(here: Whereabouts, now: number): Whereabouts {
  return here.silentSince === null ? { ...here, silentSince: now } : here
}

/** Whether to look for another box. */
export function seeks({ silentSince }: Whereabouts, now: number): boolean {
  return silentSince !== null && now - silentSince >= SILENT_MS
}

/** Another box has answered, and knows this scanner. A box that answers meanwhile is not left for it. */
export function found(here: Whereabouts, origin: string, now: number): Whereabouts {
  if (origin === here.at || !seeks(here, now)) return here
  if (origin === here.home) return back(here, now)
  const leaves = !isAway(here)
  const lasted = here.backAt === null || now - here.backAt >= LASTED_MS
  const steadyMs = lasted ? STEADY.leastMs : Math.min(STEADY.mostMs, here.steadyMs * 2)
  return { ...here, at: origin, silentSince: null, homeSince: null, steadyMs: leaves ? steadyMs : here.steadyMs }
}

/** Home was asked from elsewhere. */
export function homeAsked(here: Whereabouts, answered: boolean, now: number): Whereabouts {
  if (!isAway(here)) return here
  if (!answered) return { ...here, homeSince: null }
  const homeSince = here.homeSince ?? now
  return now - homeSince >= here.steadyMs ? back(here, now) : { ...here, homeSince }
}

/** The box that was gone to does not know this scanner: home is where it is known. */
export function unwelcome(here: Whereabouts, now: number): Whereabouts {
  return isAway(here) ? { ...back(here, now), backAt: here.backAt } : here
}

function back(here: Whereabouts, now: number): Whereabouts {
  return { ...here, at: here.home, silentSince: null, homeSince: null, backAt: now }
}

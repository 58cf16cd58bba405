/**
 * Failover: whether this scanner asks its home box or another one. It leaves home after a few seconds of silence, and goes back
 * only once home has answered steadily for a while, so that a box that comes and goes does not take the scanner back and forth.
 * Pure; times are in ms of a clock that never jumps.
 */

export interface FailoverState {
  /** Origin of the box that the scanner was paired with. */
  readonly home: string
  /** Origin of the box that it asks. */
  readonly active: string
  /** Since when the active box is silent; null while it answers. */
  readonly silentSince: number | null
  /** While another box is active: since when home has answered every request. */
  readonly homeSince: number | null
  /** Time for which home must have answered before the scanner goes back. */
  readonly steadyMs: number
  /** The moment at which the scanner last went back home. */
  readonly backAt: number | null
}

/** Long enough for a box that restarts, and for a scan whose answer was slow. */
export const SILENT_MS = 3_000
export const STEADY = { leastMs: 20_000, mostMs: 320_000 }
/** Home that falls silent again within this time was not stable: the next wait is twice as long. */
export const LASTED_MS = 120_000

export function atHome(home: string): FailoverState {
  return { home, active: home, silentSince: null, homeSince: null, steadyMs: STEADY.leastMs, backAt: null }
}

export function isAway({ active, home }: FailoverState): boolean {
  return active !== home
}

/** The active box has answered. */
export function answered(state: FailoverState): FailoverState {
  return state.silentSince === null ? state : { ...state, silentSince: null }
}

/** The active box has not answered. */
export function silent(state: FailoverState, now: number): FailoverState {
  return state.silentSince === null ? { ...state, silentSince: now } : state
}

/** True when the scanner has to look for another box. */
export function isSearching({ silentSince }: FailoverState, now: number): boolean {
  return silentSince !== null && now - silentSince >= SILENT_MS
}

/** Another box has answered, and knows this scanner. The scanner stays where the active box has answered meanwhile. */
export function found(state: FailoverState, origin: string, now: number): FailoverState {
  if (origin === state.active || !isSearching(state, now)) return state
  if (origin === state.home) return back(state, now)
  const leavesHome = !isAway(state)
  const lasted = state.backAt === null || now - state.backAt >= LASTED_MS
  const steadyMs = lasted ? STEADY.leastMs : Math.min(STEADY.mostMs, state.steadyMs * 2)
  return {
    ...state,
    active: origin,
    silentSince: null,
    homeSince: null,
    steadyMs: leavesHome ? steadyMs : state.steadyMs,
  }
}

/** Home was asked while another box is active. */
export function homeAsked(state: FailoverState, answered: boolean, now: number): FailoverState {
  if (!isAway(state)) return state
  if (!answered) return { ...state, homeSince: null }
  const homeSince = state.homeSince ?? now
  return now - homeSince >= state.steadyMs ? back(state, now) : { ...state, homeSince }
}

/** The active box does not know this scanner. Home does: the scanner goes back, and this does not count as a stable return. */
export function notKnownThere(state: FailoverState, now: number): FailoverState {
  return isAway(state) ? { ...back(state, now), backAt: state.backAt } : state
}

function back(state: FailoverState, now: number): FailoverState {
  return { ...state, active: state.home, silentSince: null, homeSince: null, backAt: now }
}

/** Decides what to ask pretix for next, and when. Pure. */
import type { PullState } from './state.ts'

export type Step = { do: 'catalog' } | { do: 'changes' } | { do: 'full' } | { do: 'check' } | { do: 'wait'; ms: number }

export interface Moment {
  now: number
  state: PullState
  /** When each was last begun, Unix ms; null for never. */
  catalogAt: number | null
  changesAt: number | null
  /** True if the event is on, or people are being scanned. */
  isNear: boolean
  /** When somebody last asked for a comparison. */
  wantedAt: number
  /** Of mapping and catalog as they are now. */
  digest: string | undefined
  /** Polls are so many times slower after pretix has asked for fewer. */
  slower: number
}

/** Between two polls. */
export const NEAR_MS = 2_000
export const FAR_MS = 60_000
const CATALOG_MS = 60_000
const NIGHT_MS = 24 * 3_600_000
const MOST_SLOWER = 30

/** Time between two polls of changes, ms. */
export function intervalOf({ isNear, slower }: Pick<Moment, 'isNear' | 'slower'>): number {
  return Math.min(FAR_MS, (isNear ? NEAR_MS : FAR_MS) * Math.min(slower, MOST_SLOWER))
}

/** Changes come before the rest: a ticket that was sold a moment ago is the one at the gate. */
export function nextStep(moment: Moment): Step {
  const { now, state, catalogAt, changesAt, digest } = moment
  if (digest === undefined || catalogAt === null) return { do: 'catalog' }
  const changesDue = state.cursor === null ? Number.POSITIVE_INFINITY : (changesAt ?? 0) + intervalOf(moment)
  if (changesDue <= now) return { do: 'changes' }
  if (catalogAt + CATALOG_MS <= now) return { do: 'catalog' }
  if (state.full) return { do: state.full.checked === null ? 'full' : 'check' }
  const comparedAt = state.comparedAt ?? Number.NEGATIVE_INFINITY
  if (state.digest !== digest || moment.wantedAt > comparedAt) return { do: 'full' }
  // At the quietest time: nobody is being scanned, or it has waited for two days.
  const nightly = comparedAt + (moment.isNear ? 2 : 1) * NIGHT_MS
  if (nightly <= now) return { do: 'full' }
  return { do: 'wait', ms: Math.max(10, Math.min(changesDue, catalogAt + CATALOG_MS, nightly) - now) }
}

/** Time to wait after so many failures one after the other, ms. */
export function backoffOf(failures: number): number {
  return Math.min(FAR_MS, 1_000 * 2 ** Math.min(failures - 1, 6))
}

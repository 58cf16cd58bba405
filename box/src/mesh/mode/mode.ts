/**
 * Whether this box hears the others well enough to say `confirmed`. Pure: `step` takes what was just observed. Down is quick,
 * since every second of it admits on a guess; up is slow, so that a loose cable does not change its mind at every scan.
 */
import type { Mode } from '../../control/mode.ts'

/** Why a box is not STRICT. The first that applies, in this order. */
export const OBSTACLES = [
  /** An admin has said so. */
  'forced',
  /** The voters do not answer. */
  'unheard',
  /** There may be a later arrangement of voters than the one that this box knows. */
  'epoch',
  /** The voters acknowledge what is not on their disks. */
  'unsynced',
  /** The stream of claims does not know yet what the journals say. */
  'unfilled',
  /** Admissions of this box are not claimed yet. */
  'owing',
  /** Journals of other boxes are not here yet. */
  'behind',
  /** All is well, and has not been for long. */
  'settling',
] as const
export type Obstacle = (typeof OBSTACLES)[number]

/** What is looked at, not waited for. */
export interface Standing {
  forced: boolean
  epochKnown: boolean
  synced: boolean
  filled: boolean
  /** Admissions that are not claimed yet. */
  owed: number
  caughtUp: boolean
}

/** `at`: milliseconds that never jump. */
export type Observation =
  /** A compare-and-set was answered. */
  | { kind: 'answered'; at: number }
  /** A wait for an answer ended without one. */
  | { kind: 'silence'; at: number }
  /** A claim has had no answer in all its time, or the box's own server is gone. */
  | { kind: 'gave_up'; at: number }
  | { kind: 'looked'; at: number; standing: Standing }

export interface State {
  readonly mode: Mode
  /** Null when STRICT. */
  readonly obstacle: Obstacle | null
  /** Whether it is worth asking: a breaker, so that gates do not wait for what will not come. */
  readonly heard: boolean
  /** Answers since the last silence, and the other way round; at most what is counted to. */
  readonly answers: number
  readonly silences: number
  /** When the answers began; null before one. */
  readonly answeredSince: number | null
  readonly standing: Standing
}

/** So many in a row. */
export const SILENCES_DOWN = 2
export const ANSWERS_UP = 3
export const SETTLING_MS = 10_000

/** A box that has just started has heard nobody. */
export function started(standing: Standing): State {
  const nothing = { answers: 0, silences: 0, answeredSince: null }
  return { mode: 'DEGRADED', obstacle: standing.forced ? 'forced' : 'unheard', heard: false, ...nothing, standing }
}

export function step(state: State, observation: Observation): State {
  return judged(observed(state, observation), observation.at)
}

function observed(state: State, observation: Observation): State {
  switch (observation.kind) {
    case 'answered': {
      const answers = Math.min(ANSWERS_UP, state.answers + 1)
      const answeredSince = state.answeredSince ?? observation.at
      return { ...state, answers, silences: 0, answeredSince, heard: state.heard || answers >= ANSWERS_UP }
    }
    case 'silence':
      return quieter(state, Math.min(SILENCES_DOWN, state.silences + 1))
    case 'gave_up':
      return quieter(state, SILENCES_DOWN)
    case 'looked':
      return { ...state, standing: observation.standing }
  }
}

function quieter(state: State, silences: number): State {
  return { ...state, answers: 0, silences, answeredSince: null, heard: state.heard && silences < SILENCES_DOWN }
}

function judged(state: State, at: number): State {
  const obstacle = obstacleTo(state, at)
  const mode = obstacle === null ? 'STRICT' : 'DEGRADED'
  return mode === state.mode && obstacle === state.obstacle ? state : { ...state, mode, obstacle }
}

function obstacleTo({ mode, heard, answeredSince, standing }: State, at: number): Obstacle | null {
  if (standing.forced) return 'forced'
  if (!heard) return 'unheard'
  if (!standing.epochKnown) return 'epoch'
  if (!standing.synced) return 'unsynced'
  if (!standing.filled) return 'unfilled'
  // From here on only what keeps a box from coming up: a claim that is owed was admitted as provisional, and whoever is
  // behind asks the voters like everybody else.
  if (mode === 'STRICT') return null
  if (standing.owed > 0) return 'owing'
  if (!standing.caughtUp) return 'behind'
  if (answeredSince === null || at - answeredSince < SETTLING_MS) return 'settling'
  return null
}

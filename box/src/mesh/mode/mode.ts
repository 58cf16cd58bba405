/**
 * The state machine behind the consistency mode: whether this box reaches the others well enough to answer `confirmed`. Pure:
 * `step` takes one observation at a time. Going down is quick, because every second in STRICT without the others admits on a
 * guess; coming up is slow, so that a loose cable does not flip the mode at every scan.
 */
import type { Mode } from '../../rights/mode.ts'

/** Reason why a box is not STRICT. Where several apply, the first in this order is reported. */
export const OBSTACLES = [
  /** An admin forced DEGRADED. */
  'forced',
  /** The voters do not answer. */
  'unreachable',
  /** There may be a newer set of voters than the one that this box knows. */
  'epoch',
  /** The voters acknowledge writes that are not on their disks. */
  'unsynced',
  /** The reservation stream does not hold yet what the journals say. */
  'backfill',
  /** Admissions of this box are not in the reservation stream yet. */
  'unconfirmed',
  /** Entries of other boxes have not been replicated to this one yet. */
  'behind',
  /** Everything is well, but has not been for long enough. */
  'settling',
] as const
export type Obstacle = (typeof OBSTACLES)[number]

/** Facts that are read at each look, as opposed to answers that are waited for. */
export interface Conditions {
  forced: boolean
  epochKnown: boolean
  synced: boolean
  backfilled: boolean
  /** Admissions of this box that are not in the reservation stream yet. */
  unconfirmed: number
  caughtUp: boolean
}

/** `at`: milliseconds on a clock that never jumps. */
export type Observation =
  /** A compare-and-set was answered. */
  | { kind: 'answered'; at: number }
  /** One wait for an answer ended without one. */
  | { kind: 'unanswered'; at: number }
  /** A reservation got no answer within its whole deadline, or the box's own nats-server is gone. */
  | { kind: 'timed_out'; at: number }
  | { kind: 'looked'; at: number; conditions: Conditions }

export interface ModeState {
  readonly mode: Mode
  /** Null when STRICT. */
  readonly obstacle: Obstacle | null
  /** A circuit breaker: while it is false, gates do not wait for answers that will not come. */
  readonly reachable: boolean
  /** Answers since the last miss, counted up to `ANSWERS_UP`. */
  readonly answers: number
  /** Misses since the last answer, counted up to `MISSES_DOWN`. */
  readonly misses: number
  /** When the present run of answers began; null when there is none. */
  readonly answeredSince: number | null
  readonly conditions: Conditions
}

/** Unanswered waits in a row after which the others count as unreachable. */
export const MISSES_DOWN = 2
/** Answers in a row after which they count as reachable again. */
export const ANSWERS_UP = 3
/** Answers must have come without a miss for this long before the mode goes up. */
export const SETTLING_MS = 10_000

/** The state of a box that has just started: it has reached nobody yet. */
export function initialState(conditions: Conditions): ModeState {
  return {
    mode: 'DEGRADED',
    obstacle: conditions.forced ? 'forced' : 'unreachable',
    reachable: false,
    answers: 0,
    misses: 0,
    answeredSince: null,
    conditions,
  }
}

export function step(state: ModeState, observation: Observation): ModeState {
  return withMode(observed(state, observation), observation.at)
}

function observed(state: ModeState, observation: Observation): ModeState {
  switch (observation.kind) {
    case 'answered': {
      const answers = Math.min(ANSWERS_UP, state.answers + 1)
      const answeredSince = state.answeredSince ?? observation.at
      return { ...state, answers, misses: 0, answeredSince, reachable: state.reachable || answers >= ANSWERS_UP }
    }
    case 'unanswered':
      return missed(state, Math.min(MISSES_DOWN, state.misses + 1))
    case 'timed_out':
      return missed(state, MISSES_DOWN)
    case 'looked':
      return { ...state, conditions: observation.conditions }
  }
}

function missed(state: ModeState, misses: number): ModeState {
  return { ...state, answers: 0, misses, answeredSince: null, reachable: state.reachable && misses < MISSES_DOWN }
}

function withMode(state: ModeState, at: number): ModeState {
  const obstacle = obstacleTo(state, at)
  const mode = obstacle === null ? 'STRICT' : 'DEGRADED'
  return mode === state.mode && obstacle === state.obstacle ? state : { ...state, mode, obstacle }
}

function obstacleTo({ mode, reachable, answeredSince, conditions }: ModeState, at: number): Obstacle | null {
  if (conditions.forced) return 'forced'
  if (!reachable) return 'unreachable'
  if (!conditions.epochKnown) return 'epoch'
  if (!conditions.synced) return 'unsynced'
  if (!conditions.backfilled) return 'backfill'
  // The rest keeps a box from coming up and does not take it down: an admission that is not in the stream yet was answered
  // `provisional`, and a box that is behind asks the voters like every other one.
  if (mode === 'STRICT') return null
  if (conditions.unconfirmed > 0) return 'unconfirmed'
  if (!conditions.caughtUp) return 'behind'
  if (answeredSince === null || at - answeredSince < SETTLING_MS) return 'settling'
  return null
}

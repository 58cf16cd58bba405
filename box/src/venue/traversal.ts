/**
 * The time that a path takes, and whether it is step-free: `trust-and-mesh.md`, section 6; GTFS `pathways.txt` defines the
 * columns.
 */
import type { StepFree } from '@gatehouse/proto/wire/venue.ts'
import type { SourceFeature, Speeds } from './source.ts'

export const MODE = { walkway: 1, stairs: 2, travelator: 3, escalator: 4, lift: 5, gate: 6, exitGate: 7 } as const

/** 1:12, the steepest ramp for wheelchairs by building rules. */
const MAX_SLOPE = 1 / 12
/** Metres that a wheelchair needs. */
const MIN_WIDTH = 0.9
/** Metres of a step, for stairs without a number of steps. */
const TREAD = 0.3

/** Seconds along a path, and in the opposite direction; null if that is not allowed. */
export type BothWays = readonly [number, number | null]

export interface Traversal {
  readonly seconds: BothWays
  readonly step_free: StepFree
  /** Absent where `step_free` is false. */
  readonly step_free_seconds?: BothWays
}

type Path = Omit<SourceFeature<'path'>, 'kind' | 'id' | 'label' | 'geometry'>

/** @param metres the length of the path, measured if the source does not give it */
export function traversalOf(path: Path, metres: number, speeds: Speeds): Traversal {
  const both = isBothWays(path)
  const step_free = stepFreeOf(path)
  const back = (seconds: number) => (both ? seconds : null)
  const seconds: BothWays =
    path.traversal_time === undefined
      ? [walkingTime(path, metres, speeds, 1), back(walkingTime(path, metres, speeds, -1))]
      : [path.traversal_time, back(path.traversal_time)]
  if (step_free === false) return { seconds, step_free }
  // Without a time of its own for wheelchairs, the source's time on foot is the least.
  const rolled =
    path.wheelchair_traversal_time ??
    Math.max(path.traversal_time ?? 0, walkingTime(path, metres, { ...speeds, walk: speeds.step_free }, 1))
  return { seconds, step_free, step_free_seconds: [rolled, back(rolled)] }
}

/** Exit gates and escalators lead one way unless the source says otherwise, all other paths both ways. */
function isBothWays({ is_bidirectional, pathway_mode }: Path): boolean {
  if (is_bidirectional !== undefined) return Boolean(is_bidirectional)
  return pathway_mode !== MODE.escalator && pathway_mode !== MODE.exitGate
}

function walkingTime(path: Path, metres: number, speeds: Speeds, direction: 1 | -1): number {
  const { pathway_mode = MODE.walkway, stair_count } = path
  if (pathway_mode === MODE.lift) return speeds.lift
  if (pathway_mode === MODE.escalator) return speeds.escalator
  const counted = stair_count ?? (pathway_mode === MODE.stairs ? Math.round(metres / TREAD) : 0)
  const steps = counted * direction
  const climbing = steps > 0 ? steps * speeds.stair_up : -steps * speeds.stair_down
  const queueing = pathway_mode === MODE.gate || pathway_mode === MODE.exitGate ? speeds.gate : 0
  return metres / speeds.walk + climbing + queueing
}

/** True if everybody may walk here, in both directions. */
export function leadsEverybody(path: Path): boolean {
  return isBothWays(path) && stepFreeOf(path) !== false
}

/** `unverified` if the source does not show whether a wheelchair can pass: the unknown is not taken for passable. */
export function stepFreeOf(path: Path): StepFree {
  const { pathway_mode = MODE.walkway, stair_count = 0, max_slope, min_width, wheelchair } = path
  if (pathway_mode === MODE.stairs || pathway_mode === MODE.escalator || stair_count !== 0) return false
  if (wheelchair === 'no' || Math.abs(max_slope ?? 0) > MAX_SLOPE || (min_width ?? MIN_WIDTH) < MIN_WIDTH) return false
  if (wheelchair === 'yes') return true
  if (wheelchair === 'limited' || min_width === undefined) return 'unverified'
  // Lifts and gates are level.
  const level = pathway_mode !== MODE.walkway && pathway_mode !== MODE.travelator
  return level || max_slope !== undefined || 'unverified'
}

/** Of a way with several parts: false if any part is, else `unverified` if any part is. */
export function worst(...parts: readonly StepFree[]): StepFree {
  if (parts.includes(false)) return false
  return parts.includes('unverified') ? 'unverified' : true
}

/**
 * How long a path takes, and whether it can be taken without a step: `trust-and-mesh.md`, section 6, and GTFS
 * `pathways.txt` for what the columns mean.
 */
import type { StepFree } from '@gatehouse/proto/wire/venue.ts'
import type { SourceFeature, Speeds } from './source.ts'

export const MODE = { walkway: 1, stairs: 2, travelator: 3, escalator: 4, lift: 5, gate: 6, exitGate: 7 } as const

/** 1:12, the steepest ramp that building rules allow a wheelchair. */
const STEEPEST = 1 / 12
/** Metres: the narrowest passage. */
const NARROWEST = 0.9
/** Metres that a step goes forward, for stairs whose steps nobody has counted. */
const TREAD = 0.3

/** Seconds along a path, and against it; null where nobody may walk back. */
export type ThereAndBack = readonly [number, number | null]

export interface Pace {
  readonly seconds: ThereAndBack
  readonly step_free: StepFree
  /** Absent where `step_free` is false. */
  readonly step_free_seconds?: ThereAndBack
}

type Path = Omit<SourceFeature<'path'>, 'kind' | 'id' | 'label' | 'geometry'>

/** @param metres the length of the path, measured where the source does not give it */
export function paceOf(path: Path, metres: number, speeds: Speeds): Pace {
  const both = isBothWays(path)
  const step_free = stepFreeOf(path)
  const back = (seconds: number) => (both ? seconds : null)
  const seconds: ThereAndBack =
    path.traversal_time === undefined
      ? [walked(path, metres, speeds, 1), back(walked(path, metres, speeds, -1))]
      : [path.traversal_time, back(path.traversal_time)]
  if (step_free === false) return { seconds, step_free }
  // Nobody in a wheelchair is faster than the time that the source gives for those on foot, unless it says so.
  const rolled =
    path.wheelchair_traversal_time ??
    Math.max(path.traversal_time ?? 0, walked(path, metres, { ...speeds, walk: speeds.step_free }, 1))
  return { seconds, step_free, step_free_seconds: [rolled, back(rolled)] }
}

/** Exit gates and escalators lead one way unless the source says otherwise; everything else leads both ways. */
function isBothWays({ is_bidirectional, pathway_mode }: Path): boolean {
  if (is_bidirectional !== undefined) return Boolean(is_bidirectional)
  return pathway_mode !== MODE.escalator && pathway_mode !== MODE.exitGate
}

function walked(path: Path, metres: number, speeds: Speeds, direction: 1 | -1): number {
  const { pathway_mode = MODE.walkway, stair_count } = path
  if (pathway_mode === MODE.lift) return speeds.lift
  if (pathway_mode === MODE.escalator) return speeds.escalator
  const counted = stair_count ?? (pathway_mode === MODE.stairs ? Math.round(metres / TREAD) : 0)
  const steps = counted * direction
  const climbing = steps > 0 ? steps * speeds.stair_up : -steps * speeds.stair_down
  const queueing = pathway_mode === MODE.gate || pathway_mode === MODE.exitGate ? speeds.gate : 0
  return metres / speeds.walk + climbing + queueing
}

/** `unverified` where the source leaves open whether somebody in a wheelchair gets through: unknown is not fine. */
export function stepFreeOf(path: Path): StepFree {
  const { pathway_mode = MODE.walkway, stair_count = 0, max_slope, min_width, wheelchair } = path
  if (pathway_mode === MODE.stairs || pathway_mode === MODE.escalator || stair_count !== 0) return false
  if (wheelchair === 'no' || Math.abs(max_slope ?? 0) > STEEPEST || (min_width ?? NARROWEST) < NARROWEST) return false
  if (wheelchair === 'yes') return true
  if (wheelchair === 'limited' || min_width === undefined) return 'unverified'
  // Lifts and gates are level.
  const level = pathway_mode !== MODE.walkway && pathway_mode !== MODE.travelator
  return level || max_slope !== undefined || 'unverified'
}

/** The answer for a way of several parts: one obstacle closes it, one unknown leaves it open. */
export function worst(...parts: readonly StepFree[]): StepFree {
  if (parts.includes(false)) return false
  return parts.includes('unverified') ? 'unverified' : true
}

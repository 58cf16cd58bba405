/** Each gate, checkpoint and amenity with the vertex of the network at which the way to it leaves. */
import { categoryOf } from '@gatehouse/proto/venue-categories.ts'
import type { MapAmenity, MapPlace, StepFree } from '@gatehouse/proto/wire/venue.ts'
import { attach, middleOfOutline, type Outline } from './attach.ts'
import { borderNear, bordersAmong, openBorders } from './borders.ts'
import type { Chained } from './chains.ts'
import { hundredths } from './edges.ts'
import type { Grid } from './grid.ts'
import type { Problem } from './problems.ts'
import type { VenueEvent } from './references.ts'
import type { Speeds, Tolerances } from './source.ts'
import type { PlaceFeature, Survey } from './survey.ts'
import type { ZoneAt } from './zones.ts'

export interface Placed {
  readonly kind: PlaceFeature['kind']
  readonly id: string
  readonly feature: PlaceFeature
  readonly outline: Outline
  readonly vertex: number
  /** Millimetres from the vertex to the place. */
  readonly away: number
}

type Unplaced = Omit<Placed, 'vertex' | 'away'>

/** Further from its path than this, what lies between is ground that nobody has described. */
const DOORSTEP_METRES = 5

/** A checkpoint stands where a path crosses between its zones, if one does nearby; all else at the nearest path. */
export function placeAll(
  event: VenueEvent,
  { places, paths }: Survey,
  { chains, vertices }: Chained,
  tolerances: Tolerances,
  problems: Problem[],
): Placed[] {
  const borders = bordersAmong(chains)
  const walkedZones = new Set<string | null>([null, ...chains.flatMap((chain) => chain.zones.flat())])
  const placed: Placed[] = []
  const rest: Unplaced[] = places.flatMap(({ feature, outline }) =>
    feature.kind === 'checkpoint' ? [] : [{ kind: feature.kind, id: feature.id, feature, outline }],
  )
  for (const { id, gate, from, to } of event.checkpoints) {
    const drawn = (kind: string, name: string) =>
      places.find(({ feature }) => feature.kind === kind && feature.id === name)
    // A gate that is drawn stands for those of its checkpoints that are not.
    const found = drawn('checkpoint', id) ?? drawn('gate', gate)
    if (!found) continue
    const place: Unplaced = { kind: 'checkpoint', id, ...found }
    const border = borderNear(found.outline, { from, to }, borders, vertices)
    if (border) placed.push({ ...place, ...border })
    else rest.push(place)
    if (border || !walkedZones.has(from) || !walkedZones.has(to)) continue
    const message = `no path crosses from ${from ?? 'outside'} to ${to ?? 'outside'} within 15 m of checkpoint "${id}"`
    problems.push({ kind: 'border_elsewhere', feature: found.feature.label, message })
  }
  const most = tolerances.place_metres * 1000
  const attachments = attach(
    rest.map(({ outline }) => outline),
    chains,
    vertices,
    { most, tolerance: tolerances.join_metres * 1000 },
  )
  for (const [i, place] of rest.entries()) {
    const attached = attachments[i] ?? { tooFar: Infinity }
    if ('tooFar' in attached) problems.push(tooFar(place, attached.tooFar, tolerances))
    else placed.push({ ...place, ...attached })
  }
  const crossings = placed.flatMap(({ kind, id, vertex }) => {
    const checkpoint = kind === 'checkpoint' && event.checkpoints.find((each) => each.id === id)
    return checkpoint ? [{ from: checkpoint.from, to: checkpoint.to, vertex }] : []
  })
  problems.push(...openBorders(borders, crossings, vertices, (path) => paths[path]?.label ?? ''))
  return placed.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

function tooFar({ feature, outline }: Unplaced, away: number, { place_metres }: Tolerances): Problem {
  const message = Number.isFinite(away)
    ? `${Math.round(away / 1000)} m from the nearest path, over ${place_metres}: draw a path that leads there`
    : `there is no path on floor ${outline.level}`
  return { kind: 'far_from_paths', feature: feature.label, message }
}

/** The form that a gate or checkpoint has in the plan. */
export function mapPlace(place: Placed, nodeOf: ReadonlyMap<number, number>, grid: Grid, speeds: Speeds): MapPlace {
  const { id, feature, outline, vertex, away } = place
  const metres = away / 1000
  const step_free = stepFreeOf(feature.wheelchair, metres)
  return {
    id,
    at: grid.toDegrees(middleOfOutline(outline)),
    level: outline.level,
    node: nodeOf.get(vertex) ?? 0,
    metres: hundredths(metres),
    seconds: hundredths(metres / speeds.walk),
    step_free,
    ...(step_free !== false && { step_free_seconds: hundredths(metres / speeds.step_free) }),
  }
}

/** The form that an amenity has in the plan. */
export function mapAmenity(place: MapPlace, { feature, outline }: Placed, zoneAt: ZoneAt): MapAmenity[] {
  if (feature.kind !== 'amenity') return []
  const { category, name, zone } = feature
  const { level } = outline
  return [
    {
      ...place,
      category,
      name: name ?? categoryOf(category).name,
      zone: zone ?? zoneAt(middleOfOutline(outline), level),
    },
  ]
}

function stepFreeOf(wheelchair: 'yes' | 'no' | 'limited' | undefined, metres: number): StepFree {
  if (wheelchair === 'yes') return true
  if (wheelchair === 'no') return false
  return wheelchair === 'limited' || metres > DOORSTEP_METRES ? 'unverified' : true
}

/** Places each gate, checkpoint and amenity at a vertex of the network. */
import { coded } from '@gatehouse/proto/said.ts'
import { categoryOf } from '@gatehouse/proto/venue-categories.ts'
import type { MapAmenity, MapPlace, StepFree } from '@gatehouse/proto/wire/venue.ts'
import type { MistakeCode } from '../event/mistakes.ts'
import { Parts, undecided } from './ambiguity.ts'
import { attach, middleOfOutline, type Outline } from './attach.ts'
import {
  type Border,
  bordersAmong,
  bordersNear,
  type Crossing,
  MAX_GATE_OFFSET,
  openBorders,
  outlineDistance,
} from './borders.ts'
import type { ChainedPaths } from './chains.ts'
import { hundredths } from './edges.ts'
import { distance, type Grid, NOISE } from './grid.ts'
import { ambiguous, type Problem } from './problems.ts'
import type { PlaceFeature, ProjectedPlace, ProjectedSource } from './projection.ts'
import type { VenueEvent } from './references.ts'
import type { Speeds, Tolerances } from './source.ts'
import { leadsEverybody } from './traversal.ts'
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

interface Unplaced extends Omit<Placed, 'vertex' | 'away'> {
  /** The node that it is at, as an index of the vertices, if its feature says so. */
  readonly pin: number | undefined
  /** For a checkpoint: the zones that it leads between. */
  readonly crossing?: Crossing
}

/** The longest distance in metres between a path and a place: the ground between them is not on the map. */
const DOORSTEP_METRES = 5

/**
 * Places everything on its own floor: at the node that it names; a checkpoint where a path nearby crosses between its zones, if one
 * does; everything else at the nearest path. An amenity that is too far from every path is left out, with a warning.
 */
export function placeAll(
  event: VenueEvent,
  projected: ProjectedSource,
  network: ChainedPaths,
  tolerances: Tolerances,
  problems: Problem[],
): Placed[] {
  const placement = new Placement(projected, network, tolerances, problems)
  placement.atPaths(unplaced(event, projected.places).filter((place) => !placement.atNodeOrBorder(place)))
  const { placed, borders } = placement
  const crossings = placed.flatMap(({ kind, id, vertex }) => {
    const checkpoint = kind === 'checkpoint' && event.checkpoints.find((each) => each.id === id)
    return checkpoint ? [{ from: checkpoint.from, to: checkpoint.to, vertex }] : []
  })
  problems.push(...openBorders(borders, crossings, network.vertices, (path) => projected.paths[path]?.label ?? ''))
  return placed.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

/** Gates and amenities, then the event's checkpoints; a drawn gate is the place of those of its checkpoints that are not drawn. */
function unplaced(event: VenueEvent, places: readonly ProjectedPlace[]): Unplaced[] {
  const drawn = (kind: string, name: string) =>
    places.find(({ feature }) => feature.kind === kind && feature.id === name)
  const checkpoints = event.checkpoints.flatMap(({ id, gate, from, to }): Unplaced[] => {
    const found = drawn('checkpoint', id) ?? drawn('gate', gate)
    return found ? [{ kind: 'checkpoint', id, ...found, crossing: { from, to } }] : []
  })
  const others = places.flatMap((place): Unplaced[] => {
    const { kind, id } = place.feature
    return kind === 'checkpoint' ? [] : [{ kind, id, ...place }]
  })
  return [...others, ...checkpoints]
}

class Placement {
  readonly placed: Placed[] = []
  readonly borders: readonly Border[]
  readonly #projected: ProjectedSource
  readonly #network: ChainedPaths
  readonly #tolerances: Tolerances
  readonly #problems: Problem[]
  readonly #walkedZones: ReadonlySet<string | null>

  constructor(projected: ProjectedSource, network: ChainedPaths, tolerances: Tolerances, problems: Problem[]) {
    this.#projected = projected
    this.#network = network
    this.#tolerances = tolerances
    this.#problems = problems
    this.borders = bordersAmong(network.chains)
    this.#walkedZones = new Set([null, ...network.chains.flatMap((chain) => chain.zones.flat())])
  }

  /** @returns whether the place is settled by this, be it with a problem */
  atNodeOrBorder(place: Unplaced): boolean {
    const { crossing, pin, feature, kind } = place
    // A checkpoint that is not drawn is at the border near its gate, rather than at the node of its gate.
    if (pin !== undefined && feature.kind === kind) return this.#atNode(place, pin)
    if (crossing && this.#atBorder(place, crossing)) return true
    return pin !== undefined && this.#atNode(place, pin)
  }

  atPaths(places: readonly Unplaced[]): void {
    const { chains, vertices } = this.#network
    const { paths } = this.#projected
    const { place_metres, join_metres } = this.#tolerances
    const found = attach(
      places.map(({ outline }) => outline),
      chains,
      vertices,
      { most: place_metres * 1000, tolerance: join_metres * 1000 },
    )
    let known: Parts | undefined
    const parts = () => (known ??= new Parts(chains.filter(({ path }) => leadsEverybody(paths[path] ?? {}))))
    for (const [i, place] of places.entries()) {
      const nearest = found[i] ?? { tooFar: Infinity }
      if ('tooFar' in nearest) {
        this.#tooFar(place, nearest.tooFar, 'path')
        continue
      }
      const spots = undecided(nearest.spots, parts)
      if (spots.length > 0) {
        const names = spots.map(({ vertex, chain }) => this.#nameOf(vertex, chain.path))
        this.#problems.push(ambiguous(place.feature.label, names, 'name the right node with "node", or move it'))
      }
      this.placed.push({ ...place, vertex: nearest.vertex, away: nearest.away })
    }
  }

  #atNode(place: Unplaced, pin: number): boolean {
    const node = this.#network.vertices[pin]
    const away = node ? outlineDistance(place.outline, node) : Infinity
    if (away > this.#tolerances.place_metres * 1000) this.#tooFar(place, away, 'node')
    else this.placed.push({ ...place, vertex: pin, away })
    return true
  }

  #atBorder(place: Unplaced, crossing: Crossing): boolean {
    const { id, feature, outline, pin } = place
    const { from, to } = crossing
    const { vertices } = this.#network
    const near = bordersNear(outline, crossing, this.borders, vertices)
    const border = near.find(({ vertex }) => vertex === pin) ?? near[0]
    if (!border) {
      if (pin !== undefined || !this.#walkedZones.has(from) || !this.#walkedZones.has(to)) return false
      const metres = MAX_GATE_OFFSET / 1000
      const message = `no path crosses from ${from ?? 'outside'} to ${to ?? 'outside'} within ${metres} m of checkpoint "${id}"`
      this.#problems.push({
        kind: 'border_elsewhere',
        feature: feature.label,
        message,
        coded: [noCrossing(crossing, { checkpoint: id, metres })],
      })
      return false
    }
    const at = vertices[border.vertex]?.point
    const same = near.filter(({ vertex }) => at && distance(vertices[vertex]?.point ?? at, at) <= NOISE)
    if (same.length > 1 && border.vertex !== pin) {
      const names = same.map(({ vertex, path }) => this.#nameOf(vertex, path))
      this.#problems.push(ambiguous(feature.label, names, 'name the right node with "node"'))
    }
    this.placed.push({ ...place, ...border })
    return true
  }

  /** Nobody can be sent to a gate or checkpoint that is missing; without an amenity the rest of the map is as good. */
  #tooFar({ feature, outline }: Unplaced, away: number, from: 'path' | 'node'): void {
    const { place_metres: most } = this.#tolerances
    const isAmenity = feature.kind === 'amenity'
    const metres = Math.round(away / 1000)
    const [message, why] = !Number.isFinite(away)
      ? [`there is no path on floor ${outline.level}`, coded('no_path_on_floor', { floor: String(outline.level) })]
      : from === 'node'
        ? [
            `${metres} m from its node, over ${most}: name a nearer node, or move it`,
            coded('node_far', { metres, most }),
          ]
        : [
            `${metres} m from the nearest path, over ${most}: draw a path that leads there`,
            coded('path_far', { metres, most }),
          ]
    this.#problems.push({
      kind: isAmenity ? 'unreachable' : 'far_from_paths',
      feature: feature.label,
      message: isAmenity ? `${message}; it is left out of the map` : message,
      coded: isAmenity ? [why, coded('left_out')] : [why],
    })
  }

  #nameOf(vertex: number | undefined, path: number): string {
    const { nodes, paths } = this.#projected
    return nodes[vertex ?? -1]?.label ?? paths[path]?.label ?? ''
  }
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

/** No path leads between the zones of this checkpoint, of which one may be outside. */
function noCrossing({ from, to }: Crossing, values: { checkpoint: string; metres: number }): MistakeCode {
  if (from === null) return coded('border_elsewhere_in', { ...values, to: to ?? '' })
  if (to === null) return coded('border_elsewhere_out', { ...values, from })
  return coded('border_elsewhere', { ...values, from, to })
}

/** Checks a map's references to its event, and those of its paths to its nodes. */
import { coded } from '@gatehouse/proto/said.ts'
import type { EventDefinition } from '../event/event.ts'
import { guessed } from '../event/shape.ts'
import { type Problem, quote } from './problems.ts'
import type { SourceFeature } from './source.ts'

/** The part of an event that a map refers to. */
export type VenueEvent = Pick<EventDefinition, 'id' | 'zones' | 'gates' | 'checkpoints'>

/** Ids that do not exist, and parts of the event that are not on the map. */
export function* referenceProblems(features: readonly SourceFeature[], event: VenueEvent): Generator<Problem> {
  const zones = new Set(event.zones.map(({ id }) => id))
  const listed = {
    gate: new Set(event.gates.map(({ id }) => id)),
    checkpoint: new Set(event.checkpoints.map(({ id }) => id)),
    zone: zones,
  }
  const nodes = new Map(features.flatMap(({ kind, id, level = 0 }) => (kind === 'node' ? [[id, level]] : [])))
  for (const feature of features) {
    const { kind, label } = feature
    if (kind === 'gate' || kind === 'checkpoint' || kind === 'zone') {
      yield* unknown(`unknown_${kind}`, label, feature.id, listed[kind], `${kind} in event.json`)
    }
    if ((kind === 'gate' || kind === 'checkpoint' || kind === 'amenity') && feature.node !== undefined) {
      yield* unknown('unknown_node', label, feature.node, nodes, 'node')
      const floor = nodes.get(feature.node)
      if (floor !== undefined && feature.level !== undefined && feature.level !== floor) {
        const message = `the node ${quote(feature.node)} is on floor ${floor}, and this on floor ${feature.level}`
        yield { kind: 'wrong_floor', feature: label, message }
      }
    }
    if (kind === 'amenity' && feature.zone !== undefined) {
      yield* unknown('unknown_zone', label, feature.zone, zones, 'zone in event.json')
    }
    if (kind !== 'path') continue
    for (const zone of feature.zones ?? []) yield* unknown('unknown_zone', label, zone, zones, 'zone in event.json')
    for (const end of [feature.from, feature.to]) {
      if (end === undefined) continue
      yield* unknown('unknown_node', label, end, nodes, 'node')
    }
  }
  yield* gapsIn(features, event)
}

const UNKNOWN = {
  unknown_gate: 'no_gate',
  unknown_checkpoint: 'no_checkpoint',
  unknown_zone: 'no_zone',
  unknown_node: 'no_node',
} as const

function* unknown(
  kind: keyof typeof UNKNOWN,
  feature: string,
  id: string,
  known: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  noun: string,
): Generator<Problem> {
  if (known.has(id)) return
  const guess = guessed(id, known.keys())
  const message = `there is no ${noun} with the id ${quote(id)}${guess.said}`
  yield { kind, feature, message, coded: [coded(UNKNOWN[kind], { id }), ...guess.coded] }
}

function* gapsIn(features: readonly SourceFeature[], event: VenueEvent): Generator<Problem> {
  const drawn = new Set(features.map(({ label }) => label))
  const unplaced = event.checkpoints.filter(
    ({ id, gate }) => !drawn.has(`checkpoint ${quote(id)}`) && !drawn.has(`gate ${quote(gate)}`),
  )
  if (unplaced.length > 0 && unplaced.length === event.checkpoints.length)
    yield {
      kind: 'no_gates',
      feature: '',
      message: 'draw a gate or a checkpoint of the event: every way begins at one',
      coded: [coded('no_gates')],
    }
  for (const { id, gate } of unplaced) {
    const message = `draw it, or its gate ${quote(gate)}: nobody can be sent to a checkpoint without a place`
    yield {
      kind: 'checkpoint_without_place',
      feature: `checkpoint ${quote(id)}`,
      message,
      coded: [coded('not_on_map', { checkpoint: id, gate })],
    }
  }
  const walked = new Set(features.flatMap((feature) => (feature.kind === 'path' ? (feature.zones ?? []) : [])))
  for (const { id } of event.zones) {
    if (drawn.has(`zone ${quote(id)}`) || walked.has(id)) continue
    const message = 'neither drawn nor named by a path: ways through it are open to every ticket'
    yield { kind: 'zone_not_drawn', feature: `zone ${quote(id)}`, message, coded: [coded('zone_not_drawn')] }
  }
}

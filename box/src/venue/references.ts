/** Holds a map against the event that it is for, and its paths against its nodes. */
import type { EventDefinition } from '../event/event.ts'
import { didYouMean } from '../event/shape.ts'
import { type Problem, type ProblemKind, quote } from './problems.ts'
import type { SourceFeature } from './source.ts'

/** What a map needs to know of an event. */
export type VenueEvent = Pick<EventDefinition, 'id' | 'zones' | 'gates' | 'checkpoints'>

/** Names that nothing has, and things that have no place. A problem's feature may then be left out of the map. */
export function* referencesIn(features: readonly SourceFeature[], event: VenueEvent): Generator<Problem> {
  const zones = new Set(event.zones.map(({ id }) => id))
  const listed = {
    gate: new Set(event.gates.map(({ id }) => id)),
    checkpoint: new Set(event.checkpoints.map(({ id }) => id)),
    zone: zones,
  }
  const nodes = new Set(features.filter(({ kind }) => kind === 'node').map(({ id }) => id))
  const used = new Set<string>()
  for (const feature of features) {
    const { kind, label } = feature
    if (kind === 'gate' || kind === 'checkpoint' || kind === 'zone') {
      yield* unknown(`unknown_${kind}`, label, feature.id, listed[kind], `${kind} in event.json`)
    }
    if (kind === 'amenity' && feature.zone !== undefined) {
      yield* unknown('unknown_zone', label, feature.zone, zones, 'zone in event.json')
    }
    if (kind !== 'path') continue
    for (const zone of feature.zones ?? []) yield* unknown('unknown_zone', label, zone, zones, 'zone in event.json')
    for (const end of [feature.from, feature.to]) {
      if (end === undefined) continue
      used.add(end)
      yield* unknown('unknown_node', label, end, nodes, 'node')
    }
  }
  yield* gapsIn(features, event)
}

function* unknown(
  kind: ProblemKind,
  feature: string,
  id: string,
  known: ReadonlySet<string>,
  noun: string,
): Generator<Problem> {
  if (known.has(id)) return
  yield { kind, feature, message: `there is no ${noun} with the id ${quote(id)}${didYouMean(id, known)}` }
}

function* gapsIn(features: readonly SourceFeature[], event: VenueEvent): Generator<Problem> {
  const drawn = new Set(features.map(({ label }) => label))
  for (const { id, gate } of event.checkpoints) {
    if (drawn.has(`checkpoint ${quote(id)}`) || drawn.has(`gate ${quote(gate)}`)) continue
    const message = `draw it, or its gate ${quote(gate)}: nobody can be sent to a checkpoint without a place`
    yield { kind: 'checkpoint_without_place', feature: `checkpoint ${quote(id)}`, message }
  }
  const walked = new Set(features.flatMap((feature) => (feature.kind === 'path' ? (feature.zones ?? []) : [])))
  for (const { id } of event.zones) {
    if (drawn.has(`zone ${quote(id)}`) || walked.has(id)) continue
    const message = 'neither drawn nor named by a path: ways through it are open to every ticket'
    yield { kind: 'zone_not_drawn', feature: `zone ${quote(id)}`, message }
  }
}

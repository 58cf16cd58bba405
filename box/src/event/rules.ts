/** Rules between the fields of an event file, which a schema cannot express. */
import { coded } from '@gatehouse/proto/said.ts'
import type { EventFile } from './event.ts'
import type { Mistake } from './mistakes.ts'
import { guessed } from './shape.ts'

/** The event file with `undefined` in place of every value that the schema refused. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? readonly (Draft<Item> | undefined)[]
  : T extends object
    ? { readonly [K in keyof T]?: Draft<T[K]> }
    : T

type Section = 'tiers' | 'zones' | 'gates' | 'checkpoints'

const DAY = 86_400_000
/** Building begins weeks before the event, but an entrance that opens a year before is a typing error. */
const BUILD_UP_DAYS = 31

/** Rules for each entry: ids, references, directions, times. */
export function* mistakesIn(draft: Draft<EventFile>): Generator<Mistake> {
  for (const section of ['tiers', 'zones', 'gates', 'checkpoints'] as const) yield* repeated(draft, section, 'id')
  // An import finds a ticket's tier by id or by name.
  yield* repeated(draft, 'tiers', 'name')
  if (ms(draft.ends_at) <= ms(draft.starts_at)) {
    yield { path: 'ends_at', message: 'must be later than starts_at', coded: [coded('ends_before_start')] }
  }

  const known = { gate: ids(draft, 'gates'), zone: ids(draft, 'zones'), tier: ids(draft, 'tiers') }
  for (const [i, checkpoint] of (draft.checkpoints ?? []).entries()) {
    if (!checkpoint) continue
    const { gate, from, to, tiers = [] } = checkpoint
    const path = `checkpoints[${i}]`
    yield* unknown('gate', gate, known.gate, `${path}.gate`)
    yield* unknown('zone', from, known.zone, `${path}.from`)
    yield* unknown('zone', to, known.zone, `${path}.to`)
    for (const [j, tier] of tiers.entries()) {
      yield* unknown('tier', tier, known.tier, `${path}.tiers[${j}]`)
      if (tier === undefined || tiers.indexOf(tier) === j) continue
      yield { path: `${path}.tiers[${j}]`, message: `repeats "${tier}"`, coded: [coded('repeated', { id: tier })] }
    }
    yield* direction(checkpoint, path)
    yield* hours(checkpoint, draft, path)
  }
  const notAt = draft.scanners_sign_on?.not_at ?? []
  const checkpoints = ids(draft, 'checkpoints')
  for (const [i, id] of notAt.entries()) yield* unknown('checkpoint', id, checkpoints, `scanners_sign_on.not_at[${i}]`)
}

/** Rules about the event as a whole, for files whose tiers, zones and checkpoints have no other mistake. */
export function* gapsIn({ tiers, zones, checkpoints }: EventFile): Generator<Mistake> {
  const entrances = checkpoints.filter((checkpoint) => checkpoint.direction === 'in')
  for (const [i, tier] of tiers.entries()) {
    if (entrances.some((entrance) => entrance.tiers.includes(tier.id))) continue
    // A scan at the wrong gate is answered with the right one, and here there is none.
    yield {
      path: `tiers[${i}]`,
      message: `no "in" checkpoint serves "${tier.id}", so nobody with such a ticket can enter`,
      coded: [coded('tier_without_entrance', { tier: tier.id })],
    }
  }
  const reached = reachedFromOutside(checkpoints)
  for (const [i, zone] of zones.entries()) {
    if (reached.has(zone.id)) continue
    yield {
      path: `zones[${i}]`,
      message: `no checkpoint leads from outside into "${zone.id}", not even through other zones`,
      coded: [coded('zone_without_way', { zone: zone.id })],
    }
  }
}

/** Finds settings that are allowed but probably not intended. */
export function* warningsFor({ tiers, gates, checkpoints }: EventFile): Generator<Mistake> {
  for (const [i, tier] of tiers.entries()) {
    if (tier.entry !== 'reentry') continue
    const serving = checkpoints.filter((checkpoint) => checkpoint.tiers.includes(tier.id))
    for (const zone of new Set(serving.flatMap(({ direction, to }) => (direction === 'in' && to ? [to] : [])))) {
      if (serving.some((checkpoint) => checkpoint.direction === 'out' && checkpoint.from === zone)) continue
      yield {
        path: `tiers[${i}].entry`,
        message: `"${tier.id}" may re-enter "${zone}" after leaving it, and no "out" checkpoint from there serves it`,
        coded: [coded('tier_without_exit', { tier: tier.id, zone })],
      }
    }
  }
  for (const [i, gate] of gates.entries()) {
    if (checkpoints.some((checkpoint) => checkpoint.gate === gate.id)) continue
    yield {
      path: `gates[${i}]`,
      message: `"${gate.id}" has no checkpoint`,
      coded: [coded('gate_without_checkpoint', { gate: gate.id })],
    }
  }
}

/** Undefined when an id is missing or was refused, because references to it would be reported as further mistakes. */
function ids(draft: Draft<EventFile>, section: Section): Set<string> | undefined {
  const known = (draft[section] ?? [undefined]).map((entry) => entry?.id)
  return known.every((id) => id !== undefined) ? new Set(known) : undefined
}

/** Without regard to case: people take two names that differ only in case for the same. Ids are lower case. */
function* repeated(draft: Draft<EventFile>, section: Section, field: 'id' | 'name'): Generator<Mistake> {
  const first = new Map<string, number>()
  for (const [i, entry] of (draft[section] ?? []).entries()) {
    const name = entry?.[field]
    if (name === undefined) continue
    const key = name.toLowerCase()
    const earlier = first.get(key)
    if (earlier === undefined) {
      first.set(key, i)
      continue
    }
    const by = `${section}[${earlier}]`
    yield {
      path: `${section}[${i}].${field}`,
      message: `"${name}" is taken by ${by}`,
      coded: [coded('taken', { name, by })],
    }
  }
}

function* unknown(
  noun: 'gate' | 'zone' | 'tier' | 'checkpoint',
  id: string | null | undefined,
  known: Set<string> | undefined,
  path: string,
): Generator<Mistake> {
  if (typeof id !== 'string' || !known || known.has(id)) return
  const guess = guessed(id, known)
  yield { path, message: `no ${noun} "${id}"${guess.said}`, coded: [coded(`no_${noun}`, { id }), ...guess.coded] }
}

function* direction(checkpoint: Draft<EventFile['checkpoints'][number]>, path: string): Generator<Mistake> {
  const { direction, from, to } = checkpoint
  if (direction === 'in' && to === null) {
    yield {
      path: `${path}.to`,
      message: 'an "in" checkpoint must name the zone that it leads into',
      coded: [coded('in_to_nowhere')],
    }
  }
  if (direction === 'out' && from === null) {
    yield {
      path: `${path}.from`,
      message: 'an "out" checkpoint must name the zone that it leads out of',
      coded: [coded('out_of_nowhere')],
    }
  }
  if (typeof from === 'string' && from === to) {
    yield {
      path: `${path}.to`,
      message: `leads from "${from}" to itself`,
      coded: [coded('leads_to_itself', { zone: from })],
    }
  }
}

/** Comparisons with a time that is missing or was refused are false, and so report nothing. */
function* hours(
  { opens_at, closes_at }: Draft<EventFile['checkpoints'][number]>,
  { starts_at, ends_at }: Draft<EventFile>,
  path: string,
): Generator<Mistake> {
  const days = BUILD_UP_DAYS
  const [opens, closes] = [`${path}.opens_at`, `${path}.closes_at`]
  if (ms(closes_at) <= ms(opens_at)) {
    yield { path: closes, message: 'must be later than opens_at', coded: [coded('closes_before_opens')] }
  }
  if (ms(opens_at) >= ms(ends_at)) {
    yield { path: opens, message: 'opens after the event has ended', coded: [coded('opens_after_end')] }
  }
  if (ms(closes_at) <= ms(starts_at)) {
    yield { path: closes, message: 'closes before the event starts', coded: [coded('closes_before_start')] }
  }
  if (ms(opens_at) < ms(starts_at) - days * DAY) {
    const message = `opens more than ${days} days before the event starts`
    yield { path: opens, message, coded: [coded('opens_early', { days })] }
  }
  if (ms(closes_at) > ms(ends_at) + days * DAY) {
    const message = `closes more than ${days} days after the event ends`
    yield { path: closes, message, coded: [coded('closes_late', { days })] }
  }
}

function ms(time: string | undefined): number {
  return time === undefined ? Number.NaN : Date.parse(time)
}

function reachedFromOutside(checkpoints: EventFile['checkpoints']): Set<string | null> {
  const reached = new Set<string | null>([null])
  for (let before = 0; before < reached.size; ) {
    before = reached.size
    for (const { from, to } of checkpoints) if (reached.has(from)) reached.add(to)
  }
  return reached
}

/** Differences between two event files that touch tickets, scanners or people that exist already. */
import type { EventChange } from '@gatehouse/proto/wire/guide.ts'
import type { EventDefinition } from '../event/event.ts'

/** Tickets, scanners and people of this box. */
export interface Existing {
  /** Valid tickets by tier id. */
  tickets: ReadonlyMap<string, number>
  /** Paired devices by checkpoint id. */
  scanners: ReadonlyMap<string, number>
  /** People by zone id. */
  inside: ReadonlyMap<string, number>
}

type Shape = Pick<EventDefinition, 'timezone' | 'day_starts_at' | 'tiers' | 'zones' | 'gates' | 'checkpoints'>
type Checkpoint = Shape['checkpoints'][number]

/** Only what touches something that exists: a tier without a ticket may come and go. */
export function changesBetween(before: Shape, after: Shape, existing: Existing): EventChange[] {
  const changes = [
    ...tierChanges(before, after, existing),
    ...zoneChanges(before, after, existing),
    ...placeChanges(before, after, existing),
    ...dayChanges(before, after, existing),
  ]
  return changes.filter(({ tickets, scanners, inside }) => tickets + scanners + inside > 0)
}

function* tierChanges(before: Shape, after: Shape, { tickets }: Existing): Generator<EventChange> {
  const now = new Map(after.tiers.map((tier) => [tier.id, tier]))
  for (const { id, name, entry } of before.tiers) {
    const about = { ...NOTHING, name, tickets: tickets.get(id) ?? 0 }
    const next = now.get(id)
    if (!next) yield { ...about, kind: 'tier_removed' }
    else if (next.entry !== entry) yield { ...about, kind: 'tier_entry' }
    if (next && !isSubset(entrancesOf(id, before), entrancesOf(id, after))) yield { ...about, kind: 'tier_elsewhere' }
  }
}

function* zoneChanges(before: Shape, after: Shape, { inside }: Existing): Generator<EventChange> {
  for (const { id, name } of missing(before.zones, after.zones)) {
    yield { ...NOTHING, kind: 'zone_removed', name, inside: Math.max(0, inside.get(id) ?? 0) }
  }
}

function* placeChanges(before: Shape, after: Shape, { scanners }: Existing): Generator<EventChange> {
  const now = new Map(after.checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]))
  for (const { id, name } of missing(before.gates, after.gates)) {
    const of = before.checkpoints.filter(({ gate }) => gate === id)
    const most = Math.max(0, ...of.map((checkpoint) => scanners.get(checkpoint.id) ?? 0))
    yield { ...NOTHING, kind: 'gate_removed', name, scanners: most }
  }
  for (const checkpoint of before.checkpoints) {
    const about = { ...NOTHING, name: checkpoint.name, scanners: scanners.get(checkpoint.id) ?? 0 }
    const next = now.get(checkpoint.id)
    if (!next) yield { ...about, kind: 'checkpoint_removed' }
    else if (hasMoved(checkpoint, next)) yield { ...about, kind: 'checkpoint_moved' }
  }
}

/** A ticket for each day: when its day begins decides which day an admission has used. */
function* dayChanges(before: Shape, after: Shape, { tickets }: Existing): Generator<EventChange> {
  if (before.timezone === after.timezone && before.day_starts_at === after.day_starts_at) return
  const daily = before.tiers.filter(({ entry }) => entry === 'once_per_day')
  const sum = daily.reduce((total, { id }) => total + (tickets.get(id) ?? 0), 0)
  yield { ...NOTHING, kind: 'days', name: after.timezone, tickets: sum }
}

const NOTHING = { tickets: 0, scanners: 0, inside: 0 }

function missing<T extends { readonly id: string }>(before: readonly T[], after: readonly T[]): T[] {
  const ids = new Set(after.map(({ id }) => id))
  return before.filter(({ id }) => !ids.has(id))
}

function entrancesOf(tier: string, { checkpoints }: Shape): Set<string> {
  return new Set(
    checkpoints.filter(({ direction, tiers }) => direction === 'in' && tiers.includes(tier)).map(({ id }) => id),
  )
}

function isSubset(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((each) => all.has(each))
}

function hasMoved(a: Checkpoint, b: Checkpoint): boolean {
  return a.gate !== b.gate || a.direction !== b.direction || a.from !== b.from || a.to !== b.to
}

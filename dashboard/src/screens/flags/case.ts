/** A case as two people argue about it: who stood where, when, how far apart, and when the box heard of it. */
import type { Flag, FlagsQuery, ScanRecord } from '@gatehouse/proto/wire/admin.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

export const FLAG_KINDS: readonly Flag['kind'][] = [
  'double_use',
  'revoked_admission',
  'refused_admission',
  'unknown_admission',
  'clock_skew',
  'shop_conflict',
]

export const OUTCOMES = ['same_person', 'two_people', 'staff_error', 'fraud'] as const

/** One record of a case, beside the others. */
export interface Side {
  record: ScanRecord
  /** The gate of its checkpoint, where the event still has it. */
  gate: string | null
  /** ms since the record before it; null for the first. */
  afterPrevious: number | null
  /** ms until the box heard of it. Below zero where the scanner's clock is ahead. */
  learnedAfter: number
}

/** In the order in which people stood there, which is not the order in which the box heard of it. */
export function sidesOf({ records }: Pick<Flag, 'records'>, gates: Stats['gates']): Side[] {
  const gateOf = new Map(gates.flatMap(({ name, checkpoints }) => checkpoints.map(({ id }) => [id, name])))
  const inOrder = [...records].sort((a, b) => Date.parse(a.observed_at) - Date.parse(b.observed_at))
  return inOrder.map((record, i) => {
    const before = inOrder[i - 1]
    return {
      record,
      gate: gateOf.get(record.checkpoint) ?? null,
      afterPrevious: before ? Date.parse(record.observed_at) - Date.parse(before.observed_at) : null,
      learnedAfter: Date.parse(record.recorded_at) - Date.parse(record.observed_at),
    }
  })
}

/** Learned within this is learned at once: a request takes as long. */
const AT_ONCE_MS = 2_000

export function wasLearned(after: number): 'at once' | 'later' | 'before' {
  if (Math.abs(after) < AT_ONCE_MS) return 'at once'
  return after > 0 ? 'later' : 'before'
}

export interface Choice {
  state: NonNullable<FlagsQuery['state']>
  kind: Flag['kind'] | null
}

/** `#/flags?kind=shop_conflict`: other screens link to the cases of a kind. */
export function addressOf({ state, kind }: Choice): string {
  const query = new URLSearchParams({ ...(state !== 'open' && { state }), ...(kind !== null && { kind }) })
  return query.size === 0 ? '#/flags' : `#/flags?${query}`
}

/** The choice in an address; what it does not name, or names wrongly, is that of all open cases. */
export function choiceIn(hash: string): Choice {
  const query = new URLSearchParams(hash.split('?')[1] ?? '')
  return {
    state: query.get('state') === 'resolved' ? 'resolved' : 'open',
    kind: FLAG_KINDS.find((kind) => kind === query.get('kind')) ?? null,
  }
}

/** The number of cases of a choice, by the live figures; null before these have come. */
export function countOf({ state, kind }: Choice, stats: Pick<Stats, 'flags_by_kind'> | null): number | null {
  if (!stats) return null
  const counts = kind === null ? Object.values(stats.flags_by_kind) : [stats.flags_by_kind[kind]]
  return counts.reduce((sum, each) => sum + (each?.[state] ?? 0), 0)
}

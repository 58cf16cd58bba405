/** The state of the link from the shop, as the control room and `gatehouse shop` show it. */
import { type DownLink, UNKNOWN_LINK } from '@gatehouse/proto/wire/links.ts'
import type { Mapping } from './mapping.ts'
import type { Backlog, Receiver } from './receiver.ts'
import type { RowStore } from './rows.ts'

export const UNKNOWN: DownLink = { ...UNKNOWN_LINK, applied: 0, kept: 0, problems: [] }

const PROBLEMS_SHOWN = 20

export function linkOf(
  rows: RowStore,
  { mapping, receiver, now }: { mapping: Mapping; receiver: Receiver; now: number },
): DownLink {
  const connected = receiver.connected()
  const backlog = receiver.backlog()
  const sources = rows.sources()
  // There is nearly always one; of several, the one that was applied longest ago is shown.
  const [last] = sources.toSorted((a, b) => (a.appliedAt ?? 0) - (b.appliedAt ?? 0))
  const problems = rows.problems(PROBLEMS_SHOWN).map((row) => ({
    id: shownKey(row, mapping),
    table: row.table,
    reason: row.reason ?? '',
    at: new Date(row.problemAt ?? 0).toISOString(),
  }))
  const errors = sources.map(({ source }) => receiver.lastError(source)).filter((error) => error !== undefined)
  return {
    ...UNKNOWN,
    configured: true,
    connected: connected.size > 0,
    peer: [...connected].join(', ') || (last?.source ?? null),
    position: last?.commitLsn ?? null,
    last_at: last?.appliedAt == null ? null : new Date(last.appliedAt).toISOString(),
    lag_events: backlog?.events ?? null,
    lag_seconds: lagOf(backlog, now),
    last_error: errors[0] ?? null,
    applied: sources.reduce((sum, { events }) => sum + events, 0),
    kept: problemsIn(rows),
    problems,
  }
}

/** In seconds: 0 when everything has arrived; null before the first batch. */
export function lagOf(backlog: Backlog | undefined, now: number): number | null {
  if (!backlog) return null
  return Number.isFinite(backlog.since) ? Math.max(0, now - backlog.since) / 1000 : 0
}

export function problemsIn(rows: RowStore): number {
  return [...rows.problemCounts().values()].reduce((sum, n) => sum + n, 0)
}

/** A row's key in the shop; its number here where the key is the ticket's code, which is not shown. */
export function shownKey({ id, table, key }: { id: number; table: string; key: string }, { tables }: Mapping): string {
  const mapped = tables.get(table)
  return mapped?.tickets && mapped.key.includes(mapped.tickets.code) ? `row ${id}` : key
}

/** What a box holds, read from its file as it lies there: not what it says of itself. */
import { join } from 'node:path'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { openSnapshot } from '../src/db.ts'
import { asc } from '../src/drizzle/core.ts'
import { flags, journal, peerJournal, peerSeals, seals } from '../src/ledger/schema.ts'
import type { Account, Head, JournalRow } from './history.ts'
import type { LabBox } from './lab.ts'

/** @param stats what it counts, as it was asked while it still ran */
export function accountOf(
  { id: box, dataDir, misled }: Pick<LabBox, 'id' | 'dataDir' | 'misled'>,
  stats: Stats,
): Account & { seen: Map<string, Head[]> } {
  using snapshot = openSnapshot(join(dataDir, 'ledger.db'))
  const { drizzle } = snapshot
  const journals = new Map<string, JournalRow[]>([
    [box, drizzle.select().from(journal).orderBy(asc(journal.index)).all()],
  ])
  for (const { box: from, ...row } of drizzle.select().from(peerJournal).orderBy(asc(peerJournal.index)).all()) {
    const rows = journals.get(from) ?? []
    rows.push(row)
    journals.set(from, rows)
  }
  const seen = Map.groupBy(drizzle.select().from(peerSeals).all(), ({ box: from }) => from)
  const { admissions, exits, admitted, offline, supervised, undone, verdicts, flags_by_kind } = stats
  return {
    ...{ box, journals, misled },
    flags: drizzle.select().from(flags).all(),
    counts: { admissions, exits, admitted, offline, supervised, undone, verdicts: sorted(verdicts), flags_by_kind },
    heads: drizzle.select().from(seals).all().map(headOf),
    seen: new Map([...seen].map(([from, rows]) => [from, rows.map(headOf)])),
  }
}

/** The same accounts, each with the heads of its log that the others were shown. */
export function withHeadsSeen(accounts: readonly ReturnType<typeof accountOf>[]): Account[] {
  return accounts.map(({ seen: _, ...account }) => ({
    ...account,
    heads: [...account.heads, ...accounts.flatMap(({ seen }) => seen.get(account.box) ?? [])],
  }))
}

function headOf({ size, root }: { size: number; root: Buffer }): Head {
  return { size, root: root.toString('base64') }
}

const sorted = (counts: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Reads what a box holds from its ledger file, instead of asking the box. */
import { join } from 'node:path'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { asc, isNotNull, isNull, type SQL, sql } from '../src/drizzle/core.ts'
import { openSnapshot } from '../src/ledger/db.ts'
import { devices, flags, journal, movements, peerJournal, peerSeals, seals, tickets } from '../src/ledger/schema.ts'
import type { Account, Head, JournalRow } from './history.ts'
import type { LabBox } from './lab-box.ts'
import type { Held } from './traitor-invariants.ts'

/** @param stats the box's counts, asked for while it was still running */
export function accountOf(
  { id: box, dataDir, skewed }: Pick<LabBox, 'id' | 'dataDir' | 'skewed'>,
  stats: Stats,
): Account & { seen: Map<string, Head[]> } {
  using snapshot = openSnapshot(join(dataDir, 'ledger.db'))
  const { drizzle } = snapshot
  const seen = Map.groupBy(drizzle.select().from(peerSeals).all(), ({ box: from }) => from)
  const { admissions, exits, admitted, offline, supervised, undone, verdicts, flags_by_kind } = stats
  return {
    box,
    journals: journalsOf({ id: box, dataDir }),
    skewed,
    flags: drizzle.select().from(flags).all(),
    counts: { admissions, exits, admitted, offline, supervised, undone, verdicts: sorted(verdicts), flags_by_kind },
    heads: drizzle.select().from(seals).all().map(headOf),
    seen: new Map([...seen].map(([from, rows]) => [from, rows.map(headOf)])),
  }
}

/** By box: its own journal, and its copies of the others'. */
export function journalsOf({ id: box, dataDir }: Pick<LabBox, 'id' | 'dataDir'>): Map<string, JournalRow[]> {
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
  return journals
}

/** The shared ref of one of its tickets. */
export function aTicketOf({ dataDir }: Pick<LabBox, 'dataDir'>): string {
  using snapshot = openSnapshot(join(dataDir, 'ledger.db'))
  return snapshot.drizzle.select({ ref: tickets.sharedRef }).from(tickets).limit(1).get()?.ref ?? ''
}

/** The rows of a box that a traitor would change. */
export function heldBy({ id: box, dataDir }: Pick<LabBox, 'id' | 'dataDir'>): Held {
  using snapshot = openSnapshot(join(dataDir, 'ledger.db'))
  const { drizzle } = snapshot
  const count = (where?: SQL) =>
    drizzle.select({ count: sql<number>`count(*)` }).from(tickets).where(where).get()?.count ?? 0
  return {
    box,
    devices: drizzle.select({ id: devices.id, revokedAt: devices.revokedAt }).from(devices).all(),
    tickets: count(),
    nameless: count(isNull(tickets.holderName)),
    revoked: count(isNotNull(tickets.revokedAt)),
    scanIds: drizzle
      .select({ scanId: movements.scanId })
      .from(movements)
      .all()
      .map(({ scanId }) => scanId),
  }
}

/** The same accounts, each with the tree heads of its log that other boxes have kept. */
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

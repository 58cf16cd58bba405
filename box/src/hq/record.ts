/** Finds contradictions in a box's record as it arrives: changed entries and seals, and histories that have parted. */
import { and, asc, eq, inArray, ne } from '../drizzle/core.ts'
import type { Alarm } from './alarms.ts'
import type { HqTransaction } from './database.ts'
import type { HqEvent } from './event.ts'
import { journal, seals } from './readable.ts'
import { histories } from './schema.ts'

interface Record {
  box: string
  history: number
  /** Entries that HQ has from the first one on. */
  leaves: number
}

/** Compares the events with what is stored; called before they are applied. */
export async function recordAlarms(
  tx: HqTransaction,
  { box, history, leaves }: Record,
  fresh: readonly HqEvent[],
): Promise<Alarm[]> {
  const alarms: Alarm[] = []
  const say = (kind: Alarm['kind'], subject: string, detail: string) =>
    alarms.push({ box, history, kind, subject, detail })
  for (const { table, op, id, before } of fresh) {
    if (op === 'insert') continue
    if (table === 'journal') say('journal_changed', before?.idx ?? '', `Event ${id} is an ${op} of an entry.`)
    if (table === 'seals') say('seal_changed', before?.size ?? '', `Event ${id} is an ${op} of a seal.`)
  }
  const entries = inserted(fresh, 'journal', 'idx')
  for (const { idx, bytes } of await storedEntries(tx, { box, history }, entries, leaves)) {
    if (bytes !== entries.get(idx)?.bytes)
      say('journal_changed', String(idx), `Entry ${idx} came again as another one.`)
  }
  const sealed = inserted(fresh, 'seals', 'size')
  for (const { size, root } of await storedSeals(tx, { box, history }, sealed)) {
    if (root !== sealed.get(size)?.root)
      say('seal_changed', String(size), `The seal of ${size} came again as another one.`)
  }
  const parted = await firstDifference(tx, { box, history }, entries)
  if (parted) {
    const detail = `Entry ${parted.idx} is another one than in the history ${parted.history}: from there on the box has two records.`
    // One alarm for each other history: entries come in order, so the first difference found is the first there is.
    say('histories_parted', String(parted.history), detail)
  }
  return alarms
}

type Inserted = ReadonlyMap<number, Readonly<{ [column: string]: string | null }>>

function inserted(fresh: readonly HqEvent[], table: string, key: string): Inserted {
  const rows = fresh.filter((event) => event.table === table && event.op === 'insert')
  return new Map(
    rows.map(({ after }) => [Number(after?.[key]), after ?? {}] as const).filter(([k]) => Number.isSafeInteger(k)),
  )
}

async function storedEntries(
  tx: HqTransaction,
  { box, history }: Pick<Record, 'box' | 'history'>,
  entries: Inserted,
  leaves: number,
) {
  // Most batches have only new entries, which need no query.
  const again = [...entries.keys()].filter((idx) => idx < leaves)
  if (again.length === 0) return []
  return tx
    .select({ idx: journal.index, bytes: journal.bytes })
    .from(journal)
    .where(and(eq(journal.box, box), eq(journal.history, history), inArray(journal.index, again)))
}

async function storedSeals(tx: HqTransaction, { box, history }: Pick<Record, 'box' | 'history'>, sealed: Inserted) {
  if (sealed.size === 0) return []
  return tx
    .select({ size: seals.size, root: seals.root })
    .from(seals)
    .where(and(eq(seals.box, box), eq(seals.history, history), inArray(seals.size, [...sealed.keys()])))
}

/** The first of these entries that differs in another history of the box. */
async function firstDifference(
  tx: HqTransaction,
  { box, history }: Pick<Record, 'box' | 'history'>,
  entries: Inserted,
): Promise<{ idx: number; history: number } | undefined> {
  if (entries.size === 0) return undefined
  const others = await tx
    .select({ history: histories.history })
    .from(histories)
    .where(and(eq(histories.box, box), ne(histories.history, history)))
  for (const other of others) {
    const rows = await tx
      .select({ idx: journal.index, bytes: journal.bytes })
      .from(journal)
      .where(and(eq(journal.box, box), eq(journal.history, other.history), inArray(journal.index, [...entries.keys()])))
      .orderBy(asc(journal.index))
    const difference = rows.find(({ idx, bytes }) => bytes !== entries.get(idx)?.bytes)
    if (difference) return { idx: difference.idx, history: other.history }
  }
  return undefined
}

/**
 * Stores a box's batch in one transaction: every event once, and its changes of the readable tables. The batch may be
 * acknowledged when this resolves, and not when it rejects. Late, repeated and reordered batches lead to the same rows: an
 * event is identified by its position, and a row accepts no change that is older than its last one.
 */
import { and, eq, max, sql } from '../drizzle/core.ts'
import type { Logger } from '../log.ts'
import { type Alarm, raise } from './alarms.ts'
import type { HqDb, HqTransaction } from './database.ts'
import type { At, HqEvent } from './event.ts'
import { fold, type RowChange, type TableChanges } from './fold.ts'
import { recordAlarms } from './record.ts'
import { boxes, events, histories } from './schema.ts'
import { checkSeals } from './seals.ts'
import { writeTiers } from './tiers.ts'

export interface StoringBox {
  /** The name that it was added under. */
  readonly name: string
  readonly box: string
  readonly verifierKey: string
  /** Events that are still to come, as the box says. */
  readonly waiting: number | null
}

export interface StoreDeps {
  db: HqDb
  logger: Logger
  /** Unix ms. */
  now: () => number
}

/** The box was removed while its batch was under way. */
export class BoxRemoved extends Error {
  override readonly name = 'BoxRemoved'
}

/** @param batch checked and in order. @returns how many of its events were new */
export async function storeBatch(who: StoringBox, batch: readonly HqEvent[], deps: StoreDeps): Promise<number> {
  const byHistory = Map.groupBy(batch, (event) => event.history)
  return deps.db.transaction(async (tx) => {
    // Locks the row: one batch of a box at a time, through whichever connection and whichever HQ it comes.
    const [row] = await tx
      .select({ removedAt: boxes.removedAt })
      .from(boxes)
      .where(and(eq(boxes.name, who.name), eq(boxes.box, who.box)))
      .for('update')
    if (!row || row.removedAt !== null) throw new BoxRemoved(`The box ${who.box} was removed.`)
    let stored = 0
    for (const [history, part] of byHistory) stored += await storeHistory(tx, who, history, part, deps)
    const seenAt = new Date(deps.now()).toISOString()
    await tx
      .update(boxes)
      .set({ seenAt, connected: true, waiting: who.waiting, lastError: null })
      .where(eq(boxes.name, who.name))
    return stored
  })
}

async function storeHistory(
  tx: HqTransaction,
  { box, verifierKey }: StoringBox,
  history: number,
  batch: readonly HqEvent[],
  { logger, now }: StoreDeps,
): Promise<number> {
  const found: Alarm[] = []
  const known = await openHistory(tx, { box, history, now: now(), found })
  const fresh = await insertEvents(tx, box, history, batch)
  if (fresh.length > 0) {
    const { tables, findings } = fold(fresh, known.truncated)
    found.push(...findings.map((finding) => ({ box, history, ...finding })))
    found.push(...(await recordAlarms(tx, { box, history, leaves: known.leaves }, fresh)))
    for (const changes of tables.values()) await applyChanges(tx, { box, history }, changes)
    await writeTiers(tx, { box, history }, fresh)
    const isOfTheRecord = tables.has('journal') || tables.has('seals')
    const sealed = isOfTheRecord
      ? await checkSeals(tx, { box, history, leaves: known.leaves, tree: known.tree, verifierKey })
      : { leaves: known.leaves, tree: known.tree, alarms: [] }
    found.push(...sealed.alarms)
    const truncated = { ...known.truncated }
    for (const [name, { truncated: at }] of tables) {
      const before = truncated[name]
      if (at && (!before || isAfter(at, { sequence: before[0], index: before[1] })))
        truncated[name] = [at.sequence, at.index]
    }
    const { leaves, tree } = sealed
    await moveOn(tx, { box, history, leaves, tree, truncated }, fresh, now())
  }
  await raise(tx, found, logger)
  return fresh.length
}

interface Context {
  box: string
  history: number
  now: number
  found: Alarm[]
}

async function openHistory(tx: HqTransaction, { box, history, now, found }: Context) {
  const isThis = and(eq(histories.box, box), eq(histories.history, history))
  const [known] = await tx.select().from(histories).where(isThis)
  if (known) return known
  const [before] = await tx
    .select({ history: max(histories.history) })
    .from(histories)
    .where(eq(histories.box, box))
  const firstSeenAt = new Date(now).toISOString()
  const [made] = await tx.insert(histories).values({ box, history, firstSeenAt, sequence: 0, index: 0 }).returning()
  if (!made) throw new Error('a row that was inserted was not returned')
  if (before?.history !== null && before?.history !== undefined) {
    const detail = `After the history ${before.history} the box has begun ${history}: its ledger was put back from a backup, its change log was given up or lost, or an older one has arrived late. Both are kept.`
    found.push({ box, history, kind: 'new_history', subject: '', detail })
  }
  return made
}

/** @returns the new ones, in order */
async function insertEvents(
  tx: HqTransaction,
  box: string,
  history: number,
  batch: readonly HqEvent[],
): Promise<HqEvent[]> {
  const list = <T>(of: (event: HqEvent) => T) => sql.param(batch.map(of))
  const { rows } = await tx.execute<{ sequence: string; index: number }>(sql`
    INSERT INTO ${events} (box, history, sequence, index, id, lsn, committed_at, table_name, op, before, after)
    SELECT ${box}, ${history}::bigint, * FROM unnest(
      ${list((e) => e.sequence)}::bigint[], ${list((e) => e.index)}::integer[], ${list((e) => e.id)}::text[],
      ${list((e) => e.lsn)}::text[], ${list((e) => e.committedAt)}::timestamptz[], ${list((e) => e.table)}::text[],
      ${list((e) => e.op)}::text[], ${list((e) => e.beforeJson)}::json[], ${list((e) => e.afterJson)}::json[]
    )
    ON CONFLICT DO NOTHING RETURNING sequence, index`)
  if (rows.length === batch.length) return [...batch]
  const isNew = new Set(rows.map(({ sequence, index }) => `${sequence}:${index}`))
  return batch.filter(({ sequence, index }) => isNew.has(`${sequence}:${index}`))
}

/** One statement for all rows with the same columns: usually one for the table. */
async function applyChanges(
  tx: HqTransaction,
  { box, history }: { box: string; history: number },
  { table, rows, truncated }: TableChanges,
): Promise<void> {
  const name = table.table
  if (truncated) {
    await tx.execute(sql`
      UPDATE ${name} SET deleted = true, at_sequence = ${truncated.sequence}, at_index = ${truncated.index}
      WHERE box = ${box} AND history = ${history} AND (at_sequence, at_index) < (${truncated.sequence}::bigint, ${truncated.index}::integer)`)
  }
  const groups = Map.groupBy(rows.values(), ({ values }) => Object.keys(values).sort().join())
  for (const group of groups.values()) {
    const own = Object.keys(group[0]?.values ?? {})
    const json = JSON.stringify(group.map((change) => rowOf(change, box, history)))
    const columns = ['box', 'history', 'at_sequence', 'at_index', 'deleted', 'extra', ...own]
    const changed = columns.filter((column) => !['box', 'history', 'extra', ...table.key].includes(column))
    const list = (parts: readonly string[]) =>
      sql.join(
        parts.map((part) => sql.identifier(part)),
        sql`, `,
      )
    const sets = changed.map((column) => sql`${sql.identifier(column)} = excluded.${sql.identifier(column)}`)
    // Columns that were sent and fit leave `extra`; those that were not sent stay in it.
    const keep = sql`nullif((coalesce(stored.extra, '{}') - ${sql.param(own)}::text[]) || coalesce(excluded.extra, '{}'), '{}')`
    await tx.execute(sql`
      INSERT INTO ${name} AS stored (${list(columns)})
      SELECT ${list(columns)} FROM json_populate_recordset(NULL::${name}, ${json}::json)
      ON CONFLICT (${list(['box', 'history', ...table.key])})
      DO UPDATE SET ${sql.join(sets, sql`, `)}, extra = ${keep}
      WHERE (stored.at_sequence, stored.at_index) < (excluded.at_sequence, excluded.at_index)`)
  }
}

function rowOf({ values, extra, deleted, at }: RowChange, box: string, history: number): object {
  const more = Object.keys(extra).length > 0 ? { extra } : {}
  return { ...values, ...more, box, history, deleted, at_sequence: at.sequence, at_index: at.index }
}

type Moved = Pick<typeof histories.$inferSelect, 'box' | 'history' | 'leaves' | 'tree' | 'truncated'>

async function moveOn(tx: HqTransaction, moved: Moved, fresh: readonly HqEvent[], now: number): Promise<void> {
  const { box, history, leaves, tree, truncated } = moved
  const newest = fresh.at(-1)
  if (!newest) return
  const bytes = fresh.reduce((sum, e) => sum + 100 + (e.beforeJson?.length ?? 0) + (e.afterJson?.length ?? 0), 0)
  const { sequence, index, committedAt } = newest
  const isNewer = sql`(${histories.sequence}, ${histories.index}) <= (${sequence}::bigint, ${index}::integer)`
  const ifNewer = (value: unknown, column: unknown) => sql`CASE WHEN ${isNewer} THEN ${value} ELSE ${column} END`
  await tx
    .update(histories)
    .set({
      leaves,
      tree,
      truncated,
      sequence: ifNewer(sql`${sequence}::bigint`, histories.sequence),
      index: ifNewer(sql`${index}::integer`, histories.index),
      committedAt: ifNewer(sql`${committedAt}::timestamptz`, histories.committedAt),
      receivedAt: new Date(now).toISOString(),
      events: sql`${histories.events} + ${fresh.length}`,
      bytes: sql`${histories.bytes} + ${bytes}`,
    })
    .where(and(eq(histories.box, box), eq(histories.history, history)))
}

function isAfter(a: At, b: At): boolean {
  return a.sequence - b.sequence > 0 || (a.sequence === b.sequence && a.index > b.index)
}

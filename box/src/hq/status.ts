/** The state of every box at HQ, from the database: `gatehouse-hq status`. */
import { asc, desc, eq, isNull, sql } from '../drizzle/core.ts'
import { formatLsn } from '../feed/lsn.ts'
import { listBoxes } from './boxes.ts'
import type { HqDb } from './database.ts'
import { seals } from './readable.ts'
import { alarms, histories, sealChecks } from './schema.ts'

export interface HistoryStatus {
  history: number
  first_seen_at: string
  /** Commit of the newest stored event, as an LSN. */
  position: string
  events: number
  /** About how many, as they came. */
  bytes: number
  /** Of the journal, from the first entry on. */
  entries: number
  seals: { good: number; bad: number; unchecked: number }
}

export interface BoxStatus {
  name: string
  box: string | null
  event: string | null
  connected: boolean
  seen_at: string | null
  position: string | null
  /** Changes that the box still had to send, as its last batch said; null when none did. */
  lag_events: number | null
  /** From the commit of the newest event at the box to its commit here. */
  lag_seconds: number | null
  last_error: string | null
  key_id: string | null
  /** Newest first; the views show the first. */
  histories: HistoryStatus[]
}

export interface AlarmStatus {
  id: number
  box: string
  history: number | null
  kind: string
  subject: string
  detail: string
  raised_at: string
  last_at: string
  count: number
}

export interface HqStatus {
  boxes: BoxStatus[]
  /** Open alarms, newest first. */
  alarms: AlarmStatus[]
  /** Size of HQ's tables on disk. */
  stored_bytes: number
}

/** After this long without news, a box is not shown as connected: a killed HQ leaves its boxes marked so. */
const STALE_MS = 30_000
const MOST_ALARMS = 100

/** @param now unix ms */
export async function readStatus(db: HqDb, now: number): Promise<HqStatus> {
  const [rows, lives, sealed, open, size] = await Promise.all([
    listBoxes(db),
    db.select().from(histories).orderBy(asc(histories.box), desc(histories.history)),
    sealCounts(db),
    db.select().from(alarms).where(isNull(alarms.answeredAt)).orderBy(desc(alarms.lastAt)).limit(MOST_ALARMS),
    storedBytes(db),
  ])
  return {
    boxes: rows.map((row) => {
      const own = lives.filter(({ box }) => box === row.box)
      const [newest] = own
      const { committedAt, receivedAt } = newest ?? {}
      return {
        name: row.name,
        box: row.box,
        event: row.event,
        connected: row.connected && row.seenAt !== null && now - Date.parse(row.seenAt) < STALE_MS,
        seen_at: row.seenAt && iso(row.seenAt),
        position: newest ? positionOf(newest) : null,
        lag_events: row.waiting,
        lag_seconds:
          committedAt && receivedAt ? Math.max(0, Date.parse(receivedAt) - Date.parse(committedAt)) / 1000 : null,
        last_error: row.lastError,
        key_id: row.verifierKey?.split('+')[1] ?? null,
        histories: own.map((life) => ({
          history: life.history,
          first_seen_at: iso(life.firstSeenAt),
          position: positionOf(life),
          events: life.events,
          bytes: life.bytes,
          entries: life.leaves,
          seals: sealed.get(`${life.box} ${life.history}`) ?? { good: 0, bad: 0, unchecked: 0 },
        })),
      }
    }),
    alarms: open.map(({ answeredAt: _, raisedAt, lastAt, history, ...alarm }) => ({
      ...alarm,
      history: history || null,
      raised_at: iso(raisedAt),
      last_at: iso(lastAt),
    })),
    stored_bytes: size,
  }
}

function positionOf({ history, sequence }: { history: number; sequence: number }): string {
  return formatLsn((BigInt(history) << 32n) + BigInt(sequence))
}

async function sealCounts(db: HqDb): Promise<Map<string, HistoryStatus['seals']>> {
  const count = (condition: ReturnType<typeof sql>) => sql<number>`count(*) FILTER (WHERE ${condition})`.mapWith(Number)
  const rows = await db
    .select({
      box: seals.box,
      history: seals.history,
      good: count(sql`${sealChecks.verdict} = 'good'`),
      bad: count(sql`${sealChecks.verdict} = 'bad'`),
      unchecked: count(sql`${sealChecks.verdict} IS NULL`),
    })
    .from(seals)
    .leftJoin(
      sealChecks,
      sql`${sealChecks.box} = ${seals.box} AND ${sealChecks.history} = ${seals.history} AND ${sealChecks.size} = ${seals.size}`,
    )
    .where(eq(seals.deleted, false))
    .groupBy(seals.box, seals.history)
  return new Map(rows.map(({ box, history, ...counts }) => [`${box} ${history}`, counts]))
}

async function storedBytes(db: HqDb): Promise<number> {
  const { rows } = await db.execute<{ bytes: string | null }>(
    sql`SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'`,
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** From PostgreSQL's format of a time. */
function iso(text: string): string {
  return new Date(text).toISOString()
}

export function statusText({ boxes, alarms: open, stored_bytes }: HqStatus): string {
  const lines = boxes.flatMap((box) => [
    `${box.name}${box.box ? `  (${box.box}, ${box.event})` : ''}`,
    `  connected   ${box.connected ? 'yes' : `no${box.seen_at ? `, last seen ${box.seen_at}` : ', never seen'}`}`,
    `  position    ${box.position ?? 'nothing has arrived'}`,
    ...(box.position
      ? [
          `  lag         ${box.lag_events ?? '?'} events still at the box; the newest took ${box.lag_seconds ?? '?'} s to get here`,
        ]
      : []),
    ...(box.last_error ? [`  last error  ${box.last_error}`] : []),
    ...box.histories.map(
      ({ history, events, bytes, entries, seals: { good, bad, unchecked } }, i) =>
        `  history ${history}${i > 0 ? ' (older)' : ''}: ${events} events, ${bytes} bytes, ${entries} entries; seals: ${good} good, ${bad} bad, ${unchecked} unchecked`,
    ),
    '',
  ])
  const said = open.map(
    ({ id, box, kind, detail, count, last_at }) =>
      `  ${id}  ${last_at}  ${box}  ${kind}${count > 1 ? ` (${count} times)` : ''}: ${detail}`,
  )
  return [
    ...(boxes.length > 0 ? lines : ['No box was added yet: gatehouse-hq add-box --help', '']),
    open.length > 0 ? 'Alarms:' : 'No alarms.',
    ...said,
    `On disk: ${stored_bytes} bytes.`,
  ].join('\n')
}

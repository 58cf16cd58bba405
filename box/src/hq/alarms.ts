/** Alarms for the people at HQ: each finding is one row, with how often and when it was last seen. */
import { and, eq, isNull, sql } from '../drizzle/core.ts'
import type { Logger } from '../log.ts'
import type { HqDb, HqTransaction } from './database.ts'
import { type AlarmKind, alarms } from './schema.ts'

export interface Alarm {
  box: string
  history?: number
  kind: AlarmKind
  subject: string
  detail: string
}

/** Runs in the batch's transaction, so that finding and batch are stored together. */
export async function raise(db: HqDb | HqTransaction, found: readonly Alarm[], logger: Logger): Promise<void> {
  // One statement cannot update a row twice.
  const distinct = new Map(
    found.map((alarm) => [[alarm.box, alarm.history, alarm.kind, alarm.subject].join(' '), alarm]),
  )
  if (distinct.size === 0) return
  const rows = await db
    .insert(alarms)
    .values([...distinct.values()])
    .onConflictDoUpdate({
      target: [alarms.box, alarms.history, alarms.kind, alarms.subject],
      // Found again after it was answered: it is open again.
      set: { count: sql`${alarms.count} + 1`, lastAt: sql`now()`, answeredAt: null },
    })
    .returning({
      box: alarms.box,
      history: alarms.history,
      kind: alarms.kind,
      count: alarms.count,
      detail: alarms.detail,
    })
  for (const { kind, count, ...alarm } of rows) {
    // Logged at 1, 10, 100, ...: a box that repeats an error all day must not fill the log.
    if (count === 1 || Math.log10(count) % 1 === 0) logger.warn({ event: 'hq_alarm', alarm: kind, count, ...alarm })
  }
}

/** @returns false when there is no such open alarm */
export async function answerAlarm(db: HqDb, id: number, now: number): Promise<boolean> {
  const answered = await db
    .update(alarms)
    .set({ answeredAt: new Date(now).toISOString() })
    .where(and(eq(alarms.id, id), isNull(alarms.answeredAt)))
    .returning({ id: alarms.id })
  return answered.length > 0
}

/** What somebody at HQ has to look at: rows of `alarms`, each finding once, with how often and when it was last seen. */
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

/** Within the transaction of what was found, so that a finding is there when the batch is. */
export async function raise(db: HqDb | HqTransaction, found: readonly Alarm[], logger: Logger): Promise<void> {
  // One statement cannot touch a row twice.
  const distinct = new Map(
    found.map((alarm) => [[alarm.box, alarm.history, alarm.kind, alarm.subject].join(' '), alarm]),
  )
  if (distinct.size === 0) return
  const rows = await db
    .insert(alarms)
    .values([...distinct.values()])
    .onConflictDoUpdate({
      target: [alarms.box, alarms.history, alarms.kind, alarms.subject],
      // Answered and found again: it stands again.
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
    // A box that sends the same nonsense all day fills no log.
    if (count === 1 || Math.log10(count) % 1 === 0) logger.warn({ event: 'hq_alarm', alarm: kind, count, ...alarm })
  }
}

/** @returns false when there is none that stands */
export async function answerAlarm(db: HqDb, id: number, now: number): Promise<boolean> {
  const answered = await db
    .update(alarms)
    .set({ answeredAt: new Date(now).toISOString() })
    .where(and(eq(alarms.id, id), isNull(alarms.answeredAt)))
    .returning({ id: alarms.id })
  return answered.length > 0
}

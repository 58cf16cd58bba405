/** Handles one batch, from its sender to the answer: the receiver's rules of the change feed's specification. */
import type { X509Certificate } from 'node:crypto'
import type { ChangeEvent } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { status } from '@grpc/grpc-js'
import { eq } from '../drizzle/core.ts'
import { StatusError } from '../feed/grpc/server.ts'
import { TooMany, type Turns } from '../feed/grpc/turns.ts'
import type { Logger } from '../log.ts'
import { raise } from './alarms.ts'
import { BoxError, bindBox } from './boxes.ts'
import { causeOf, type HqDb } from './database.ts'
import { BadBatch, readBatch } from './event.ts'
import type { Roster } from './roster.ts'
import { boxes } from './schema.ts'
import type { AddedBox } from './sender.ts'
import { BoxRemoved, storeBatch } from './store.ts'

export interface DeliverDeps {
  db: HqDb
  logger: Logger
  /** Unix ms. */
  now: () => number
  roster: Roster
  turns: Turns
}

interface Answer {
  ok: boolean
  message: string
}

interface Sent {
  /** Decodes the batch, once its sender is known. Throws for what is not a batch. */
  read: () => readonly ChangeEvent[]
  /** Events that are still to come, as the box says. */
  waiting: number | null
}

/**
 * @returns `ok` only after the commit; not ok for a batch that can never be stored as it is
 * @throws StatusError for a sender that may not write, and for errors of HQ itself, after which the same batch may be sent again
 */
export async function deliver(
  certificate: X509Certificate,
  { read, waiting }: Sent,
  deps: DeliverDeps,
): Promise<Answer> {
  const sender = deps.roster.senderOf(certificate, deps.now())
  if (!sender.ok) {
    if (sender.added) await raiseAlarm(sender.added, 'identity', sender.reason, deps)
    throw new StatusError(sender.added ? status.PERMISSION_DENIED : status.UNAUTHENTICATED, sender.reason)
  }
  const { added, shown } = sender
  try {
    return await deps.turns.take(added.name, async () => {
      const batch = readBatch(read())
      if (added.box === null) {
        await bindBox(deps.db, added, shown)
        await deps.roster.reread()
      }
      const stored = await storeBatch({ name: added.name, ...shown, waiting }, batch, deps)
      deps.logger.debug({ event: 'hq_batch', box: shown.box, events: batch.length, stored })
      return { ok: true, message: '' }
    })
  } catch (error) {
    return answerTo(error, added, deps)
  }
}

/** PostgreSQL's error classes for data that does not fit and for exceeded limits: the same batch fails each time. */
const OF_THE_BATCH = /^(22|54)/

async function answerTo(error: unknown, added: AddedBox, deps: DeliverDeps): Promise<Answer> {
  if (error instanceof TooMany) throw new StatusError(status.RESOURCE_EXHAUSTED, error.message)
  if (error instanceof BoxRemoved) throw new StatusError(status.PERMISSION_DENIED, error.message)
  if (error instanceof BoxError) {
    await raiseAlarm(added, 'identity', error.message, deps)
    throw new StatusError(status.PERMISSION_DENIED, error.message)
  }
  const { code = '', message } = causeOf(error)
  if (error instanceof BadBatch || OF_THE_BATCH.test(code)) {
    // PostgreSQL's message may quote a value.
    const reason = error instanceof BadBatch ? message : `the database refuses a value in it (${code})`
    await raiseAlarm(added, 'bad_batch', reason, deps)
    return { ok: false, message: `HQ cannot store this batch: ${reason}. The box keeps it; nothing after it arrives.` }
  }
  deps.logger.error({ event: 'hq_not_stored', box: added.box ?? added.name, code, err: error })
  throw new StatusError(status.UNAVAILABLE, `HQ cannot write to its database just now (${code || 'no answer'}).`)
}

/** Raises an alarm that the operator sees. Where the database is down, the log has it instead. */
async function raiseAlarm(
  { name, box }: AddedBox,
  kind: 'identity' | 'bad_batch',
  detail: string,
  { db, logger, now }: DeliverDeps,
): Promise<void> {
  try {
    await raise(db, [{ box: box ?? name, kind, subject: kind === 'identity' ? name : '', detail }], logger)
    const lastErrorAt = new Date(now()).toISOString()
    await db.update(boxes).set({ lastError: detail, lastErrorAt }).where(eq(boxes.name, name))
  } catch (error) {
    logger.error({ event: 'hq_alarm_not_written', alarm: kind, err: error })
  }
}

/** One batch, from who sent it to what it is answered: the receiver's rules of the change feed's specification. */
import type { X509Certificate } from 'node:crypto'
import type { ChangeEvent } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { status } from '@grpc/grpc-js'
import { eq } from '../drizzle/core.ts'
import type { Logger } from '../log.ts'
import { raise } from './alarms.ts'
import { BoxError, bindBox } from './boxes.ts'
import { causeOf, type HqDb } from './database.ts'
import { BadBatch, readBatch } from './event.ts'
import { boxes } from './schema.ts'
import { BoxRemoved, storeBatch } from './store.ts'
import { TooMany, type Turns } from './turns.ts'
import { type AddedBox, whoIs } from './who.ts'

/** Not an answer to the batch, but to whoever sent it: a gRPC status. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: status

  constructor(code: status, message: string) {
    super(message)
    this.code = code
  }
}

export interface DeliverDeps {
  db: HqDb
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Those that may write, as they were a moment ago. */
  added: () => readonly AddedBox[]
  /** Tells that what a box is bound to has changed. */
  reread: () => Promise<void>
  turns: Turns
}

interface Answer {
  ok: boolean
  message: string
}

interface Sent {
  /** Decodes the batch, once it is known who sends it. Throws for what is no batch. */
  read: () => readonly ChangeEvent[]
  /** Events that are still to come, as the box says. */
  waiting: number | null
}

/**
 * @returns `ok` only after the commit; not ok for a batch that can never be stored as it is
 * @throws Refusal for somebody who may not write, and for trouble of HQ's own: the same batch is welcome later
 */
export async function deliver(
  certificate: X509Certificate,
  { read, waiting }: Sent,
  deps: DeliverDeps,
): Promise<Answer> {
  const who = whoIs(certificate, deps.added(), deps.now())
  if (!who.ok) {
    if (who.added) await complain(who.added, 'identity', who.reason, deps)
    throw new Refusal(who.added ? status.PERMISSION_DENIED : status.UNAUTHENTICATED, who.reason)
  }
  const { added, shown } = who
  try {
    return await deps.turns.take(added.name, async () => {
      const batch = readBatch(read())
      if (added.box === null) {
        await bindBox(deps.db, added, shown)
        await deps.reread()
      }
      const stored = await storeBatch({ name: added.name, ...shown, waiting }, batch, deps)
      deps.logger.debug({ event: 'hq_batch', box: shown.box, events: batch.length, stored })
      return { ok: true, message: '' }
    })
  } catch (error) {
    return answerTo(error, added, deps)
  }
}

/** Data that does not fit and programs that are too complex, by PostgreSQL's classes: the same batch fails each time. */
const OF_THE_BATCH = /^(22|54)/

async function answerTo(error: unknown, added: AddedBox, deps: DeliverDeps): Promise<Answer> {
  if (error instanceof TooMany) throw new Refusal(status.RESOURCE_EXHAUSTED, error.message)
  if (error instanceof BoxRemoved) throw new Refusal(status.PERMISSION_DENIED, error.message)
  if (error instanceof BoxError) {
    await complain(added, 'identity', error.message, deps)
    throw new Refusal(status.PERMISSION_DENIED, error.message)
  }
  const { code = '', message } = causeOf(error)
  if (error instanceof BadBatch || OF_THE_BATCH.test(code)) {
    // What PostgreSQL says may quote a value.
    const reason = error instanceof BadBatch ? message : `the database refuses a value in it (${code})`
    await complain(added, 'bad_batch', reason, deps)
    return { ok: false, message: `HQ cannot store this batch: ${reason}. The box keeps it; nothing after it arrives.` }
  }
  deps.logger.error({ event: 'hq_not_stored', box: added.box ?? added.name, code, err: error })
  throw new Refusal(status.UNAVAILABLE, `HQ cannot write to its database just now (${code || 'no answer'}).`)
}

/** Where an operator sees it. HQ without its database has said so in its log. */
async function complain(
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

/** Before a database is followed: its change log is as configured, and in the life that its slot says. */
import { randomBytes } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { SinkLog } from '../../sink.ts'
import { installChangelog, outOfStep } from './changelog.ts'
import { isAnotherLife, lastUsed, type Memory, nextIncarnation } from './lives.ts'
import type { SqliteOptions } from './options.ts'
import { Slot, type SlotRow } from './slot.ts'

interface Beginning {
  /**
   * Undefined when nothing is known of this database: it may be a backup on another machine, whose next changes would have
   * ids that receivers know. What was told and not confirmed comes again with new ids; that is the lesser evil.
   */
  memory: Memory | undefined
  /** Unix ms. */
  now: number
  log: SinkLog
}

/**
 * Makes what is missing where that may be made, begins another life where this may not be the one that was read before, and goes on behind what
 * was dropped where that is wanted.
 * @returns where the slot stands after that. @throws with advice
 */
export function bringInStep(db: Database, options: SqliteOptions, { memory, now, log }: Beginning): SlotRow {
  const { path } = options
  const next = (...earlier: Pick<Memory, 'incarnation' | 'seq'>[]) =>
    nextIncarnation(now, ...[...earlier, ...(memory ? [memory] : [])].map(lastUsed))
  if (options.create) installChangelog(db, options, next(), newToken())
  const problem = outOfStep(db, options)
  if (problem) throw new Error(`${path} cannot be followed: ${problem}. Set "create: true", or ask its owner.`)

  const slot = new Slot(db)
  const following = () => next({ incarnation: slot.read().incarnation, seq: slot.lastSeq() })
  if (!memory || isAnotherLife(memory, slot.read(), slot.lastSeq())) {
    const incarnation = following()
    required(slot.setIncarnation(incarnation))
    if (memory) log.warn({ event: 'feed_source_restored', before: memory.incarnation, now: incarnation })
  }
  const { lost, confirmed } = slot.read()
  if (lost) {
    if (options.onSlotLost === 'fail') {
      const advice = 'set "onSlotLost: recreate" to go on from now, and read the tables anew'
      throw new Error(`${path} has dropped changes that nobody took for too long: ${advice}.`)
    }
    required(slot.recreate(following()))
    log.warn({ event: 'feed_slot_recreated', dropped_after: confirmed })
  }
  return slot.read()
}

export function newToken(): string {
  return randomBytes(8).toString('hex')
}

function required(written: boolean): void {
  if (!written) throw new Error('another program holds the database: try again when it has finished.')
}

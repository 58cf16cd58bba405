/** Makes a database's change log as configured, and its incarnation sound, before it is followed. */
import type { Database } from 'better-sqlite3'
import { hasChangelog, installChangelog, outOfStep } from '../../../ledger/changelog.ts'
import { LOG } from '../../../ledger/triggers.ts'
import type { SinkLog } from '../../sink.ts'
import type { Delivered } from '../../source.ts'
import { identityOf, isAnotherIncarnation, lastUsed, type Memory, nextIncarnation } from './incarnation.ts'
import { newToken } from './memory-file.ts'
import type { SqliteOptions } from './options.ts'
import { lsnOf } from './reader.ts'
import { Slot, type SlotRow } from './slot.ts'

interface Beginning {
  /**
   * Undefined when nothing is known of this database: it may be a backup on another machine, whose next changes would have
   * ids that receivers know. What was delivered and not confirmed comes again with new ids; that is the lesser evil.
   */
  memory: Memory | undefined
  /** The progress of the sinks, from the runs before. */
  delivered?: Delivered | undefined
  /** Unix ms. */
  now: number
  log: SinkLog
}

/**
 * Makes what is missing where the configuration allows it, begins another incarnation where this may not be the one that was
 * read before, and goes on behind what was dropped where that is configured.
 * @returns the slot as it is then. @throws with advice
 */
export function bringInStep(db: Database, options: SqliteOptions, { memory, delivered, now, log }: Beginning): SlotRow {
  const { path } = options
  const next = (...earlier: Pick<Memory, 'incarnation' | 'seq'>[]) =>
    nextIncarnation(now, ...[...earlier, ...(memory ? [memory] : [])].map(lastUsed))
  if (options.create) installChangelog(db, options, next(), newToken())
  const problem = outOfStep(db, options)
  if (problem) throw new Error(`${path} cannot be followed: ${problem}. Set "create: true", or ask its owner.`)

  const slot = new Slot(db)
  const following = () => next({ incarnation: slot.read().incarnation, seq: slot.lastSeq() })
  const isAnother = !memory || isAnotherIncarnation(memory, slot.read(), slot.lastSeq())
  if (isAnother || !(slot.read().lost || hasDelivered(db, slot.read(), delivered))) {
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

/**
 * True if the log ends before what was read of it in this very incarnation. After a power cut the writer may still have to bring it back
 * from its redo log.
 */
export function endsTooEarly(db: Database, { memory, delivered }: Pick<Beginning, 'memory' | 'delivered'>): boolean {
  if (!memory || !hasChangelog(db)) return false
  const slot = new Slot(db)
  const row = slot.read()
  if (row.lost || row.incarnation !== memory.incarnation || !memory.tokens.includes(row.token)) return false
  return slot.lastSeq() < memory.seq || !hasDelivered(db, row, delivered)
}

/**
 * Tells if the log has what was delivered and is not confirmed yet. A copy that was put back within seconds, and a power cut that
 * took the last commits, leave the slot's token as it was; and then other changes have the same sequences.
 */
function hasDelivered(db: Database, { incarnation, confirmed }: SlotRow, delivered: Delivered | undefined): boolean {
  if (delivered?.identity !== identityOf(incarnation)) return true
  const timeOf = db.prepare<{ seq: number }, number>(`
    SELECT coalesce((SELECT at FROM ${LOG} WHERE last >= $seq AND seq <= $seq ORDER BY seq DESC LIMIT 1), at) FROM ${LOG} WHERE seq = $seq`)
  return delivered.transactions.every(({ commitLsn, commitTime }) => {
    const seq = Number(commitLsn - lsnOf(incarnation, 0))
    if (seq <= confirmed) return true
    const at = timeOf.pluck().get({ seq })
    return at !== undefined && (commitTime === undefined || new Date(at).toISOString() === commitTime)
  })
}

function required(written: boolean): void {
  if (!written) throw new Error('another program holds the database: try again when it has finished.')
}

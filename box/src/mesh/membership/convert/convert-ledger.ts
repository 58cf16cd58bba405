/**
 * Converts a copy of a box's ledger into the ledger of a new box: what a box starts with that joins, or that is restored from its
 * backup while other boxes exist. Two boxes under one name would write two records of one log, and no seal of either could be
 * believed.
 *
 * The journal of the copied box becomes a replicated journal, like those that it had replicated itself, in the same order. The new
 * box's own journal records them with one `heard` entry after the other, and every row points to the one that brought it. Answers
 * to scans stay, so that a scan that is sent to both boxes gets one answer.
 */
import { HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import type { By } from '../../../ca/actor.ts'
import { isNull, sql } from '../../../drizzle/core.ts'
import { type Db, openDb, settleLedger } from '../../../ledger/db.ts'
import { readValue } from '../../../ledger/identity.ts'
import { Ledger } from '../../../ledger/ledger.ts'
import { journal, products } from '../../../ledger/schema.ts'
import { TICKET_SUM } from '../../../tickets/staging/publish.ts'
import { recoverImports } from '../../../tickets/staging/recover.ts'
import { TicketSum } from '../../../tickets/ticket-sum.ts'
import { TicketVersions } from '../../../tickets/versions.ts'
import { type CopiedBox, type NewBox, readCopiedBox, takeIdentity } from './identity.ts'
import { deleteOwnRows, passOnJournal, repointRows } from './rows.ts'
import { type Stretch, stretchesOf } from './stretches.ts'

export interface ConvertedLedger {
  /** The id of the box whose ledger was copied. */
  from: string
  /** Entries of its journal. */
  entries: number
}

export interface ConvertOptions {
  box: NewBox
  /** The reason, for the first entries of the new box's journal: `joined` or `restored`. */
  action: 'joined' | 'restored'
  by: By
  /** Unix ms. */
  now: () => number
  random: (size: number) => Buffer
}

/**
 * @param path of a ledger at rest that nobody else has open; of the new box's ledger afterwards, at rest again. A failure leaves it
 *   half converted: work on a copy
 * @throws LedgerFileError for a file that is not a ledger of this version
 */
export function convertLedger(path: string, options: ConvertOptions): ConvertedLedger {
  // No change log: what a feed follows here was published by another box. The new box begins its own when it starts.
  const db = openDb(path, 'none')
  let converted: ConvertedLedger
  try {
    converted = convert(db, options)
  } finally {
    db.close()
  }
  settleLedger(path)
  return converted
}

function convert(db: Db, options: ConvertOptions): ConvertedLedger {
  const { drizzle } = db
  drizzle.run(sql`PRAGMA secure_delete = ON`)
  // Nobody writes to a copy: what was being imported never comes to count.
  recoverImports(db, db.secrets.get('ref_key') ?? Buffer.alloc(32), () => false)
  const copied = readCopiedBox(db)
  const stretches = stretchesOf(db, copied)
  db.transaction(() => {
    new TicketVersions(db).handOver(copied.boxId)
    drizzle.update(products).set({ box: copied.boxId }).where(isNull(products.box)).run()
    repointRows(db, stretches)
    passOnJournal(db, copied)
    deleteOwnRows(db)
    drizzle.delete(journal).run()
    takeIdentity(db, copied, options)
  })
  beginJournal(db, copied, stretches, options)
  return { from: copied.boxId, entries: copied.entries }
}

/** Writes the first entries of the new box. Their number and order is what the rows point to. */
function beginJournal(
  db: Db,
  copied: CopiedBox,
  stretches: readonly Stretch[],
  { box, action, by, now }: ConvertOptions,
): void {
  const clock = new HybridLogicalClock({ wallClock: now, maxOffsetMs: Number.MAX_SAFE_INTEGER })
  const last = parse(copied.lastHlc)
  if (last) clock.raiseTo(last)
  const ledger = new Ledger(db, clock)
  ledger.transact(() => {
    ledger.append('event', { box: box.boxId, event: copied.event })
    // The last record carries the digest of all tickets, as any record does that has changed one.
    const sum = readValue(db, TICKET_SUM)
    const digest = sum && { tickets_digest: new TicketSum(sum).digest() }
    for (const { record } of stretches)
      ledger.append('heard', { ...record, ...(record === stretches.at(-1)?.record && digest) })
    ledger.append('mesh', { ...by, action, box: box.boxId, from: copied.boxId, entries: copied.entries })
  })
}

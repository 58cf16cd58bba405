/** The logs of other boxes, as far as this box's journal announces their entries, with seals and cosignatures. */

import { and, asc, eq, lt, lte, min, or, sql } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import { boxes, peerJournal, peerSeals } from '../../ledger/schema.ts'
import { type CheckedCosignature, goodCosignatures } from '../cosign/witness.ts'

export interface OtherLog {
  box: string
  /** Verifier key of its log. */
  key: string
  /** Seals of announced entries. */
  seals: { size: number; root: Buffer; note: string; at: number }[]
}

export interface OtherLogs {
  boxes: OtherLog[]
  /** Cosignatures of seals in the export, also of this box's. */
  cosignatures: CheckedCosignature[]
}

/**
 * @param cover.size number of entries of this box's log: entries that were replicated later are left out
 * @returns undefined if no entry was ever replicated
 */
export function othersUpTo(
  db: Pick<Db, 'drizzle'>,
  { origin, size }: { origin: string; size: number },
): OtherLogs | undefined {
  const { drizzle } = db
  const [, , self = ''] = origin.split('/')
  const heard = drizzle
    .selectDistinct({ box: peerJournal.box })
    .from(peerJournal)
    .where(and(sql`${peerJournal.entry} >= 0`, lt(peerJournal.entry, size)))
    .all()
  if (heard.length === 0) return undefined
  const told = new Set(heard.map(({ box }) => box))
  const known = drizzle.select().from(boxes).orderBy(asc(boxes.id)).all()
  const logs = known
    .filter(({ id }) => id !== self && told.has(id))
    .map(({ id: box, logKey: key, heard }): OtherLog => {
      const upTo = Math.min(heard, firstUntold(db, box, size) ?? heard)
      const ofBox = and(eq(peerSeals.box, box), lte(peerSeals.size, upTo))
      const seals = drizzle.select().from(peerSeals).where(ofBox).orderBy(asc(peerSeals.size)).all()
      return { box, key, seals }
    })
  const sealed = new Set(logs.flatMap(({ box, seals }) => seals.map((seal) => `${box} ${seal.size}`)))
  const names = new Set([self, ...logs.map(({ box }) => box)])
  const cosignatures = goodCosignatures({ db }, self).filter(
    (one) => names.has(one.witness) && (sealed.has(`${one.box} ${one.size}`) || (one.box === self && one.size <= size)),
  )
  return { boxes: logs, cosignatures }
}

/** The first entry of a box that is here but that no entry up to `size` announces. */
function firstUntold({ drizzle }: Pick<Db, 'drizzle'>, box: string, size: number): number | null {
  const untold = or(lt(peerJournal.entry, 0), sql`${peerJournal.entry} >= ${size}`)
  const [row] = drizzle
    .select({ first: min(peerJournal.index) })
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), untold))
    .all()
  return row?.first ?? null
}

/** The logs of other boxes, as far as this box's own says that it heard them: with their seals, and who signed whose. */

import type { Db } from '../db.ts'
import { and, asc, eq, lt, lte, min, or, sql } from '../drizzle/core.ts'
import { boxes, peerJournal, peerSeals } from '../ledger/schema.ts'
import { type CheckedCosignature, goodCosignatures } from '../mesh/cosign/witness.ts'

export interface OtherLog {
  box: string
  /** Verifier key of its log. */
  key: string
  /** Those of entries that are told. */
  seals: { size: number; root: Buffer; note: string; at: number }[]
}

export interface OtherLogs {
  boxes: OtherLog[]
  /** Of seals that are there, this box's own among them. */
  cosignatures: CheckedCosignature[]
}

/**
 * @param cover.size entries of this box's log: what was heard after them is left out
 * @returns undefined where nothing was ever heard
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

/** The first entry of a box that is here and that nobody has said, or said only later. */
function firstUntold({ drizzle }: Pick<Db, 'drizzle'>, box: string, size: number): number | null {
  const untold = or(lt(peerJournal.entry, 0), sql`${peerJournal.entry} >= ${size}`)
  const [row] = drizzle
    .select({ first: min(peerJournal.index) })
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), untold))
    .all()
  return row?.first ?? null
}

/**
 * Uses of the admin token that nobody has acknowledged yet: kept in the ledger, so that a restart does not take the warning away.
 * Written in the transaction of the entry that says so, of this box or of another.
 */
import type { GlassUsed } from '@gatehouse/proto/wire/stats.ts'
import type { Db } from './db.ts'
import { readValue, writeValue } from './identity.ts'

const NAME = 'admin_token_uses'

/** The uses that nobody has acknowledged; undefined for none. */
export function unseenUses(db: Db): GlassUsed | undefined {
  const text = readValue(db, NAME)?.toString() ?? ''
  return text === '' ? undefined : JSON.parse(text)
}

/** Counts one more. @param hlc of its entry */
export function noteUse(db: Db, { hlc, address }: { hlc: string; address: string }): void {
  const count = (unseenUses(db)?.count ?? 0) + 1
  const last_at = new Date(Number(hlc.split('.', 1)[0])).toISOString()
  writeValue(db, NAME, Buffer.from(JSON.stringify({ count, last_at, last_address: address })))
}

/** Somebody has acknowledged every use that this box knows. */
export function clearUses(db: Db): void {
  if (unseenUses(db)) writeValue(db, NAME, Buffer.alloc(0))
}

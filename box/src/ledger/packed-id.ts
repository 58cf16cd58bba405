/** Ids in the form in which the ledger's indexes hold them. */
import { type SQL, sql } from '../drizzle/core.ts'
import type { SQLiteColumn } from '../drizzle/sqlite.ts'

/** As `crypto.randomUUID` writes one: any other spelling is another id, and has to come back as it was. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** @returns the 16 bytes of a UUID in lower case; any other text as it is. Drizzle does this for what is inserted, and not for a placeholder in a condition */
export function packId(id: string): string | Buffer {
  return UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : id
}

/** The text that `packId` was given. */
export function unpackId(packed: string | Buffer): string {
  if (typeof packed === 'string') return packed
  const hex = packed.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The same of a column, in SQL. */
export function unpacked(column: SQLiteColumn): SQL {
  const part = (from: number, length: number) => sql`lower(substr(hex(${column}), ${from}, ${length}))`
  const uuid = sql`${part(1, 8)} || '-' || ${part(9, 4)} || '-' || ${part(13, 4)} || '-' || ${part(17, 4)} || '-' || ${part(21, 12)}`
  return sql`CASE typeof(${column}) WHEN 'blob' THEN ${uuid} ELSE ${column} END`
}

/** For `IN`: one parameter for all UUIDs and one for all other ids, because SQLite has a limit on parameters. */
export function amongPacked(ids: readonly string[]): SQL {
  const packed = ids.map(packId)
  const texts = JSON.stringify(packed.filter((id) => typeof id === 'string'))
  const hex = JSON.stringify(packed.flatMap((id) => (typeof id === 'string' ? [] : [id.toString('hex')])))
  return sql`(SELECT value FROM json_each(${texts}) UNION ALL SELECT unhex(value) FROM json_each(${hex}))`
}

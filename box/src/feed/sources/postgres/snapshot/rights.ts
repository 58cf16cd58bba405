/** For `changefeed check`: whether a snapshot could read every row. A start refuses at the same tables, before it makes the slot. */
import type { Situation } from '../catalog.ts'
import type { Database } from '../database.ts'
import { SourceError } from '../faults.ts'
import type { PostgresOptions } from '../options.ts'
import type { Finding } from '../preflight.ts'
import { requireReadable, tablesOf } from './tables.ts'

const CHECK = 'snapshot'

/** @throws when the database cannot be asked */
export async function snapshotFindings(
  database: Database,
  { slot, publication }: Situation,
  options: PostgresOptions,
): Promise<Finding[]> {
  if (options.snapshot !== 'initial' || !publication) return []
  const [session] = await database.query('SELECT current_user AS role')
  const tables = await tablesOf((sql, values) => database.query(sql, values), options.publication.name)
  // With a slot, its rows may all have been sent.
  const needed = slot === undefined
  try {
    requireReadable(tables, session?.role ?? '')
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return [{ check: CHECK, needed, ok: false, message: error.message }]
  }
  const message = `The rows of ${tables.length} ${tables.length === 1 ? 'table' : 'tables'} can be read.`
  return [{ check: CHECK, needed, ok: true, message }]
}

/** The tables that a snapshot reads: those of the publication, with the columns and the rows that it publishes. */
import type { Row } from '../database.ts'
import { SourceError } from '../faults.ts'

export interface SnapshotTable {
  /** `schema.table`; tables are read in the order of these. */
  readonly full: string
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of the primary key, or of the replica identity's index, with their types; empty where there is neither. */
  readonly key: readonly { readonly name: string; readonly type: string }[]
  /** The publication's condition for rows. */
  readonly filter: string | null
  readonly isPartitioned: boolean
  readonly isReadable: boolean
  /** A policy leaves out rows. */
  readonly hasPolicy: boolean
  /** Rows, as the server's statistics have it; 0 where they have nothing. */
  readonly estimate: number
}

type Query = (sql: string, values: readonly unknown[]) => Promise<readonly Row[]>

// Column lists and row filters exist since version 15. What is generated is not published before version 18.
const TABLES = `
  SELECT t.schemaname AS schema, t.tablename AS name, c.relkind AS kind, greatest(c.reltuples, 0)::bigint AS estimate,
    to_jsonb(t) ->> 'rowfilter' AS filter, has_table_privilege(c.oid, 'SELECT') AS readable,
    row_security_active(c.oid) AS policy,
    coalesce(to_jsonb(t) -> 'attnames', (SELECT jsonb_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')) AS columns,
    (SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY k.at)
      FROM (SELECT indkey, indnkeyatts FROM pg_index WHERE indrelid = c.oid AND indisunique AND indisvalid
        AND indimmediate AND indpred IS NULL AND (indisprimary OR indisreplident) ORDER BY indisprimary DESC LIMIT 1) i,
        unnest(i.indkey) WITH ORDINALITY k(attnum, at)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
      WHERE k.at <= i.indnkeyatts) AS key
  FROM pg_publication_tables t
    JOIN pg_namespace n ON n.nspname = t.schemaname
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = t.tablename
  WHERE t.pubname = $1`

export async function tablesOf(query: Query, publication: string): Promise<SnapshotTable[]> {
  const rows = await query(TABLES, [publication])
  const tables = rows.map((row): SnapshotTable => {
    const { schema, name } = { schema: row.schema ?? '', name: row.name ?? '' }
    return {
      full: `${schema}.${name}`,
      schema,
      name,
      columns: JSON.parse(row.columns ?? '[]'),
      key: JSON.parse(row.key ?? '[]'),
      filter: row.filter ?? null,
      isPartitioned: row.kind === 'p',
      isReadable: row.readable === 't',
      hasPolicy: row.policy === 't',
      estimate: Number(row.estimate),
    }
  })
  return tables.sort((a, b) => (a.full < b.full ? -1 : 1))
}

/** @throws SourceError that names the tables which cannot be read in pages, or not at all */
export function requireReadable(tables: readonly SnapshotTable[], user: string): void {
  const names = (those: readonly SnapshotTable[]) => those.map(({ full }) => full).join(', ')
  const keyless = tables.filter(({ key }) => key.length === 0)
  if (keyless.length > 0) {
    throw new SourceError(
      `A snapshot reads each table by its key, and these have no primary key and no REPLICA IDENTITY USING INDEX: ${names(keyless)}. Add a key, take them out of the publication, or set source.snapshot to never`,
    )
  }
  const closed = tables.filter(({ isReadable }) => !isReadable)
  if (closed.length > 0) {
    throw new SourceError(
      `A snapshot needs the right to read the tables: GRANT SELECT ON ${closed.map(({ schema, name }) => `${quoted(schema)}.${quoted(name)}`).join(', ')} TO ${quoted(user)}; or set source.snapshot to never`,
    )
  }
  const hidden = tables.filter(({ hasPolicy }) => hasPolicy)
  if (hidden.length === 0) return
  throw new SourceError(
    `Row-level security hides rows of these tables from the feed: ${names(hidden)}. ALTER ROLE ${quoted(user)} BYPASSRLS, or set source.snapshot to never`,
  )
}

/** The statement for rows behind a key, which is given as its parameters; the row's columns come first, then its key. */
export function pageSql(table: SnapshotTable, hasKey: boolean, limit: number): string {
  const { schema, name, columns, key, filter, isPartitioned } = table
  const keys = key.map((column) => quoted(column.name))
  const given = key.map(({ type }, i) => `$${i + 1}::${type}`)
  const where = [
    ...(filter === null ? [] : [filter]),
    ...(hasKey ? [`(${keys.join(', ')}) > (${given.join(', ')})`] : []),
  ]
  const from = `${isPartitioned ? '' : 'ONLY '}${quoted(schema)}.${quoted(name)}`
  const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')} `
  return `SELECT ${[...columns.map(quoted), ...keys].join(', ')} FROM ${from} ${condition}ORDER BY ${keys.join(', ')} LIMIT ${limit}`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

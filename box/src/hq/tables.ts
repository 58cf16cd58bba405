/** The readable tables by the name that the ledger has for them, with what an image needs to become a row. */
import { getTableConfig, type PgTable } from '../drizzle/postgres.ts'
import {
  announcements,
  devices,
  flags,
  holds,
  incidentActions,
  incidents,
  journal,
  movements,
  overrides,
  seals,
  tickets,
} from './schema.ts'

/** How the text of a value becomes what its column holds. */
export type Kind = 'text' | 'whole' | 'real' | 'yes or no' | 'time' | 'json'

export interface ReadableTable {
  readonly name: string
  readonly table: PgTable
  /** Without what HQ itself adds. */
  readonly columns: ReadonlyMap<string, Kind>
  /** Of the ledger's own key. */
  readonly key: readonly string[]
}

const KINDS: Readonly<Record<string, Kind>> = {
  text: 'text',
  bigint: 'whole',
  integer: 'whole',
  'double precision': 'real',
  boolean: 'yes or no',
  'timestamp with time zone': 'time',
  jsonb: 'json',
}

/** HQ's own columns of every readable table. */
const OWN = new Set(['box', 'history', 'at_sequence', 'at_index', 'deleted', 'extra'])

export const READABLE: ReadonlyMap<string, ReadableTable> = new Map(
  [
    ...[announcements, devices, flags, holds, incidentActions, incidents],
    ...[journal, movements, overrides, seals, tickets],
  ].map((table) => {
    const { name: full, columns, primaryKeys } = getTableConfig(table as PgTable)
    const name = full.replace(/_all$/, '')
    const theirs = columns.filter((column) => !OWN.has(column.name))
    const key = (primaryKeys[0]?.columns ?? []).map((column) => column.name).filter((column) => !OWN.has(column))
    const kinds = theirs.map((column) => [column.name, KINDS[column.getSQLType()] ?? 'text'] as const)
    return [name, { name, table, columns: new Map(kinds), key }]
  }),
)

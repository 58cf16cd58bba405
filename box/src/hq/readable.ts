/**
 * The readable tables: one for each table that a ledger publishes, with the same columns. Each has the rows of every box and
 * of every history of it, the deleted ones too, and its name ends in `_all`; the view without `_all` has what is true now.
 *
 * Columns, types and keys are those of the ledger's schema. A change there that is published changes the tables here:
 * `drizzle-kit generate --config drizzle-hq.config.ts` makes the migration, and `schema.test.ts` fails without it.
 */
import { getTableColumns, getTableName } from '../drizzle/core.ts'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  type NotNull,
  type PgColumn,
  type PgTable,
  type PgTableExtraConfigValue,
  primaryKey,
  text,
} from '../drizzle/postgres.ts'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from '../drizzle/sqlite.ts'
import { type Published, published } from '../ledger/published.ts'
import { hq, time, whole } from './columns.ts'

const BUILDERS = {
  text: (name: string) => text(name),
  whole,
  real: (name: string) => doublePrecision(name),
  boolean: (name: string) => boolean(name),
  time,
  json: (name: string) => jsonb(name),
}

/** The contents of a column. */
export type Kind = keyof typeof BUILDERS

/** By Drizzle's name for the ledger's type. A blob is published as text: its own where it is one, else in hexadecimal. */
const KINDS = {
  SQLiteText: 'text',
  SQLiteTextJson: 'json',
  SQLiteInteger: 'whole',
  SQLiteBoolean: 'boolean',
  SQLiteReal: 'real',
  SQLiteBlobBuffer: 'text',
} as const satisfies Record<string, Kind>

/** Whole numbers with such a name are times, in unix milliseconds. */
type TimeName = 'at' | `${string}_at` | 'valid_from' | 'valid_until'
const TIME_NAME = /^at$|_at$|^valid_(from|until)$/

type KindOf<C extends SQLiteColumn> = C['_']['columnType'] extends 'SQLiteInteger'
  ? C['_']['name'] extends TimeName
    ? 'time'
    : 'whole'
  : C['_']['columnType'] extends keyof typeof KINDS
    ? (typeof KINDS)[C['_']['columnType']]
    : never

function kindOf({ columnType, name }: SQLiteColumn): Kind {
  const kind = (KINDS as Record<string, Kind>)[columnType]
  if (kind === undefined) throw new Error(`HQ has no type for ${columnType} of the column ${name}`)
  return kind === 'whole' && TIME_NAME.test(name) ? 'time' : kind
}

/** Columns outside the key are nullable: a box may not publish them. */
type Mirrored<T extends SQLiteTable, K extends keyof T['_']['columns'] & string> = {
  [N in K]: T['_']['columns'][N]['_']['isPrimaryKey'] extends true
    ? NotNull<ReturnType<(typeof BUILDERS)[KindOf<T['_']['columns'][N]>]>>
    : ReturnType<(typeof BUILDERS)[KindOf<T['_']['columns'][N]>]>
}

/** The first columns of every readable table: whose row it is, and the last change of it. */
const origin = () => ({
  box: text('box').notNull(),
  history: whole('history').notNull(),
  atSequence: whole('at_sequence').notNull(),
  atIndex: integer('at_index').notNull(),
  deleted: boolean('deleted').notNull().default(false),
  /** As text: columns that HQ does not know, and values that their column cannot hold. */
  extra: jsonb('extra').$type<Record<string, string | null>>(),
})

/** @param indexes beside the primary key, which is box, history and the ledger's own key */
function readable<T extends SQLiteTable, K extends keyof T['_']['columns'] & string>(
  source: Published<T, K>,
  indexes: (table: Record<K, PgColumn>) => PgTableExtraConfigValue[] = () => [],
) {
  const mirrored = columnsOf(source).map(({ property, name, kind, isKey }) => {
    const builder = BUILDERS[kind](name)
    return [property, isKey ? builder.notNull() : builder]
  })
  const columns = { ...origin(), ...(Object.fromEntries(mirrored) as Mirrored<T, K>) }
  return hq.table(`${getTableName(source.table)}_all`, columns, (table) => {
    const made = table as unknown as Record<string, PgColumn>
    const key = columnsOf(source).flatMap(({ property, isKey }) => (isKey ? [made[property] as PgColumn] : []))
    return [primaryKey({ columns: [table.box, table.history, ...key] }), ...indexes(made as Record<K, PgColumn>)]
  })
}

/** The published columns, in their order; `isKey` for those of the ledger's primary key. */
function columnsOf<T extends SQLiteTable>({ table, columns }: Published<T>) {
  const all: Record<string, SQLiteColumn> = getTableColumns(table)
  const composite = getTableConfig(table).primaryKeys[0]?.columns.map(({ name }) => name)
  return columns.map((property) => {
    const column = all[property] as SQLiteColumn
    const isKey = composite?.includes(column.name) ?? column.primary
    return { property, name: column.name, kind: kindOf(column), isKey }
  })
}

export const announcements = readable(published.announcements)
export const devices = readable(published.devices)
export const flags = readable(published.flags)
export const holds = readable(published.holds)
export const incidentActions = readable(published.incidentActions)
export const incidents = readable(published.incidents)
export const journal = readable(published.journal)
export const movements = readable(published.movements)
export const overrides = readable(published.overrides)
export const sales = readable(published.sales)
export const seals = readable(published.seals)
export const tickets = readable(published.tickets, (table) => [index('tickets_all_shared').on(table.sharedRef)])

/** A readable table, with what an image needs to become a row of it. */
export interface ReadableTable {
  /** As the ledger calls it. */
  readonly name: string
  readonly table: PgTable
  /** By name, without what HQ adds. */
  readonly columns: ReadonlyMap<string, Kind>
  /** Of the ledger's own key. */
  readonly key: readonly string[]
}

const TABLES: Record<keyof typeof published, PgTable> = {
  announcements,
  devices,
  flags,
  holds,
  incidentActions,
  incidents,
  journal,
  movements,
  overrides,
  sales,
  seals,
  tickets,
}

/** By the name that the ledger has for them. */
export const READABLE: ReadonlyMap<string, ReadableTable> = new Map(
  (Object.keys(TABLES) as (keyof typeof published)[]).map((property) => {
    const source: Published = published[property]
    const columns = columnsOf(source)
    const name = getTableName(source.table)
    const kinds = new Map(columns.map((column) => [column.name, column.kind]))
    const key = columns.filter(({ isKey }) => isKey).map((column) => column.name)
    return [name, { name, table: TABLES[property], columns: kinds, key }]
  }),
)

/** Placeholders of prepared statements, each with the name of its column in the schema. */
import { and, eq, getTableColumns, type SQL, sql } from '../drizzle/core.ts'
import type { SQLiteColumn, SQLiteTable } from '../drizzle/sqlite.ts'

type Placeholder = ReturnType<typeof sql.placeholder>
export type ColumnName<T extends SQLiteTable> = keyof T['_']['columns'] & string

/** For `WHERE`: each of these columns has the value that the statement is run with. */
export function matching<T extends SQLiteTable>(table: T, ...names: ColumnName<T>[]): SQL | undefined {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table)
  return and(...names.map((name) => eq(columns[name] as SQLiteColumn, sql.placeholder(name))))
}

/** For `INSERT`: a value for each of these columns. */
export function placeholders<Name extends string>(names: readonly Name[]): { [N in Name]: Placeholder } {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder<string>(name)])) as { [N in Name]: Placeholder }
}

/** For `INSERT`: a value for every column of the table but those. */
export function allColumns<T extends SQLiteTable, Left extends ColumnName<T> = never>(table: T, ...left: Left[]) {
  const names = Object.keys(getTableColumns(table)) as ColumnName<T>[]
  return placeholders(names.filter((name): name is Exclude<ColumnName<T>, Left> => !left.includes(name as Left)))
}

/** For `ON CONFLICT DO UPDATE`: these columns get the values of the row that was to be inserted. */
export function excluded<T extends SQLiteTable, Name extends ColumnName<T>>(table: T, ...names: Name[]) {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table)
  const values = names.map((name) => [name, sql`excluded.${sql.identifier(columns[name]?.name ?? name)}`])
  return Object.fromEntries(values) as { [N in Name]: SQL }
}

/**
 * For `LIMIT`, in statements that every scan runs: the number as part of the statement's text. The driver clears all bound values after a run, and
 * SQLite then compiles the statement again if its plan may depend on one: on a bound limit, or on `column = ?` in a join or with ORDER BY,
 * unless a unique key finds the row. That costs 10 to 50 us.
 */
export function fixedLimit(limit: number): Placeholder {
  if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`a limit of ${limit}`)
  // Drizzle takes any SQL here, and its types allow a number, which it binds, or a placeholder.
  return sql.raw(String(limit)) as unknown as Placeholder
}

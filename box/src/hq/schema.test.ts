import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { getTableConfig, type PgTable } from '../drizzle/postgres.ts'
import { READABLE } from './readable.ts'
import * as own from './schema.ts'

const META = join(import.meta.dirname, '../../migrations-hq/meta')

/** Tables as the newest migration leaves them: each column with its type, in the order of the names, and the primary key. */
function migrated(): Record<string, unknown> {
  const { entries } = JSON.parse(readFileSync(join(META, '_journal.json'), 'utf8'))
  const snapshot = `${String(entries.at(-1).idx).padStart(4, '0')}_snapshot.json`
  const { tables } = JSON.parse(readFileSync(join(META, snapshot), 'utf8')) as { tables: Record<string, Snapshot> }
  return Object.fromEntries(
    Object.values(tables).map(({ name, columns, compositePrimaryKeys }) => [
      name,
      {
        columns: Object.values(columns).map(described).sort(),
        key: Object.values(compositePrimaryKeys)[0]?.columns ?? [],
      },
    ]),
  )
}

interface Snapshot {
  name: string
  columns: Record<string, { name: string; type: string; notNull: boolean }>
  compositePrimaryKeys: Record<string, { columns: string[] }>
}

function described({ name, type, notNull }: { name: string; type: string; notNull: boolean }): string {
  return `${name} ${type}${notNull ? ' NOT NULL' : ''}`
}

function declared(table: PgTable): [string, unknown] {
  const { name, columns, primaryKeys } = getTableConfig(table)
  const texts = columns.map((column) =>
    described({ name: column.name, type: column.getSQLType(), notNull: column.notNull }),
  )
  return [name, { columns: texts.sort(), key: primaryKeys[0]?.columns.map((column) => column.name) ?? [] }]
}

describe("HQ's schema", () => {
  it('is what the migrations make: run "drizzle-kit generate --config drizzle-hq.config.ts" where it is not', () => {
    const tables = [...Object.values(own), ...[...READABLE.values()].map(({ table }) => table)]
    assert.deepEqual(Object.fromEntries(tables.map(declared)), migrated())
  })
})

/** Makes a slot, and a publication where that is missing. */
import type { ClientConfig } from 'pg'
import { fullName } from './catalog.ts'
import { Database } from './database.ts'
import type { PostgresOptions } from './options.ts'

/**
 * The publication comes first: a slot cannot read what is older than its publication.
 * @param needed `dropped`: the existing slot is dropped first; `publication`: it is missing
 * @param makeSlot instead of an ordinary slot
 * @param signal aborts it, however long it waits
 * @throws pg.DatabaseError
 */
export async function createAnew(
  config: () => ClientConfig,
  options: PostgresOptions,
  needed: { dropped: boolean; publication: boolean },
  signal: AbortSignal,
  makeSlot: (database: Database) => Promise<void> = (database) => createSlot(database, options),
): Promise<void> {
  // Creating a slot waits for every open transaction: without a timeout, until this process ends.
  await using patient = new Database(config, 0)
  const end = () => void patient[Symbol.asyncDispose]()
  signal.addEventListener('abort', end)
  try {
    if (needed.dropped) await dropSlot(patient, options)
    if (needed.publication) await createPublication(patient, options)
    await makeSlot(patient)
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** @throws pg.DatabaseError when the role has no right to */
async function createPublication(database: Database, { publication }: PostgresOptions): Promise<void> {
  const { name, tables } = publication
  const what = tables === 'all' || tables === undefined ? 'ALL TABLES' : `TABLE ${tables.map(quoted).join(', ')}`
  await database.query(`CREATE PUBLICATION "${name}" FOR ${what}`)
}

/** Waits for open transactions, however long. @throws pg.DatabaseError */
async function createSlot(database: Database, { slot }: PostgresOptions): Promise<void> {
  // The fifth argument exists since version 17.
  const failover = slot.failover ? ', false, false, true' : ''
  await database.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput'${failover})`, [slot.name])
}

/** @throws pg.DatabaseError: 55006 while it is being read */
async function dropSlot(database: Database, { slot }: PostgresOptions): Promise<void> {
  await database.query('SELECT pg_drop_replication_slot($1)', [slot.name])
}

function quoted(table: string): string {
  return fullName(table)
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}

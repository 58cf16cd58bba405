/** HQ's database: one pool, and the migrations at the start. The only file that uses the driver. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Backoff, backoffMs } from '@gatehouse/proto/backoff.ts'
import pg from 'pg'
import { drizzle, migrate, type NodePgDatabase } from '../drizzle/postgres.ts'
import type { Logger } from '../log.ts'

export type HqDb = NodePgDatabase
export type HqTransaction = Parameters<Parameters<HqDb['transaction']>[0]>[0]

export interface HqDatabase extends AsyncDisposable {
  readonly db: HqDb
  readonly pool: pg.Pool
}

/** The database cannot be used as it is; the message says what to do. */
export class HqDatabaseError extends Error {
  override readonly name = 'HqDatabaseError'
}

const MIGRATIONS = join(import.meta.dirname, '../../migrations-hq')
/** `GHQ1`: two HQs that start at once migrate one after the other. */
const MIGRATION_LOCK = 0x47_48_51_31
const CONNECT_MS = 5000
/** Less than a box waits for its batch, so that the box learns that the database hangs. */
const STATEMENT_MS = 20_000
/** Containers start in any order, and a database is there within seconds. */
const RETRY: Backoff = { initialMs: 500, maxMs: 5000, jitter: [1, 1] }

export function openHqDatabase(url: string, connections: number): HqDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'gatehouse-hq',
    // After the acknowledgement the box deletes its copy: a commit has to be durable, whatever the server's settings.
    options: `-c synchronous_commit=on -c timezone=UTC -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=60000`,
  })
  // A connection that breaks while idle is replaced; a query on a broken one rejects by itself.
  pool.on('error', () => {})
  return { db: drizzle({ client: pool }), pool, [Symbol.asyncDispose]: () => pool.end() }
}

/**
 * Waits until the database answers, then runs the migrations. In containers a database may start later than HQ: each attempt
 * logs a line.
 * @throws HqDatabaseError for what waiting does not cure
 */
export async function bringUpToDate(
  { pool }: HqDatabase,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<void> {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted()
    try {
      return await migrateAlone(pool)
    } catch (error) {
      const { code = '', message } = causeOf(error)
      if (!PASSING.test(code) && !/timeout|terminated/i.test(message))
        throw new HqDatabaseError(adviceOn(code, message))
      const wait = backoffMs(failures, RETRY, 0)
      logger.warn({ event: 'hq_waits_for_database', code: code || 'timeout', again_in_ms: wait })
      await sleep(wait, undefined, { signal })
    }
  }
}

/** Codes that pass: refused, unreachable, starting up, shutting down, no connection free. */
const PASSING = /^(ECONN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|ETIMEDOUT|ENOENT|57P0|53|08)/

async function migrateAlone(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    try {
      // All on one connection: the lock belongs to the session.
      await migrate(drizzle({ client }), {
        migrationsFolder: MIGRATIONS,
        migrationsSchema: 'gatehouse',
        migrationsTable: 'migrations',
      })
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
    }
  } finally {
    client.release()
  }
}

function adviceOn(code: string, message: string): string {
  if (code === '3D000') return `${message}: create it, or name another one in HQ_DATABASE_URL.`
  if (/^28/.test(code)) return `${message}: correct the user or the password in HQ_DATABASE_URL.`
  if (code === '42501') return `${message}: HQ needs the right to create a schema in its database.`
  return `The database in HQ_DATABASE_URL cannot be used: ${message}.`
}

/** The driver's error, which drizzle wraps. */
export function causeOf(error: unknown): { code?: string; message: string } {
  let inner = error as { code?: string; message: string; cause?: unknown; errors?: unknown[] }
  while (inner.code === undefined && (inner.cause ?? inner.errors?.[0]) !== undefined) {
    inner = (inner.cause ?? inner.errors?.[0]) as typeof inner
  }
  return inner
}

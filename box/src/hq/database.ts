/** HQ's database: one pool, and tables that are brought up to date at the start. The only file that knows the driver. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
/** `GHQ1`: two HQs that start at once bring the tables up to date one after the other. */
const MIGRATION_LOCK = 0x47_48_51_31
const CONNECT_MS = 5000
/** Less than a box waits for its batch: a database that stands still is told to the box as such. */
const STATEMENT_MS = 20_000
const RETRY_MS = [500, 1000, 2000, 5000] as const

export function openHqDatabase(url: string, connections: number): HqDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'gatehouse-hq',
    // An acknowledgement lets the box forget: no setting of the server may make a commit less than that.
    options: `-c synchronous_commit=on -c timezone=UTC -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=60000`,
  })
  // A connection that breaks while nobody uses it is replaced; who uses one hears of it by himself.
  pool.on('error', () => {})
  return { db: drizzle({ client: pool }), pool, [Symbol.asyncDispose]: () => pool.end() }
}

/**
 * Waits until the database answers, then makes or updates the tables. A database that starts later than HQ, as containers
 * do, is waited for, with a line that says so.
 * @throws HqDatabaseError for what waiting does not mend
 */
export async function bringUpToDate(
  { pool }: HqDatabase,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await migrateAlone(pool)
    } catch (error) {
      const { code = '', message } = causeOf(error)
      if (!PASSING.test(code) && !/timeout|terminated/i.test(message))
        throw new HqDatabaseError(adviceOn(code, message))
      const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 5000
      logger.warn({ event: 'hq_waits_for_database', code: code || 'timeout', again_in_ms: wait })
      await sleep(wait, undefined, { signal })
    }
  }
}

/** Refused, unreachable, starting up, shutting down, no connection free. */
const PASSING = /^(ECONN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|ETIMEDOUT|ENOENT|57P0|53|08)/

async function migrateAlone(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    try {
      // One connection for everything: the lock is the session's.
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

/** drizzle wraps what the driver says. */
export function causeOf(error: unknown): { code?: string; message: string } {
  let inner = error as { code?: string; message: string; cause?: unknown; errors?: unknown[] }
  while (inner.code === undefined && (inner.cause ?? inner.errors?.[0]) !== undefined) {
    inner = (inner.cause ?? inner.errors?.[0]) as typeof inner
  }
  return inner
}

/** What the database says about the slot, the publication and itself. */
import { type Lsn, parseLsn } from '../../lsn.ts'
import type { Database } from './database.ts'
import type { PostgresOptions } from './options.ts'

export interface Slot {
  readonly plugin: string | null
  readonly type: string
  readonly database: string | null
  readonly temporary: boolean
  readonly activePid: string | null
  readonly restartLsn: string
  readonly confirmedFlushLsn: string
  readonly retainedWalBytes: number
  /** reserved, extended, unreserved or lost. */
  readonly walStatus: string | null
  /** Until the slot may be lost; null without a limit. */
  readonly safeWalBytes: number | null
  /** Why it can be used no more (PostgreSQL 17 or newer). */
  readonly invalidation: string | null
}

export interface Publication {
  readonly oid: string
  readonly allTables: boolean
  /** Of insert, update, delete and truncate, what it leaves out. */
  readonly leavesOut: readonly string[]
  /** `schema.table`, sorted. */
  readonly tables: readonly string[]
}

export interface Situation {
  /** 150018 for 15.18. */
  readonly version: number
  readonly database: { readonly name: string; readonly oid: string }
  readonly walLevel: string
  /** Where the log ends. */
  readonly end: Lsn
  readonly slot: Slot | undefined
  readonly publication: Publication | undefined
}

const SITUATION = `
  SELECT current_setting('server_version_num') AS version, current_setting('wal_level') AS wal_level,
    d.datname AS database, d.oid AS database_oid, w.lsn AS wal_end,
    s.slot_name, s.plugin, s.slot_type, s.database AS slot_database, s.temporary, s.active_pid, s.restart_lsn,
    s.confirmed_flush_lsn, s.wal_status, s.safe_wal_size, pg_wal_lsn_diff(w.lsn, s.restart_lsn) AS retained,
    to_jsonb(s) ->> 'invalidation_reason' AS invalidation,
    p.oid AS publication, p.puballtables,
    concat_ws(',', CASE WHEN NOT p.pubinsert THEN 'insert' END, CASE WHEN NOT p.pubupdate THEN 'update' END,
      CASE WHEN NOT p.pubdelete THEN 'delete' END, CASE WHEN NOT p.pubtruncate THEN 'truncate' END) AS leaves_out,
    (SELECT jsonb_agg(t.schemaname || '.' || t.tablename ORDER BY 1) FROM pg_publication_tables t
      WHERE t.pubname = p.pubname AND NOT p.puballtables) AS tables
  FROM pg_database d
    CROSS JOIN (SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS lsn) w
    LEFT JOIN pg_replication_slots s ON s.slot_name = $1
    LEFT JOIN pg_publication p ON p.pubname = $2
  WHERE d.datname = current_database()`

/** @throws when the database cannot be asked */
export async function look(database: Database, { slot, publication }: PostgresOptions): Promise<Situation> {
  const [row] = await database.query(SITUATION, [slot.name, publication.name])
  if (!row) throw new Error('the catalog has no row for its own database')
  const text = (name: string) => row[name] ?? ''
  return {
    version: Number(text('version')),
    database: { name: text('database'), oid: text('database_oid') },
    walLevel: text('wal_level'),
    end: parseLsn(text('wal_end')) ?? 0n,
    slot: row.slot_name
      ? {
          plugin: row.plugin ?? null,
          type: text('slot_type'),
          database: row.slot_database ?? null,
          temporary: row.temporary === 't',
          activePid: row.active_pid ?? null,
          restartLsn: row.restart_lsn ?? '0/0',
          confirmedFlushLsn: row.confirmed_flush_lsn ?? '0/0',
          retainedWalBytes: Math.max(0, Number(row.retained ?? 0)),
          walStatus: row.wal_status ?? null,
          safeWalBytes: row.safe_wal_size == null ? null : Number(row.safe_wal_size),
          invalidation: row.invalidation ?? null,
        }
      : undefined,
    publication: row.publication
      ? {
          oid: row.publication,
          allTables: row.puballtables === 't',
          leavesOut: text('leaves_out').split(',').filter(Boolean),
          tables: JSON.parse(row.tables ?? '[]'),
        }
      : undefined,
  }
}

/** Why a slot can be read no more; undefined for a good one. */
export function invalidated({ walStatus, invalidation }: Slot): string | undefined {
  return invalidation ?? (walStatus === 'lost' ? 'wal_removed' : undefined)
}

/** @throws pg.DatabaseError, when the role may not */
export async function createPublication(database: Database, { publication }: PostgresOptions): Promise<void> {
  const { name, tables } = publication
  const what = tables === 'all' || tables === undefined ? 'ALL TABLES' : `TABLE ${tables.map(quoted).join(', ')}`
  await database.query(`CREATE PUBLICATION "${name}" FOR ${what}`)
}

/** Waits for the transactions that are open, however long. @throws pg.DatabaseError */
export async function createSlot(database: Database, { slot }: PostgresOptions): Promise<void> {
  // The fifth argument is there from version 17 on.
  const failover = slot.failover ? ', false, false, true' : ''
  await database.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput'${failover})`, [slot.name])
}

/** @throws pg.DatabaseError: 55006 while somebody reads it */
export async function dropSlot(database: Database, { slot }: PostgresOptions): Promise<void> {
  await database.query('SELECT pg_drop_replication_slot($1)', [slot.name])
}

/** `schema.table`, and `public` when there is no schema. */
export function fullName(table: string): string {
  return table.includes('.') ? table : `public.${table}`
}

function quoted(table: string): string {
  return fullName(table)
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}

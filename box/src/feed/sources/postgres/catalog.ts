/** Reads slot, publication and server from the database's catalog. */
import { type Lsn, parseLsn } from '../../lsn.ts'
import type { SourceStatus } from '../../source.ts'
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
  /** Reason why it is invalidated (PostgreSQL 17 or newer). */
  readonly invalidation: string | null
}

export interface Publication {
  readonly oid: string
  readonly allTables: boolean
  /** Those of insert, update, delete and truncate that it does not publish. */
  readonly leavesOut: readonly string[]
  /** `schema.table`, sorted. */
  readonly tables: readonly string[]
}

export interface Situation {
  /** 150018 for 15.18. */
  readonly version: number
  readonly database: { readonly name: string; readonly oid: string }
  readonly walLevel: string
  /** Position of the log's end. */
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

const NO_SLOT = { activePid: null, restartLsn: '0/0', confirmedFlushLsn: '0/0', retainedWalBytes: 0 }

/** The same for the statistics. */
export function statusOf({ slot, publication, walLevel }: Situation): SourceStatus {
  const { activePid, restartLsn, confirmedFlushLsn, retainedWalBytes } = slot ?? NO_SLOT
  const active = slot !== undefined && activePid !== null
  return {
    slot: { exists: slot !== undefined, active, restartLsn, confirmedFlushLsn, retainedWalBytes },
    publication: { exists: publication !== undefined, allTables: publication?.allTables ?? false },
    walLevel,
  }
}

/** Reason why a slot can no longer be read; undefined for a valid one. */
export function invalidated({ walStatus, invalidation }: Slot): string | undefined {
  return invalidation ?? (walStatus === 'lost' ? 'wal_removed' : undefined)
}

/** `schema.table`, with `public` where no schema is given. */
export function fullName(table: string): string {
  return table.includes('.') ? table : `public.${table}`
}

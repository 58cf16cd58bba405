/** What has to be true before changes can be streamed, each with what to do when it is not. */
import type { ClientConfig } from 'pg'
import { fullName, invalidated, look, type Situation } from './catalog.ts'
import { connectionOf } from './connection.ts'
import { Database, type Row } from './database.ts'
import type { PostgresOptions } from './options.ts'

export interface Finding {
  readonly check: string
  readonly ok: boolean
  /** Without it nothing is streamed; the rest is advice. */
  readonly needed: boolean
  readonly message: string
}

const OLDEST_VERSION = 140_000

const SERVER = `
  SELECT r.rolsuper OR r.rolreplication OR EXISTS (
      SELECT 1 FROM pg_roles g WHERE g.rolname = 'rds_replication' AND pg_has_role(r.oid, g.oid, 'MEMBER')) AS replicates,
    r.rolname AS role, pg_encoding_to_char(d.encoding) AS encoding,
    current_setting('max_slot_wal_keep_size') AS keep_size,
    current_setting('idle_replication_slot_timeout', true) AS idle_timeout,
    current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_replication_slots) AS free_slots,
    current_setting('max_wal_senders')::int - (SELECT count(*) FROM pg_stat_get_wal_senders()) AS free_senders
  FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`

/** Tables whose published updates or deletes the server refuses, with the partitions that hold their rows. */
const WITHOUT_IDENTITY = `
  SELECT DISTINCT n.nspname || '.' || c.relname AS table
  FROM pg_publication_tables t
    JOIN pg_publication p ON p.pubname = t.pubname AND (p.pubupdate OR p.pubdelete)
    JOIN pg_namespace root_n ON root_n.nspname = t.schemaname
    JOIN pg_class root ON root.relname = t.tablename AND root.relnamespace = root_n.oid
    LEFT JOIN LATERAL pg_partition_tree(root.oid) leaf ON leaf.isleaf
    JOIN pg_class c ON c.oid = coalesce(leaf.relid, root.oid)
    JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_index k ON k.indrelid = c.oid AND k.indisvalid
      AND ((c.relreplident = 'd' AND k.indisprimary) OR (c.relreplident = 'i' AND k.indisreplident))
  WHERE t.pubname = $1 AND c.relreplident <> 'f' AND k.indexrelid IS NULL
  ORDER BY 1`

/** For \`changefeed check\`: connects, asks, and goes. Never throws for what the database says. */
export async function check(
  options: PostgresOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  let config: () => ClientConfig
  try {
    config = connectionOf(options, environment)
    await using database = new Database(config, options.connectTimeoutMs)
    await database.query('SELECT 1')
    return [finding('connection', true, true, 'The database answers.'), ...(await preflight(database, options))]
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error)
    return [finding('connection', true, false, `The database cannot be asked: ${reason}`)]
  }
}

/** @throws when the database cannot be asked */
export async function preflight(database: Database, options: PostgresOptions): Promise<Finding[]> {
  const situation = await look(database, options)
  const [server] = await database.query(SERVER)
  const tables = situation.publication ? await database.query(WITHOUT_IDENTITY, [options.publication.name]) : []
  return findings(
    situation,
    server ?? {},
    tables.map((row) => row.table ?? ''),
    options,
  )
}

function findings(situation: Situation, server: Row, keyless: readonly string[], options: PostgresOptions): Finding[] {
  const { version, walLevel, slot, publication } = situation
  const [slotName, publicationName] = [options.slot.name, options.publication.name]
  const whatToPublish = (options.publication.tables ?? 'all') === 'all' ? 'ALL TABLES' : 'TABLE ...'
  const all: Finding[] = []
  const need = (check: string, ok: boolean, good: string, bad: string) =>
    all.push(finding(check, true, ok, ok ? good : bad))
  const advise = (check: string, ok: boolean, good: string, bad: string) =>
    all.push(finding(check, false, ok, ok ? good : bad))

  const major = Math.floor(version / 10_000)
  need('version', version >= OLDEST_VERSION, `PostgreSQL ${major}.`, `PostgreSQL ${major} is too old: 14 is needed.`)
  need(
    'wal_level',
    walLevel === 'logical',
    'wal_level is logical.',
    `wal_level is ${walLevel}: ALTER SYSTEM SET wal_level = 'logical', then restart the server.`,
  )
  need(
    'replication role',
    server.replicates === 't',
    `The role ${server.role} may replicate.`,
    `The role ${server.role} may not replicate: ALTER ROLE "${server.role}" REPLICATION (on Amazon RDS: GRANT rds_replication).`,
  )
  advise(
    'encoding',
    server.encoding !== 'SQL_ASCII',
    `The database's encoding is ${server.encoding}.`,
    "The database's encoding is SQL_ASCII, which says nothing about its bytes: those that are no UTF-8 arrive as U+FFFD.",
  )

  const create = `SELECT pg_create_logical_replication_slot('${slotName}', 'pgoutput')`
  if (!slot) {
    need(
      'slot',
      options.slot.create,
      `The slot ${slotName} will be created.`,
      `No slot ${slotName}: ${create}; or set slot.create.`,
    )
    need(
      'free slots',
      Number(server.free_slots) > 0,
      `${server.free_slots} replication slots are free.`,
      'No replication slot is free: raise max_replication_slots and restart the server, or drop one that nobody needs.',
    )
    if (options.slot.failover)
      need(
        'failover',
        version >= 170_000,
        'The slot will be synchronised to standbys.',
        'slot.failover needs PostgreSQL 17.',
      )
  } else {
    const fits = slot.plugin === 'pgoutput' && slot.type === 'logical' && slot.database === situation.database.name
    const why = invalidated(slot)
    need(
      'slot',
      fits,
      `The slot ${slotName} is there.`,
      `The slot ${slotName} is ${slot.type}, plugin ${slot.plugin}, database ${slot.database}: logical, pgoutput, ${situation.database.name} is needed. Configure another name.`,
    )
    need(
      'slot is valid',
      why === undefined || options.slot.onLost === 'recreate',
      why === undefined ? `Its log is ${slot.walStatus}.` : `It is lost (${why}) and will be made again, behind a gap.`,
      `It is lost (${why}): SELECT pg_drop_replication_slot('${slotName}'), then ${create}; changes in between are lost.`,
    )
    advise(
      'slot is free',
      slot.activePid === null,
      'Nobody reads it.',
      `The process ${slot.activePid} of the server reads it for somebody: two daemons cannot share a slot. The second waits.`,
    )
    advise(
      'retained log',
      slot.retainedWalBytes <= options.retainedWarnBytes,
      `It holds back ${megabytes(slot.retainedWalBytes)} of log.`,
      `It holds back ${megabytes(slot.retainedWalBytes)} of log: let it be read, or the disk fills up.`,
    )
  }

  need(
    'publication',
    publication !== undefined || (options.publication.create && !slot),
    publication
      ? `The publication ${publicationName} is there.`
      : `The publication ${publicationName} will be created.`,
    slot
      ? `No publication ${publicationName}, but a slot, which cannot read what is older than the publication: drop the slot, CREATE PUBLICATION "${publicationName}" FOR ${whatToPublish}, then the slot again.`
      : `No publication ${publicationName}: CREATE PUBLICATION "${publicationName}" FOR ${whatToPublish}; or set publication.create.`,
  )
  if (publication) {
    const { allTables, leavesOut, tables } = publication
    advise(
      'published tables',
      allTables || tables.length > 0,
      allTables ? 'All tables are published.' : `Published: ${tables.join(', ')}.`,
      `The publication ${publicationName} has no tables: ALTER PUBLICATION "${publicationName}" ADD TABLE ...`,
    )
    advise(
      'published operations',
      leavesOut.length === 0,
      'Inserts, updates, deletes and truncates are published.',
      `The publication leaves out: ${leavesOut.join(', ')}. ALTER PUBLICATION "${publicationName}" SET (publish = 'insert, update, delete, truncate').`,
    )
    const missing = missingTables(options, publication)
    advise(
      'configured tables',
      missing.length === 0,
      'What is configured is published.',
      `Configured, but not published: ${missing.join(', ')}. ALTER PUBLICATION "${publicationName}" ADD TABLE ${missing.join(', ')}.`,
    )
    advise(
      'replica identity',
      keyless.length === 0,
      'Every published table can be updated and deleted from.',
      `No replica identity, so that UPDATE and DELETE fail in the application (55000): ${keyless.join(', ')}. Add a primary key, or ALTER TABLE ... REPLICA IDENTITY FULL.`,
    )
  }

  advise(
    'max_slot_wal_keep_size',
    true,
    server.keep_size === '-1'
      ? 'max_slot_wal_keep_size has no limit: a receiver that is away for long fills the disk of the database.'
      : `max_slot_wal_keep_size is ${server.keep_size}: a receiver that is away for longer than that loses the slot.`,
    '',
  )
  if (server.idle_timeout != null)
    advise(
      'idle_replication_slot_timeout',
      /^0/.test(server.idle_timeout),
      'A slot may stay unread for as long as it takes.',
      `idle_replication_slot_timeout is ${server.idle_timeout}: when the daemon is off for longer, the slot is lost.`,
    )
  advise(
    'free senders',
    Number(server.free_senders) > 0,
    `${server.free_senders} replication connections are free.`,
    'No replication connection is free: raise max_wal_senders and restart the server.',
  )
  return all
}

/** Tables that the configuration names and the publication has not, as `schema.table`. */
export function missingTables(
  { publication: { tables } }: PostgresOptions,
  publication: NonNullable<Situation['publication']>,
): string[] {
  if (publication.allTables || tables === undefined) return []
  if (tables === 'all') return ['(all tables)']
  return tables.map(fullName).filter((table) => !publication.tables.includes(table))
}

function finding(check: string, needed: boolean, ok: boolean, message: string): Finding {
  return { check, ok, needed, message }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

/** Checks what streaming needs, with advice where something is missing. */
import type { ClientConfig } from 'pg'
import type { SinkLog } from '../../sink.ts'
import { fullName, invalidated, look, type Situation, type Slot } from './catalog.ts'
import { connectionOf } from './connection.ts'
import { Database, type Row } from './database.ts'
import { SourceError } from './faults.ts'
import type { PostgresOptions } from './options.ts'
import { snapshotFindings } from './snapshot/rights.ts'

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

/** For `changefeed check`: connects, checks and disconnects. Errors of the database are findings and not thrown. */
export async function check(
  options: PostgresOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  let config: () => ClientConfig
  try {
    config = connectionOf(options, environment)
    await using database = new Database(config, options.connectTimeoutMs)
    await database.query('SELECT 1')
    const findings = [need('connection', true, 'The database answers.', ''), ...(await preflight(database, options))]
    return [...findings, ...(await snapshotFindings(database, await look(database, options), options))]
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error)
    return [need('connection', false, '', `The database cannot be asked: ${reason}`)]
  }
}

/** @throws when the database cannot be asked */
export async function preflight(database: Database, options: PostgresOptions): Promise<Finding[]> {
  const situation = await look(database, options)
  const [server] = await database.query(SERVER)
  const tables = situation.publication ? await database.query(WITHOUT_IDENTITY, [options.publication.name]) : []
  const keyless = tables.map((row) => row.table ?? '')
  return [
    ...serverFindings(situation, server ?? {}),
    ...slotFindings(situation, server ?? {}, options),
    ...publicationFindings(situation, keyless, options),
    ...limitFindings(server ?? {}),
  ]
}

/** @throws SourceError that lists everything a person has to correct, with what to do; the rest is logged as advice */
export async function requirePreflight(database: Database, options: PostgresOptions, log: SinkLog): Promise<void> {
  const wrong = (await preflight(database, options)).filter(({ ok }) => !ok)
  for (const { check, needed, message } of wrong) {
    if (!needed) log.warn({ event: 'preflight', check, advice: message })
  }
  const needed = wrong.filter(({ needed }) => needed).map(({ message }) => message)
  if (needed.length > 0) throw new SourceError(needed.join('\n'))
}

/** Required for streaming. @param bad what is wrong, and what to do */
function need(check: string, ok: boolean, good: string, bad: string): Finding {
  return { check, needed: true, ok, message: ok ? good : bad }
}

function advise(check: string, ok: boolean, good: string, bad: string): Finding {
  return { check, needed: false, ok, message: ok ? good : bad }
}

function serverFindings({ version, walLevel }: Situation, server: Row): Finding[] {
  const major = Math.floor(version / 10_000)
  return [
    need('version', version >= OLDEST_VERSION, `PostgreSQL ${major}.`, `PostgreSQL ${major} is too old: 14 is needed.`),
    need(
      'wal_level',
      walLevel === 'logical',
      'wal_level is logical.',
      `wal_level is ${walLevel}: ALTER SYSTEM SET wal_level = 'logical', then restart the server.`,
    ),
    need(
      'replication role',
      server.replicates === 't',
      `The role ${server.role} may replicate.`,
      `The role ${server.role} may not replicate: ALTER ROLE "${server.role}" REPLICATION (on Amazon RDS: GRANT rds_replication).`,
    ),
    advise(
      'encoding',
      server.encoding !== 'SQL_ASCII',
      `The database's encoding is ${server.encoding}.`,
      "The database's encoding is SQL_ASCII, which says nothing about its bytes: those that are not UTF-8 arrive as U+FFFD.",
    ),
  ]
}

function slotFindings(situation: Situation, server: Row, options: PostgresOptions): Finding[] {
  const { name } = options.slot
  const create = `SELECT pg_create_logical_replication_slot('${name}', 'pgoutput')`
  const { slot } = situation
  return slot
    ? knownSlotFindings({ slot, database: situation.database.name }, create, options)
    : newSlotFindings(situation, server, create, options)
}

/** @param create the statement that creates the slot */
function newSlotFindings({ version }: Situation, server: Row, create: string, { slot }: PostgresOptions): Finding[] {
  return [
    need(
      'slot',
      slot.create,
      `The slot ${slot.name} will be created.`,
      `No slot ${slot.name}: ${create}; or set slot.create.`,
    ),
    need(
      'free slots',
      Number(server.free_slots) > 0,
      `${server.free_slots} replication slots are free.`,
      'No replication slot is free: raise max_replication_slots and restart the server, or drop one that nobody needs.',
    ),
    ...(slot.failover
      ? [
          need(
            'failover',
            version >= 170_000,
            'The slot will be synchronised to standbys.',
            'slot.failover needs PostgreSQL 17.',
          ),
        ]
      : []),
  ]
}

function knownSlotFindings(
  { slot, database }: { slot: Slot; database: string },
  create: string,
  { slot: { name, onLost }, retainedWarnBytes }: PostgresOptions,
): Finding[] {
  const fits = slot.plugin === 'pgoutput' && slot.type === 'logical' && slot.database === database
  const why = invalidated(slot)
  const retained = megabytes(slot.retainedWalBytes)
  return [
    need(
      'slot',
      fits,
      `The slot ${name} is there.`,
      `The slot ${name} is ${slot.type}, plugin ${slot.plugin}, database ${slot.database}: logical, pgoutput, ${database} is needed. Configure another name.`,
    ),
    need(
      'slot is valid',
      why === undefined || onLost === 'recreate',
      why === undefined ? `Its log is ${slot.walStatus}.` : `It is lost (${why}) and will be made again, behind a gap.`,
      `It is lost (${why}): SELECT pg_drop_replication_slot('${name}'), then ${create}; changes in between are lost.`,
    ),
    advise(
      'slot is free',
      slot.activePid === null,
      'Nobody reads it.',
      `The process ${slot.activePid} of the server reads it for somebody: two daemons cannot share a slot. The second waits.`,
    ),
    advise(
      'retained log',
      slot.retainedWalBytes <= retainedWarnBytes,
      `It holds back ${retained} of log.`,
      `It holds back ${retained} of log: let it be read, or the disk fills up.`,
    ),
  ]
}

/** @param keyless tables without a replica identity */
function publicationFindings(
  { slot, publication }: Situation,
  keyless: readonly string[],
  options: PostgresOptions,
): Finding[] {
  const { name, create, tables } = options.publication
  const statement = `CREATE PUBLICATION "${name}" FOR ${(tables ?? 'all') === 'all' ? 'ALL TABLES' : 'TABLE ...'}`
  const exists = need(
    'publication',
    publication !== undefined || (create && !slot),
    publication ? `The publication ${name} is there.` : `The publication ${name} will be created.`,
    slot
      ? `No publication ${name}, but a slot, which cannot read what is older than the publication: drop the slot, ${statement}, then the slot again.`
      : `No publication ${name}: ${statement}; or set publication.create.`,
  )
  if (!publication) return [exists]
  const { allTables, leavesOut, tables: published } = publication
  const missing = missingTables(options, publication)
  return [
    exists,
    advise(
      'published tables',
      allTables || published.length > 0,
      allTables ? 'All tables are published.' : `Published: ${published.join(', ')}.`,
      `The publication ${name} has no tables: ALTER PUBLICATION "${name}" ADD TABLE ...`,
    ),
    advise(
      'published operations',
      leavesOut.length === 0,
      'Inserts, updates, deletes and truncates are published.',
      `The publication leaves out: ${leavesOut.join(', ')}. ALTER PUBLICATION "${name}" SET (publish = 'insert, update, delete, truncate').`,
    ),
    advise(
      'configured tables',
      missing.length === 0,
      'What is configured is published.',
      `Configured, but not published: ${missing.join(', ')}. ALTER PUBLICATION "${name}" ADD TABLE ${missing.join(', ')}.`,
    ),
    advise(
      'replica identity',
      keyless.length === 0,
      'Every published table can be updated and deleted from.',
      `No replica identity, so that UPDATE and DELETE fail in the application (55000): ${keyless.join(', ')}. Add a primary key, or ALTER TABLE ... REPLICA IDENTITY FULL.`,
    ),
  ]
}

function limitFindings(server: Row): Finding[] {
  const idle = server.idle_timeout
  return [
    advise(
      'max_slot_wal_keep_size',
      true,
      server.keep_size === '-1'
        ? 'max_slot_wal_keep_size has no limit: a receiver that is away for long fills the disk of the database.'
        : `max_slot_wal_keep_size is ${server.keep_size}: a receiver that is away for longer than that loses the slot.`,
      '',
    ),
    ...(idle != null
      ? [
          advise(
            'idle_replication_slot_timeout',
            /^0/.test(idle),
            'A slot may stay unread for as long as it takes.',
            `idle_replication_slot_timeout is ${idle}: when the daemon is off for longer, the slot is lost.`,
          ),
        ]
      : []),
    advise(
      'free senders',
      Number(server.free_senders) > 0,
      `${server.free_senders} replication connections are free.`,
      'No replication connection is free: raise max_wal_senders and restart the server.',
    ),
  ]
}

/** Tables of the configuration that are not in the publication, as `schema.table`. */
export function missingTables(
  { publication: { tables } }: PostgresOptions,
  publication: NonNullable<Situation['publication']>,
): string[] {
  if (publication.allTables || tables === undefined) return []
  if (tables === 'all') return ['(all tables)']
  return tables.map(fullName).filter((table) => !publication.tables.includes(table))
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

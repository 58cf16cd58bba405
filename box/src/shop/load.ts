/**
 * The initial load: sends every published row as of one LSN, the way that changes are sent. The feed delivers what is committed
 * after it, and the box skips what was committed before: no change is missed or applied twice. A temporary slot's exported
 * snapshot gives the LSN and the rows as of it.
 */
import { randomBytes } from 'node:crypto'
import { create, toBinary } from '@bufbuild/protobuf'
import {
  type ChangeEvent,
  ChangeEventBatchSchema,
  ChangeEventSchema,
} from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { type Client, Metadata, type ServiceError } from '@grpc/grpc-js'
import pg from 'pg'
import type { FeedConfig } from '../feed/config/config.ts'
import { deliver, openClient, type TlsFiles, tlsCredentials } from '../feed/grpc/client.ts'
import { connectionOf } from '../feed/sources/postgres/connection.ts'
import { Database } from '../feed/sources/postgres/database.ts'
import type { PostgresOptions } from '../feed/sources/postgres/options.ts'
import { LOAD_AT, LOAD_LSN, LOAD_STEP } from './receiver.ts'

/** The load cannot be done; the message says why and what to do. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

/** Rows fetched at a time. */
const PAGE = 1000
const MOST_BYTES = 2 * 1024 * 1024
const DEADLINE_MS = 120_000

export interface LoadOptions {
  /** The shop feed's configuration, with one gRPC sink, which is the box. */
  config: FeedConfig
  environment: Readonly<Record<string, string | undefined>>
}

/**
 * @returns how many rows were sent, by table
 * @throws LoadError
 */
export async function loadShop({ config, environment }: LoadOptions): Promise<Map<string, number>> {
  const { source } = config
  if (source.kind !== 'postgres')
    throw new LoadError("The configuration has no PostgreSQL source: name that of the shop's feed.")
  const boxes = config.sinks.filter(({ from }) => from === 'grpc')
  const [sink] = boxes
  if (!sink || boxes.length > 1) throw new LoadError('The configuration must have one gRPC sink, which is the box.')
  await using stack = new AsyncDisposableStack()
  const box = stack.adopt(new Box(sink.options as BoxOptions), (box) => box.close())
  const connect = connectionOf(source, environment)
  const database = stack.use(new Database(connect, 0))
  await refuseWithoutSlot(database, source)
  await box.send('begin', [])
  const { snapshot, lsn } = await openSnapshot(connect, stack)
  await database.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await database.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`)
  const [clock] = await database.query(`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at`)
  const loaded = new Map<string, number>()
  for (const table of await publishedTables(database, source.publication.name)) {
    const name = `${table.schema}.${table.table}`
    let rows = 0
    let sent = Promise.resolve()
    for await (const page of pagesOf(database, table)) {
      const events = page.map((row) => eventOf(row, table, { lsn, index: rows++ }))
      await sent
      // The box applies this page while the next one is read.
      sent = sendRows(box, events)
      // A rejection is thrown by the `await` a page later.
      sent.catch(() => {})
    }
    await sent
    loaded.set(name, rows)
  }
  await box.send('end', [], { [LOAD_LSN]: lsn, [LOAD_AT]: String(Math.ceil(Number(clock?.at))) })
  return loaded
}

async function sendRows(box: Box, events: readonly ChangeEvent[]): Promise<void> {
  for (const batch of batchesOf(events)) await box.send('rows', batch)
}

async function refuseWithoutSlot(database: Database, { slot }: PostgresOptions): Promise<void> {
  const [there] = await query(database, 'SELECT 1 FROM pg_replication_slots WHERE slot_name = $1', [slot.name])
  if (there) return
  throw new LoadError(
    `The shop's database has no slot "${slot.name}": start the feed first, so that nothing is missed between the load and its changes.`,
  )
}

async function query(database: Database, sql: string, values: readonly unknown[]) {
  try {
    return await database.query(sql, values)
  } catch (error) {
    throw new LoadError(`The shop's database does not answer: ${(error as Error).message}`, { cause: error })
  }
}

/** The snapshot is valid until its session runs another command or ends. */
async function openSnapshot(
  connect: () => pg.ClientConfig,
  stack: AsyncDisposableStack,
): Promise<{ snapshot: string; lsn: string }> {
  const client = new pg.Client({ ...connect(), replication: 'database' } as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  stack.defer(() => client.end().catch(() => {}))
  const name = `gatehouse_load_${randomBytes(4).toString('hex')}`
  const { rows } = await client
    .query<{ consistent_point: string; snapshot_name: string }>(
      `CREATE_REPLICATION_SLOT ${name} TEMPORARY LOGICAL pgoutput EXPORT_SNAPSHOT`,
    )
    .catch((error: Error) => {
      throw new LoadError(
        `A moment of the database could not be held (a free replication slot is needed): ${error.message}`,
        { cause: error },
      )
    })
  const [made] = rows
  if (!made) throw new LoadError('The database has made no snapshot.')
  return { snapshot: made.snapshot_name, lsn: made.consistent_point }
}

interface PublishedTable {
  schema: string
  table: string
  /** Those of the publication; undefined for all. */
  columns: readonly string[] | undefined
  filter: string | undefined
}

async function publishedTables(database: Database, publication: string): Promise<PublishedTable[]> {
  // Column lists and row filters exist since version 15.
  const rows = await query(
    database,
    `SELECT schemaname, tablename, to_jsonb(t) ->> 'rowfilter' AS filter, to_jsonb(t) ->> 'attnames' AS columns
     FROM pg_publication_tables t WHERE pubname = $1 ORDER BY 1, 2`,
    [publication],
  )
  if (rows.length === 0)
    throw new LoadError(
      `The publication "${publication}" has no tables: make it first, as the feed's documentation says.`,
    )
  return rows.map(({ schemaname, tablename, filter, columns }) => ({
    schema: schemaname ?? '',
    table: tablename ?? '',
    columns: columns ? JSON.parse(columns) : undefined,
    filter: filter ?? undefined,
  }))
}

async function* pagesOf(database: Database, { schema, table, columns, filter }: PublishedTable) {
  const list = columns?.map(quoted).join(', ') ?? '*'
  await database.query(
    `DECLARE loaded NO SCROLL CURSOR FOR SELECT ${list} FROM ${quoted(schema)}.${quoted(table)}${filter ? ` WHERE ${filter}` : ''}`,
  )
  for (;;) {
    const page = await database.query(`FETCH ${PAGE} FROM loaded`)
    if (page.length === 0) break
    yield page
  }
  await database.query('CLOSE loaded')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function eventOf(
  row: object,
  { schema, table }: PublishedTable,
  { lsn, index }: { lsn: string; index: number },
): ChangeEvent {
  return create(ChangeEventSchema, {
    id: `${lsn}:${index}`,
    lsn,
    commitLsn: lsn,
    commitTime: new Date(0).toISOString(),
    schema,
    table,
    op: 'insert',
    afterJson: JSON.stringify(row),
  })
}

function* batchesOf(events: readonly ChangeEvent[]): Generator<ChangeEvent[]> {
  let batch: ChangeEvent[] = []
  let bytes = 0
  for (const event of events) {
    if (batch.length > 0 && bytes + event.afterJson.length > MOST_BYTES) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(event)
    bytes += event.afterJson.length
  }
  if (batch.length > 0) yield batch
}

interface BoxOptions extends TlsFiles {
  address: string
  serverName?: string
}

/** A client of the box's receiver. It sends as a feed does, with metadata that names the step of the load. */
class Box {
  readonly #client: Client
  readonly #address: string

  constructor({ address, serverName, ...files }: BoxOptions) {
    this.#address = address
    this.#client = openClient({ address, serverName, credentials: tlsCredentials(files) })
  }

  async send(step: string, events: ChangeEvent[], more: Record<string, string> = {}): Promise<void> {
    const metadata = new Metadata()
    for (const [name, value] of Object.entries({ [LOAD_STEP]: step, ...more })) metadata.set(name, value)
    const batch = Buffer.from(toBinary(ChangeEventBatchSchema, create(ChangeEventBatchSchema, { events })))
    const refused = (why: string, options?: ErrorOptions) =>
      new LoadError(`The box at ${this.#address} does not take it: ${why}`, options)
    const ack = await deliver(this.#client, batch, { metadata, deadlineMs: DEADLINE_MS }).catch(
      (error: ServiceError) => {
        throw refused(error.details, { cause: error })
      },
    )
    if (!ack.ok) throw refused(ack.message)
  }

  close(): void {
    this.#client.close()
  }
}

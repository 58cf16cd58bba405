/** Our decoder of pgoutput against the one of pg-logical-replication, over the bytes that a real server sends for random changes. */
import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
// The decoder and nothing else of that package: its service confirms positions that nobody has acknowledged.
import { PgoutputParser } from 'pg-logical-replication/dist/output-plugins/pgoutput/pgoutput-parser.js'
import { formatLsn } from '../../src/feed/lsn.ts'
import { Decoder, type Message } from '../../src/feed/sources/postgres/pgoutput.ts'
import { Session } from '../../src/feed/sources/postgres/session.ts'
import { Postgres } from '../world/postgres.ts'
import { until } from '../world/until.ts'
import { Place } from './listener.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const Words = fc.string({ unit: fc.constantFrom('a', '"', '\\', "'", '\n', '\t', 'é', '\u2028', '😀', '{', ',') })
const literal = fc.oneof(
  fc.constant('NULL'),
  Words.map(quoted),
  // Out of line (TOAST): random, so that it is not compressed away.
  fc.constant("(SELECT string_agg(md5(i::text || random()), '') FROM generate_series(1, 200) i)"),
)
const table = fc.constantFrom('by_key', 'by_index', 'whole')
const id = fc.integer({ min: 1, max: 9 })
const change = fc.oneof(
  fc.tuple(table, id, literal, literal).map(([t, id, a, b]) => {
    return `INSERT INTO ${t} VALUES (${id}, '${id}', ${a}, ${b}) ON CONFLICT (id) DO UPDATE SET note = excluded.note`
  }),
  fc.tuple(table, id, literal).map(([t, id, a]) => `UPDATE ${t} SET note = ${a} WHERE id = ${id}`),
  fc.tuple(table, id).map(([t, id]) => `UPDATE ${t} SET id = id + 100, code = code || 'x' WHERE id = ${id}`),
  fc.tuple(table, id).map(([t, id]) => `DELETE FROM ${t} WHERE id > ${id}`),
  fc.constant('TRUNCATE by_key, whole'),
  fc.constant('ALTER TABLE whole ADD COLUMN IF NOT EXISTS "späte ""Spalte""" numeric DEFAULT 1.10'),
)

test('every message of a server is decoded as by pg-logical-replication', { timeout: 120_000 }, async () => {
  await using server = await Postgres.start({ version: 18 })
  const place = await Place.make(server, 'oracle')
  const columns = "id int PRIMARY KEY, code text NOT NULL DEFAULT '', note text, big text"
  for (const name of ['by_key', 'by_index', 'whole']) await place.query(`CREATE TABLE ${name} (${columns})`)
  await place.query(`
    CREATE UNIQUE INDEX of_code ON by_index (code, id);
    ALTER TABLE by_index REPLICA IDENTITY USING INDEX of_code;
    ALTER TABLE whole REPLICA IDENTITY FULL;
    CREATE PUBLICATION oracle FOR ALL TABLES`)
  await place.query("SELECT pg_create_logical_replication_slot('oracle', 'pgoutput')")
  const messages: Buffer[] = []
  const never = new AbortController().signal
  const options = { slot: 'oracle', publication: 'oracle', statusIntervalMs: 1000, timeoutMs: 15_000, now: Date.now }
  await using session = await Session.connect({ connectionString: server.url('oracle') }, options, never)
  await session.stream({ data: (bytes, from) => void messages.push(Buffer.from(bytes.subarray(from))), keepalive() {} })
  const transactions = fc.sample(fc.array(change, { minLength: 1, maxLength: 6 }), { numRuns: 150, seed: 18 })
  await using client = await server.connect('oracle')
  for (const changes of transactions) await client.query(`BEGIN; ${changes.join('; ')}; COMMIT`)
  await client.query("INSERT INTO by_key VALUES (1000, 'the end')")
  await until(() => messages.some((bytes) => bytes.includes('the end')))

  const [ours, theirs] = [new Decoder(), new PgoutputParser()]
  const seen = new Map<string, number>()
  for (const bytes of messages) {
    const own = normal(ours.decode(bytes))
    const other = theirs.parse(bytes)
    // Ours keeps every value as the server's text.
    if (other.tag === 'relation') for (const column of other.columns) column.parser = (text: string) => text
    assert.deepEqual(own, normalOf(other))
    seen.set(other.tag, (seen.get(other.tag) ?? 0) + 1)
  }
  for (const tag of ['begin', 'relation', 'insert', 'update', 'delete', 'truncate', 'commit']) {
    assert.ok((seen.get(tag) ?? 0) > 5, `${tag}: ${JSON.stringify([...seen])}`)
  }
})

const parsed = (json: string): unknown => (json === '' ? null : JSON.parse(json))

function normal(message: Message): object {
  switch (message.kind) {
    case 'begin':
      return { kind: 'begin', lsn: formatLsn(message.commitLsn) }
    case 'commit':
      return { kind: 'commit', lsn: formatLsn(message.commitLsn), end: formatLsn(message.end) }
    case 'truncate':
      return { kind: 'truncate', tables: message.relations.map(({ schema, table }) => `${schema}.${table}`) }
    case 'other':
      return { kind: 'other' }
    default: {
      const { kind, relation, beforeJson, afterJson } = message
      return {
        kind,
        table: `${relation.schema}.${relation.table}`,
        before: parsed(beforeJson),
        after: parsed(afterJson),
      }
    }
  }
}

/** The same of the other decoder's message. */
function normalOf(message: ReturnType<PgoutputParser['parse']>): object {
  const lsn = (text: string | null) => (text ?? '').replace(/^0*([0-9A-F]+)\/0*([0-9A-F]+)$/, '$1/$2')
  switch (message.tag) {
    case 'begin':
      return { kind: 'begin', lsn: lsn(message.commitLsn) }
    case 'commit':
      return { kind: 'commit', lsn: lsn(message.commitLsn), end: lsn(message.commitEndLsn) }
    case 'truncate':
      return { kind: 'truncate', tables: message.relations.map(({ schema, name }) => `${schema}.${name}`) }
    case 'insert':
    case 'update':
    case 'delete': {
      const { tag, relation } = message
      const before = 'key' in message ? (message.key ?? message.old) : null
      const after = 'new' in message ? message.new : null
      // A value that it does not know is undefined, which JSON leaves out.
      const [plainBefore, plainAfter] = JSON.parse(JSON.stringify([before, after]))
      return { kind: tag, table: `${relation.schema}.${relation.name}`, before: plainBefore, after: plainAfter }
    }
    default:
      return { kind: 'other' }
  }
}

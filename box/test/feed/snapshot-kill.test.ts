/** The daemon is killed again and again while it sends the rows that exist already, and while they change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Postgres } from '../world/postgres.ts'
import { until } from '../world/until.ts'
import { FeedFolder } from './daemon-world.ts'
import { startReceiver } from './grpc-receiver.ts'
import { Copy, shown } from './table-copy.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const KILLS = LONG ? 60 : 3
const ROWS = LONG ? 400_000 : 15_000

test('a snapshot whose daemon is killed ends with the rows of the tables', async (t) => {
  await using postgres = await Postgres.start({ version: 18 })
  await postgres.query('CREATE TABLE numbers (n bigint PRIMARY KEY, note text)')
  await postgres.query(`INSERT INTO numbers SELECT n, repeat(n || ' ', 10) FROM generate_series(1, ${ROWS}) n`)
  const copy = new Copy({ numbers: ['n'] })
  const marks = new Set<string>()
  await using receiver = await startReceiver(async (events, { metadata }) => {
    for (const event of events)
      copy.apply({ ...event, beforeJson: event.before_json, afterJson: event.after_json } as never)
    const isBefore = events.map(({ lsn, commit_lsn }) => commit_lsn.length < lsn.length)
    marks.add(`${metadata.get('changefeed-snapshot')} ${[...new Set(isBefore)]}`)
    // So that it takes a while.
    await sleep(10)
    return { ok: true }
  })
  using folder = new FeedFolder({
    source: {
      kind: 'postgres',
      url: postgres.url(),
      snapshot: 'initial',
      slot: { name: 'kill', create: true },
      publication: { name: 'kill', create: true, tables: ['public.numbers'] },
    },
    sinks: [
      { id: 'copy', kind: 'grpc', batch: { maxEvents: 200 }, options: { address: receiver.address, plaintext: true } },
    ],
  })
  let midway = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await using feed = folder.start()
    const before = copy.rows.size
    if (kill > 0) await until(() => copy.rows.size > before, 'rows pass')
    const from = 1 + Math.floor(Math.random() * ROWS)
    await postgres.query(`UPDATE numbers SET note = 'run ${kill}' WHERE n BETWEEN ${from} AND ${from + 500}`)
    await postgres.query(`DELETE FROM numbers WHERE n BETWEEN ${from + 400} AND ${from + 600}`)
    await postgres.query(`INSERT INTO numbers VALUES (${-kill - 1}, 'before all'), (${ROWS + kill + 1}, 'behind all')`)
    await sleep(Math.random() ** 2 * 500)
    await feed.kill()
    if (copy.rows.size > before && copy.rows.size < ROWS * 0.9) midway++
  }
  await using feed = folder.start()
  await until(async () => (await feed.stats())?.source.snapshot?.state === 'done', 'every row has come')
  await postgres.query("INSERT INTO numbers VALUES (0, 'the end')")
  await until(() => copy.rows.has('["numbers","0"]'), 'the last change has come')
  const rows = await postgres.query('SELECT n::text, note FROM numbers')
  assert.deepEqual(copy.of('numbers'), rows.map(shown).sort())
  assert.deepEqual([...marks].sort(), [' false', '1 true'], 'batches say which they are')
  t.diagnostic(`${KILLS} kills, ${midway} with rows passing; ${ROWS} rows`)
  assert.ok(midway > 0)
})

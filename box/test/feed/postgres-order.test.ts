/** Order of delivery and acknowledgement. The numbers are those of issue 5's list of faults. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeEvent } from '../../src/feed/change.ts'
import { comparePositions, formatLsn, parseLsn } from '../../src/feed/lsn.ts'
import { Postgres } from '../world/postgres.ts'
import { Place, Recorded } from './listener.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
const MANY = LONG ? 1_000_000 : 100_000

/** Counts without keeping, as a sink does that is quick. */
class Counting extends Recorded {
  count_ = 0
  peakRss = 0
  outOfOrder = 0
  #last: ChangeEvent | undefined

  override event(event: ChangeEvent): void {
    if (this.#last && comparePositions(this.#last.position, event.position) >= 0) this.outOfOrder++
    this.#last = event
    if (++this.count_ % 10_000 === 0) this.peakRss = Math.max(this.peakRss, process.memoryUsage.rss())
  }
}

for (const version of [15, 18] as const) {
  describe(`order and progress of PostgreSQL ${version}`, () => {
    let server: Postgres
    before(async () => {
      server = await Postgres.start({
        version,
        settings: { autovacuum: 'off', max_wal_size: '4GB', track_commit_timestamp: 'on' },
      })
    })
    after(() => server[Symbol.asyncDispose]())

    async function make(name: string): Promise<Place> {
      const place = await Place.make(server, name)
      await place.query('CREATE TABLE t (id int PRIMARY KEY, v text)')
      return place
    }

    it('11: a huge transaction passes without being kept, one that is rolled back not at all', async () => {
      const place = await make('huge')
      const heard = new Counting()
      await using _ = await place.open({}, { heard })
      const before = process.memoryUsage.rss()
      await place.query(`BEGIN; INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1, ${MANY}) i; ROLLBACK`)
      await place.query(`INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1, ${MANY}) i`)
      await heard.until(() => heard.commits.length === 1)
      assert.deepEqual([heard.count_, heard.outOfOrder], [MANY, 0])
      assert.ok(heard.peakRss - before < 150 * 1024 ** 2, `${heard.peakRss - before} bytes more`)
    })

    it('11: what a savepoint took back never comes', async () => {
      const place = await make('savepoints')
      await using opened = await place.open()
      await place.query(`
        BEGIN; INSERT INTO t VALUES (1); SAVEPOINT a; INSERT INTO t VALUES (2); ROLLBACK TO a;
        INSERT INTO t VALUES (3); SAVEPOINT b; INSERT INTO t VALUES (4); RELEASE b; COMMIT`)
      const events = await opened.heard.count('t', 3)
      assert.deepEqual(
        events.map(({ afterJson }) => JSON.parse(afterJson).id),
        ['1', '3', '4'],
      )
      assert.deepEqual(
        events.map(({ position }) => position.index),
        [0, 1, 2],
      )
      assert.equal(opened.heard.commits.length, 1)
    })

    it('13: transactions come in the order of their commits, each as a whole', async () => {
      const place = await make('interleaved')
      await using opened = await place.open()
      await using a = await server.connect(place.name)
      await using b = await server.connect(place.name)
      await a.query(`BEGIN; INSERT INTO t VALUES (1, 'a')`)
      await b.query(`BEGIN; INSERT INTO t VALUES (2, 'b')`)
      await a.query(`INSERT INTO t VALUES (3, 'a')`)
      await b.query(`INSERT INTO t VALUES (4, 'b'); COMMIT`)
      await a.query(`INSERT INTO t VALUES (5, 'a'); COMMIT`)
      const events = await opened.heard.count('t', 5)
      assert.deepEqual(
        events.map(({ afterJson }) => JSON.parse(afterJson).id),
        ['2', '4', '1', '3', '5'],
      )
      assert.deepEqual(
        events.map(({ position }) => position.index),
        [0, 1, 0, 1, 2],
      )
      // 14: the changes' own positions are in another order, the commits' are not.
      const lsn = (text: string | undefined) => parseLsn(text ?? '') ?? 0n
      assert.ok(lsn(events[2]?.lsn) < lsn(events[0]?.lsn))
      assert.ok(
        events.every(
          (event, i) => i === 0 || comparePositions(events[i - 1]?.position ?? event.position, event.position) < 0,
        ),
      )
      const [commit] = opened.heard.commits
      assert.equal(events[0]?.commitLsn, formatLsn(commit?.commitLsn ?? 0n))
      assert.ok((commit?.end ?? 0n) > (commit?.commitLsn ?? 0n))
      // When it was committed, as exactly as the server keeps it.
      const [row] = await place.query(`
        SELECT to_char(pg_xact_commit_timestamp(xmin) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
        FROM t WHERE id = 5`)
      assert.match(events[4]?.commitTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      assert.equal(events[4]?.commitTime, row?.at)
    })

    it('15: what was acknowledged up to its END does not come again', async () => {
      const place = await make('ends')
      const seen: string[] = []
      for (let run = 0; run < 3; run++) {
        await using opened = await place.open()
        await place.query(`INSERT INTO t VALUES (${run})`)
        await opened.heard.count('t', 1)
        seen.push(...opened.heard.changesOf('t'))
      }
      assert.deepEqual(
        seen,
        [0, 1, 2].map((i) => `insert {"id":"${i}","v":null}`),
      )
      // And what was not acknowledged does, with the ids that it had.
      const heard = new Recorded(false)
      {
        await using _ = await place.open({}, { heard })
        await place.query(`INSERT INTO t VALUES (10), (11); INSERT INTO t VALUES (12)`)
        await heard.count('t', 3)
        // The commit of a transaction is not its end: the last one comes again, and only that.
        heard.source?.acknowledge(heard.commits.at(-1)?.commitLsn ?? 0n)
        assert.equal(heard.commits.length, 1)
      }
      await using again = await place.open()
      await again.heard.count('t', 3)
      assert.deepEqual(again.heard.events, heard.events)
      const { beganAt, commits } = again.heard
      assert.ok(beganAt > 0n && beganAt <= (commits[0]?.commitLsn ?? 0n), `it says that it began at ${beganAt}`)
    })

    it('16: a slot moves on while others write, in its database and in another', async () => {
      const place = await make('idle')
      await place.query(`CREATE TABLE other (v text); CREATE PUBLICATION only_t FOR TABLE t`)
      const elsewhere = await Place.make(server, 'elsewhere')
      await elsewhere.query('CREATE TABLE other (v text)')
      await using opened = await place.open({ publication: { name: 'only_t' }, statusIntervalMs: 100 })
      const before = parseLsn((await opened.source.status()).slot?.confirmedFlushLsn ?? '') ?? 0n
      for (const { query } of [place, elsewhere].map((p) => ({ query: p.query.bind(p) }))) {
        await query(`INSERT INTO other SELECT repeat('x', 1000) FROM generate_series(1, 40000)`)
      }
      await opened.heard.until(async () => {
        await place.query('CHECKPOINT')
        const slot = (await opened.source.status()).slot
        const moved = (parseLsn(slot?.confirmedFlushLsn ?? '') ?? 0n) - before
        return moved > 64n * 1024n * 1024n && (slot?.retainedWalBytes ?? Infinity) < 32 * 1024 ** 2
      })
      assert.equal(opened.heard.events.length, 0)
    })

    it('16: a heartbeat moves a slot where nothing else is written', async () => {
      const place = await make('heartbeat')
      await using opened = await place.open({ heartbeatMs: 50, statusIntervalMs: 50 })
      const { heard } = opened
      const before = heard.lastIdle
      await heard.until(() => heard.lastIdle > before && heard.idles > 3)
      assert.deepEqual([heard.events.length, heard.logged('heartbeat_failed').length], [0, 0])
    })

    it('17: nothing behind what the engine has acknowledged is acknowledged', async () => {
      const place = await make('pending')
      const heard = new Recorded(false)
      await using opened = await place.open({ statusIntervalMs: 20 }, { heard })
      await place.query(`INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)`)
      await place.query(`INSERT INTO t VALUES (3)`)
      await heard.count('t', 3)
      const [first] = heard.commits
      heard.source?.acknowledge(first?.end ?? 0n)
      // It never goes back, whatever is acknowledged.
      heard.source?.acknowledge(1n)
      const idles = heard.idles
      await heard.until(() => heard.idles > idles + 5 && heard.lastIdle > (heard.commits.at(-1)?.end ?? 0n) - 1n)
      await heard.until(async () => (await place.slot())?.confirmed_flush_lsn === formatLsn(first?.end ?? 0n))
      await sleep(200)
      assert.equal((await opened.source.status()).slot?.confirmedFlushLsn, formatLsn(first?.end ?? 0n))
    })

    it('26: empty transactions, messages and origins are no events, and do not stop the slot', async () => {
      const place = await make('noise')
      await place.query('CREATE TABLE hidden (id int); CREATE PUBLICATION only_t FOR TABLE t')
      await using opened = await place.open({ publication: { name: 'only_t' }, statusIntervalMs: 50 })
      await place.query('INSERT INTO hidden VALUES (1)')
      await place.query(
        `SELECT pg_logical_emit_message(true, 'a', 'in a transaction'), pg_logical_emit_message(false, 'b', 'alone')`,
      )
      await place.query(`
        SELECT pg_replication_origin_create('noise_origin'); SELECT pg_replication_origin_session_setup('noise_origin');
        BEGIN; SELECT pg_replication_origin_xact_setup('0/1234', '2026-11-20'); INSERT INTO t VALUES (1); COMMIT`)
      const [row] = await place.query('SELECT pg_current_wal_flush_lsn() AS lsn')
      const written = parseLsn(row?.lsn ?? '') ?? 0n
      await opened.heard.until(() => opened.heard.lastIdle >= written)
      assert.deepEqual(
        opened.heard.events.map(({ id, table }) => [id.split(':')[1], table]),
        [['0', 't']],
      )
      await opened.heard.until(async () => (parseLsn((await place.slot())?.confirmed_flush_lsn ?? '') ?? 0n) >= written)
    })
  })
}

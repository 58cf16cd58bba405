/** `source.snapshot: initial`: the rows that exist already come first, and then the changes. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { comparePositions, parseLsn } from '../../src/feed/lsn.ts'
import { check } from '../../src/feed/sources/postgres/preflight.ts'
import { PostgresSource } from '../../src/feed/sources/postgres/source.ts'
import { Postgres } from '../world/postgres.ts'
import { type Given, optionsFor, Place, Recorded } from './listener.ts'
import { Copy, shown } from './table-copy.ts'

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'snapshot-'))

  source(place: Place, heard: Recorded, given: Given = {}): PostgresSource {
    const write = (level: 'info' | 'warn' | 'error') => (fields: object) =>
      void heard.log.push({ level, event: '', ...fields })
    const source = new PostgresSource(optionsFor(place.server, place.options({ snapshot: 'initial', ...given })), {
      log: { info: write('info'), warn: write('warn'), error: write('error') },
      now: Date.now,
      environment: {},
      slotFile: join(this.path, 'slot.json'),
      snapshotFile: join(this.path, 'snapshot.json'),
    })
    heard.source = source
    return source
  }

  get state(): { done: boolean; rows: number } {
    return JSON.parse(readFileSync(join(this.path, 'snapshot.json'), 'utf8'))
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

for (const version of process.env.GATEHOUSE_TEST_LONG === '1' ? ([15, 18] as const) : ([18] as const)) {
  describe(`a snapshot of PostgreSQL ${version}`, () => {
    let server: Postgres
    before(async () => {
      server = await Postgres.start({ version })
    })
    after(() => server[Symbol.asyncDispose]())

    it('is what the slot begins with: rows that change meanwhile are in the end as they are in the tables', async () => {
      const place = await Place.make(server, 'overlap')
      await place.query(`
        CREATE TABLE plain (id bigint PRIMARY KEY, note text, big text);
        INSERT INTO plain SELECT i, 'row ' || i, CASE WHEN i % 50 = 0 THEN (SELECT string_agg(md5(i::text || j), '') FROM generate_series(1, 200) j) END FROM generate_series(1, 3000) i;
        CREATE TABLE "zwei ""Wörter""" (code char(4), part numeric(6, 2), note text, PRIMARY KEY (part, code));
        INSERT INTO "zwei ""Wörter""" SELECT chr(97 + i % 26), i / 100.0, E'a"b\\\\\\n' || i FROM generate_series(1, 700) i;
        CREATE TABLE nothing (id int PRIMARY KEY);
        CREATE TABLE by_index (id int NOT NULL, v text);
        CREATE UNIQUE INDEX only_key ON by_index (id);
        ALTER TABLE by_index REPLICA IDENTITY USING INDEX only_key;
        INSERT INTO by_index VALUES (1, NULL), (2, '')`)
      using folder = new Folder()
      const heard = new Recorded()
      await using source = folder.source(place, heard)
      let done = false
      const writing = (async () => {
        await using client = await server.connect(place.name)
        for (let i = 1; !done; i++) {
          await client.query(`
            BEGIN; UPDATE plain SET note = 'changed ${i}' WHERE id % 97 = ${i % 97}; DELETE FROM plain WHERE id = ${i * 3};
            INSERT INTO plain VALUES (${-i}, 'new'), (${10_000 + i}, 'new'); UPDATE plain SET id = id + 100000 WHERE id = ${3000 - i};
            UPDATE plain SET id = -id - 100000 WHERE id = ${2000 + 50 * i};
            DELETE FROM "zwei ""Wörter""" WHERE part = ${i}; COMMIT`)
        }
      })()
      await source.start(heard)
      // Queues are full now and then.
      for (let i = 0; i < 10; i++) {
        source.pause()
        await sleep(10)
        source.resume()
        await sleep(5)
      }
      await heard.until(() => source.state.state === 'streaming')
      done = true
      await writing
      await place.query('INSERT INTO nothing VALUES (1)')
      await heard.count('nothing', 1)
      const copy = new Copy({ plain: ['id'], 'zwei "Wörter"': ['part', 'code'], nothing: ['id'], by_index: ['id'] })
      for (const event of heard.events) copy.apply(event)
      for (const table of ['plain', 'zwei "Wörter"', 'nothing', 'by_index']) {
        const rows = await place.query(`SELECT * FROM "${table.replaceAll('"', '""')}"`)
        assert.deepEqual(copy.of(table), rows.map(shown).sort(), table)
      }

      const existing = heard.events.filter(({ snapshot }) => snapshot)
      const [first] = existing
      assert.ok(
        first && existing.length >= 3702 && existing.every(({ op, lsn }) => op === 'insert' && lsn === first.lsn),
      )
      for (const [i, { position, snapshot }] of heard.events.entries()) {
        const next = heard.events[i + 1]
        if (next) assert.ok(comparePositions(position, next.position) < 0, 'ids are in order, snapshot and changes')
        assert.equal(snapshot === true, position.commitLsn < (parseLsn(first.lsn) ?? 0n))
      }
      await heard.until(() => source.snapshot?.state === 'done' && folder.state.done)
      assert.equal(source.snapshot?.rows, existing.length)
      assert.equal(heard.logged('snapshot_delivered').length, 1)
    })

    it('goes on after any page, whatever was taken of it, and gives no id to two rows', async () => {
      const place = await Place.make(server, 'resumed')
      await place.query(
        `CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT i, 'old' FROM generate_series(1, 4000) i`,
      )
      using folder = new Folder()
      const copy = new Copy({ t: ['id'] })
      const contents = new Map<string, string>()
      let starts = 0
      for (let done = false; !done; starts++) {
        const heard = new Recorded(starts % 3 === 1)
        await using source = folder.source(place, heard)
        const stop = 1 + Math.floor(Math.random() * 1500)
        const event = heard.event.bind(heard)
        heard.event = (one) => {
          event(one)
          assert.equal(contents.get(one.id) ?? one.afterJson, one.afterJson, one.id)
          contents.set(one.id, one.afterJson)
          copy.apply(one)
          // In the last run the number may be reached by a change behind the snapshot, after the source was told to go on.
          if (heard.events.length === stop && !done) source.pause()
        }
        await source.start(heard)
        // Rows behind and before what was read come, go and change between the runs.
        const at = starts * 10
        await place.query(
          `DELETE FROM t WHERE id IN (${at + 1}, ${3900 - at}); UPDATE t SET v = 'run ${starts}' WHERE id % 50 = ${starts % 50}; INSERT INTO t VALUES (${-at - 1}, 'new')`,
        )
        await heard.until(() => heard.events.length >= stop || source.state.state === 'streaming')
        if (starts > 15) heard.acknowledges = true
        if (starts > 15) source.resume()
        if (starts > 15) await heard.until(() => source.snapshot?.state === 'done')
        done = source.snapshot?.state === 'done'
        if (done) {
          source.resume()
          await place.query("INSERT INTO t VALUES (1000000, 'the end')")
          await heard.until(() => heard.events.some(({ afterJson }) => afterJson.includes('the end')))
        }
      }
      assert.ok(starts > 3, `${starts} starts`)
      assert.deepEqual(copy.of('t'), (await place.query('SELECT * FROM t')).map(shown).sort())
    })

    it('is not begun twice: once it is done, a start goes on from the slot', async () => {
      const place = await Place.make(server, 'once')
      await place.query('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2)')
      using folder = new Folder()
      for (const expected of [2, 0]) {
        const heard = new Recorded()
        await using source = folder.source(place, heard)
        await source.start(heard)
        await heard.until(() => source.snapshot?.state === 'done')
        await place.query('UPDATE t SET id = id + 10')
        await heard.count('t', expected + 2)
        assert.equal(heard.events.filter(({ snapshot }) => snapshot).length, expected)
        await heard.until(async () => (await place.slot())?.confirmed_flush_lsn !== undefined)
      }
    })

    it('publishes what the publication does: its columns and its rows', async () => {
      const place = await Place.make(server, 'filtered')
      await place.query(`
        CREATE TABLE t (id int PRIMARY KEY, v text, secret text, twice int GENERATED ALWAYS AS (id * 2) STORED);
        INSERT INTO t VALUES (1, 'a', 'x'), (2, 'b', 'x'), (3, 'c', 'x');
        CREATE PUBLICATION filtered FOR TABLE t (id, v) WHERE (id > 1)`)
      using folder = new Folder()
      const heard = new Recorded()
      await using source = folder.source(place, heard)
      await source.start(heard)
      await heard.until(() => source.snapshot?.state === 'done')
      assert.deepEqual(heard.changesOf('t'), ['insert {"id":"2","v":"b"}', 'insert {"id":"3","v":"c"}'])
    })

    it('is refused with words where there is no key, no right, or a slot already, and no slot is made', async () => {
      const place = await Place.make(server, 'refused')
      using folder = new Folder()
      const refusal = async (given: Given = {}) => {
        const heard = new Recorded()
        await using source = folder.source(place, heard, given)
        return await source.start(heard).then(
          () => assert.fail('it began'),
          ({ message }: Error) => message,
        )
      }
      const found = async (given: Given = {}) => {
        const options = optionsFor(place.server, place.options({ snapshot: 'initial', ...given }))
        const findings = await check(options, {})
        return findings.find(({ check }) => check === 'snapshot')
      }
      await place.query(
        'CREATE TABLE keyless (id int); ALTER TABLE keyless REPLICA IDENTITY FULL; CREATE PUBLICATION refused FOR ALL TABLES',
      )
      assert.match(
        await refusal(),
        /these have no primary key and no REPLICA IDENTITY USING INDEX: public\.keyless\. Add a key/,
      )
      assert.match(
        (await found())?.message ?? '',
        /no primary key and no REPLICA IDENTITY USING INDEX: public\.keyless/,
      )
      assert.equal(await found({ snapshot: 'never' }), undefined)
      await place.query(`
        ALTER TABLE keyless ADD PRIMARY KEY (id);
        CREATE ROLE reader_${version} LOGIN REPLICATION PASSWORD 'x'`)
      const url = new URL(place.server.url(place.name))
      url.username = `reader_${version}`
      url.password = 'x'
      assert.match(
        await refusal({ url: String(url) }),
        new RegExp(`GRANT SELECT ON "public"\\."keyless" TO "reader_${version}"`),
      )
      const closed = await found({ url: String(url) })
      assert.deepEqual([closed?.ok, closed?.needed], [false, true])
      assert.match(closed?.message ?? '', new RegExp(`GRANT SELECT ON "public"\\."keyless" TO "reader_${version}"`))
      await place.query(`GRANT SELECT ON keyless TO reader_${version}; ALTER TABLE keyless ENABLE ROW LEVEL SECURITY`)
      assert.match(
        await refusal({ url: String(url) }),
        /Row-level security hides rows of these tables from the feed: public\.keyless/,
      )
      assert.match((await found({ url: String(url) }))?.message ?? '', /Row-level security hides rows/)
      await place.query(`ALTER TABLE keyless DISABLE ROW LEVEL SECURITY`)
      assert.equal((await found({ url: String(url) }))?.message, 'The rows of 1 table can be read.')
      assert.equal(await place.slot(), undefined)
      await place.query("SELECT pg_create_logical_replication_slot('refused', 'pgoutput')")
      rmSync(join(folder.path, 'snapshot.json'), { force: true })
      assert.match(
        await refusal(),
        /^The slot refused is there already.*pg_drop_replication_slot\('refused'\).*snapshot to never/,
      )
    })

    it('is made again, behind a told gap, where the slot was lost and onLost is recreate', async () => {
      const place = await Place.make(server, 'lost')
      await place.query('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)')
      using folder = new Folder()
      const identities: string[] = []
      for (const rows of [1, 2]) {
        const heard = new Recorded()
        await using source = folder.source(place, heard, { slot: { onLost: 'recreate' } })
        await source.start(heard)
        await heard.until(() => source.snapshot?.state === 'done')
        assert.deepEqual([heard.events.length, heard.gaps.length], [rows, rows - 1])
        identities.push(source.identity)
        await place.query(`INSERT INTO t VALUES (${rows + 1})`)
        await heard.count('t', rows + 1)
        await source[Symbol.asyncDispose]()
        if (rows === 1) await place.query("SELECT pg_drop_replication_slot('lost')")
      }
      assert.notEqual(identities[0], identities[1], 'what the sinks have is of another log')
    })
  })
}

/** Slots and publications that are dropped, recreated or in use. The numbers are those of issue 5's list of faults. */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { check } from '../../src/feed/sources/postgres/preflight.ts'
import { Postgres } from '../world/postgres.ts'
import { makeSource, optionsFor, Place, type Recorded } from './listener.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-slot-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const slotFile = (name: string) => join(folder, name)

/** Takes the slot from its reader before the reader reconnects. */
const DROP_SLOT = (name: string) => `
  SELECT pg_terminate_backend(active_pid, 10000) FROM pg_replication_slots WHERE slot_name = '${name}';
  SELECT pg_drop_replication_slot('${name}');`
const CREATE_SLOT = (name: string) => `SELECT pg_create_logical_replication_slot('${name}', 'pgoutput')`

async function failed(heard: Recorded, why: RegExp): Promise<void> {
  await heard.until(() => heard.source?.state.state === 'failed')
  assert.match(heard.source?.state.lastError ?? '', why)
  assert.deepEqual([heard.logged('source_failed').length, heard.logged('slot_recreated').length], [1, 0])
}

for (const version of [15, 18] as const) {
  describe(`slot and publication of PostgreSQL ${version}`, () => {
    let server: Postgres
    before(async () => {
      server = await Postgres.start({ version, settings: { autovacuum: 'off' } })
    })
    after(() => server[Symbol.asyncDispose]())

    async function make(name: string): Promise<Place> {
      const place = await Place.make(server, `${name}_${version}`)
      await place.query('CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE u (id int PRIMARY KEY)')
      return place
    }

    it('9: a slot that is gone is not made again', async () => {
      const place = await make('dropped')
      await using opened = await place.open({ reconnectMinMs: 1000 })
      await place.query('INSERT INTO t VALUES (1)')
      await opened.heard.count('t', 1)
      await place.query(DROP_SLOT(place.name))
      await failed(opened.heard, /slot dropped_\d+ is gone\. Changes are lost\..*slot\.onLost/)
      assert.equal(await place.slot(), undefined)
      // The rest of the daemon goes on, and can ask.
      assert.deepEqual((await opened.source.status()).slot?.exists, false)
    })

    it('9: a slot that is gone is made again when that is configured, and said', async () => {
      const place = await make('recreated')
      await using opened = await place.open({ reconnectMinMs: 1000, slot: { onLost: 'recreate' } })
      await place.query('INSERT INTO t VALUES (1)')
      await opened.heard.count('t', 1)
      await place.query(`${DROP_SLOT(place.name)} INSERT INTO t VALUES (2);`)
      await opened.heard.until(() => opened.heard.logged('source_streaming').length === 2)
      await place.query('INSERT INTO t VALUES (3)')
      await opened.heard.count('t', 2)
      assert.deepEqual(opened.heard.changesOf('t'), ['insert {"id":"1"}', 'insert {"id":"3"}'])
      const [said] = opened.heard.logged('slot_recreated')
      assert.deepEqual([said?.level, said?.slot, said?.publication], ['error', place.name, place.name])
      assert.match(String(said?.reason), /is gone/)
      assert.match(String(said?.consequence), /changes in between are lost/)
    })

    it('9: a slot that was dropped and made again behind our back is a gap', async () => {
      const place = await make('swapped')
      await using opened = await place.open({ reconnectMinMs: 1000 })
      await place.query('INSERT INTO t VALUES (1)')
      await opened.heard.count('t', 1)
      await place.query(`${DROP_SLOT(place.name)} INSERT INTO t VALUES (2);`)
      await place.query(CREATE_SLOT(place.name))
      await place.query('INSERT INTO t VALUES (3)')
      await failed(opened.heard, /slot swapped_\d+ stands at .*, further on than it was left: it was made again/)
      assert.deepEqual(opened.heard.changesOf('t'), ['insert {"id":"1"}'])
    })

    it('9: even between two runs, when no row was lost, and by whoever advanced it', async () => {
      for (const how of ['again', 'advanced']) {
        const place = await make(`off_${how}`)
        const file = slotFile(place.name)
        {
          await using opened = await place.open({}, { slotFile: file })
          await place.query('INSERT INTO t VALUES (1)')
          await opened.heard.count('t', 1)
        }
        {
          // Nothing has happened: nothing comes again, and nothing is noticed.
          await using opened = await place.open({}, { slotFile: file })
          await place.query('INSERT INTO t VALUES (2)')
          await opened.heard.count('t', 1)
          assert.deepEqual(opened.heard.changesOf('t'), ['insert {"id":"2"}'])
        }
        if (how === 'again') await place.query(DROP_SLOT(place.name))
        if (how === 'again') await place.query(CREATE_SLOT(place.name))
        else {
          await place.query('INSERT INTO t VALUES (3)')
          await place.query(`SELECT pg_replication_slot_advance('${place.name}', pg_current_wal_lsn())`)
        }
        await assert.rejects(place.open({}, { slotFile: file }), /further on than it was left/)
        // An operator has brought the receivers up to date.
        await using opened = await place.open({ slot: { onLost: 'recreate' } }, { slotFile: file })
        assert.equal(opened.heard.logged('slot_recreated').length, 1)
        await place.query('INSERT INTO t VALUES (4)')
        await opened.heard.count('t', 1)
        await opened.source[Symbol.asyncDispose]()
        await using again = await place.open({}, { slotFile: file })
        assert.equal(again.heard.logged('slot_recreated').length, 0)
      }
    })

    it('9: a slot that the server gave up for want of room', async () => {
      const place = await make('lost')
      await server.query(`ALTER SYSTEM SET max_slot_wal_keep_size = '32MB'`)
      await server.query('SELECT pg_reload_conf()')
      const fill = `SELECT pg_logical_emit_message(false, 'filler', repeat('x', 1000000)) FROM generate_series(1, 100)`
      try {
        await using opened = await place.open({ retainedWarnBytes: 10_000_000, slotPollMs: 50 })
        await using mended = await place.open({ slot: { name: `${place.name}_mended`, onLost: 'recreate' } })
        for (const { heard } of [opened, mended]) heard.acknowledges = false
        await place.query('INSERT INTO t VALUES (1)')
        for (const { heard } of [opened, mended]) await heard.count('t', 1)
        await place.query(`${fill}; CHECKPOINT`)
        await failed(opened.heard, /The server has invalidated the slot lost_\d+ \(wal_removed\)\. Changes are lost/)
        assert.equal((await place.slot())?.wal_status, 'lost')
        await mended.heard.until(() => mended.heard.logged('slot_recreated').length > 0)
        await mended.heard.until(() => mended.source.state.state === 'streaming')
        await place.query('INSERT INTO t VALUES (2)')
        await mended.heard.until(() => mended.heard.changesOf('t').at(-1) === 'insert {"id":"2"}')
        const findings = await check(optionsFor(server, place.options()), {})
        const finding = findings.find(({ check }) => check === 'slot is valid')
        assert.deepEqual([finding?.ok, finding?.needed], [false, true])
        assert.match(
          finding?.message ?? '',
          /It is lost \(wal_removed\): SELECT pg_drop_replication_slot\('lost_\d+'\)/,
        )
      } finally {
        await server.query('ALTER SYSTEM RESET max_slot_wal_keep_size')
        await server.query('SELECT pg_reload_conf()')
      }
    })

    it('10: a publication that is gone, also where the server says nothing', async () => {
      const place = await make('unpublished')
      await using opened = await place.open({ slotPollMs: 100 })
      await place.query('INSERT INTO t VALUES (1)')
      await opened.heard.count('t', 1)
      await place.query(`DROP PUBLICATION ${place.name}`)
      await failed(opened.heard, /publication unpublished_\d+ is gone\. Changes are lost/)
      assert.deepEqual((await opened.source.status()).publication, { exists: false, allTables: false })
    })

    it('10: a publication that was dropped and made again', async () => {
      const place = await make('republished')
      const file = slotFile(place.name)
      await using opened = await place.open({ slotPollMs: 1000 }, { slotFile: file })
      await place.query('INSERT INTO t VALUES (1)')
      await opened.heard.count('t', 1)
      await place.query(`DROP PUBLICATION ${place.name}`)
      await place.query('INSERT INTO t VALUES (2)')
      await place.query(`CREATE PUBLICATION ${place.name} FOR ALL TABLES`)
      await place.query('INSERT INTO t VALUES (3)')
      await failed(opened.heard, /publication republished_\d+ was dropped and made again/)
      await opened.source[Symbol.asyncDispose]()
      // The error stays until an operator accepts the gap: the old slot cannot read past it on 15.
      await assert.rejects(place.open({}, { slotFile: file }), /was dropped and made again/)
      await using mended = await place.open({ slot: { onLost: 'recreate' } }, { slotFile: file })
      await place.query('INSERT INTO t VALUES (4)')
      await mended.heard.count('t', 1)
      assert.deepEqual(mended.heard.changesOf('t'), ['insert {"id":"4"}'])
    })

    it('10: slot and publication are made again together', async () => {
      const place = await make('both')
      await using opened = await place.open({ slotPollMs: 100, slot: { onLost: 'recreate' } })
      await place.query('INSERT INTO t VALUES (1)')
      await opened.heard.count('t', 1)
      await place.query(`DROP PUBLICATION ${place.name}`)
      await opened.heard.until(() => opened.heard.logged('source_streaming').length === 2)
      await place.query('INSERT INTO t VALUES (2)')
      await opened.heard.count('t', 2)
      assert.equal(opened.heard.logged('slot_recreated')[0]?.level, 'error')
      assert.deepEqual(opened.heard.changesOf('t'), ['insert {"id":"1"}', 'insert {"id":"2"}'])
    })

    it('10: a table that is taken out of the publication is said, and the others go on', async () => {
      const place = await make('shrunk')
      const tables = ['public.t', 'public.u']
      await using opened = await place.open({ slotPollMs: 50, publication: { tables } })
      await place.query(`ALTER PUBLICATION ${place.name} DROP TABLE t`)
      await opened.heard.until(() => opened.heard.logged('publication_changed').length > 0)
      const [said] = opened.heard.logged('publication_changed')
      assert.deepEqual(
        [said?.were, said?.are, said?.configuredButMissing],
        ['public.t, public.u', 'public.u', ['public.t']],
      )
      await place.query('INSERT INTO t VALUES (1); INSERT INTO u VALUES (1)')
      await opened.heard.count('u', 1)
      assert.deepEqual([opened.heard.changesOf('t'), opened.source.state.state], [[], 'streaming'])
    })

    it('nothing is created that was not asked for, and a slot without publication is refused', async () => {
      const place = await make('strict')
      const none = { slot: { create: false }, publication: { create: false } }
      await assert.rejects(place.open(none), (error: Error) => {
        assert.match(error.message, /No slot strict_\d+: SELECT pg_create_logical_replication_slot/)
        assert.match(error.message, /No publication strict_\d+: CREATE PUBLICATION "strict_\d+" FOR ALL TABLES/)
        return true
      })
      await assert.rejects(place.open({ publication: { create: false } }), /^SourceError: No publication strict/)
      await assert.rejects(place.open({ slot: { create: false } }), /^SourceError: No slot strict/)
      assert.equal(await place.slot(), undefined)
      assert.deepEqual(await place.query('SELECT pubname FROM pg_publication'), [])
      await place.query(CREATE_SLOT(place.name))
      // On 15 such a slot could never be read: the publication has to be older than it.
      await assert.rejects(place.open(), /drop the slot, CREATE PUBLICATION/)
      await place.query(`SELECT pg_drop_replication_slot('${place.name}')`)
      await place.query(`SELECT pg_create_physical_replication_slot('${place.name}')`)
      await assert.rejects(place.open(), /is physical, plugin null/)
    })

    it('23: what preflight finds, and what it says to do', async () => {
      const place = await make('preflight')
      await place.query(`
        CREATE TABLE keyless (v text); CREATE TABLE full_keyless (v text); ALTER TABLE full_keyless REPLICA IDENTITY FULL;
        CREATE TABLE whole (v text) PARTITION BY LIST (v); CREATE TABLE leaf PARTITION OF whole FOR VALUES IN ('a');
        CREATE TABLE "Odd.Name" (id int PRIMARY KEY); ALTER TABLE "Odd.Name" REPLICA IDENTITY NOTHING;
        CREATE PUBLICATION some_of_it FOR TABLE keyless, full_keyless, whole, "Odd.Name", t WITH (publish_via_partition_root = true);
        CREATE PUBLICATION inserts FOR TABLE keyless WITH (publish = 'insert');`)
      const find = async (given: object) =>
        new Map((await check(optionsFor(server, place.options(given)), {})).map((finding) => [finding.check, finding]))
      const findings = await find({ publication: { name: 'some_of_it', tables: ['t', 'missing.table'] } })
      const identity = findings.get('replica identity')
      assert.deepEqual([identity?.ok, identity?.needed], [false, false])
      assert.match(
        identity?.message ?? '',
        /\(55000\): public\.Odd\.Name, public\.keyless, public\.leaf\. Add a primary key/,
      )
      assert.match(findings.get('configured tables')?.message ?? '', /not published: missing\.table/)
      const names = [
        'connection',
        'version',
        'wal_level',
        'replication role',
        'encoding',
        'slot',
        'free slots',
        'publication',
      ]
      for (const name of [...names, 'published tables', 'max_slot_wal_keep_size', 'free senders']) {
        assert.equal(findings.get(name)?.ok, true, name)
      }
      assert.equal(findings.has('idle_replication_slot_timeout'), version === 18)
      const inserts = await find({ publication: { name: 'inserts' } })
      assert.equal(inserts.get('replica identity')?.ok, true)
      assert.match(inserts.get('published operations')?.message ?? '', /leaves out: update, delete, truncate/)

      await place.query('CREATE ROLE reader LOGIN')
      const poor = await find({ url: server.url(place.name).replace('postgres@', 'reader@') })
      assert.match(poor.get('replication role')?.message ?? '', /ALTER ROLE "reader" REPLICATION/)
      assert.equal(poor.get('replication role')?.ok, false)
      const nowhere = await check(optionsFor(server, { url: 'postgres://postgres@127.0.0.1:1/x' }), {})
      assert.deepEqual(
        nowhere.map(({ check, ok }) => [check, ok]),
        [['connection', false]],
      )
      assert.match(nowhere[0]?.message ?? '', /ECONNREFUSED/)
      const failover = await find({ slot: { failover: true } })
      assert.equal(failover.get('failover')?.ok, version === 18)
      await place.query('DROP ROLE reader')
    })

    it('25: the second daemon on one slot waits, and takes over', async () => {
      const place = await make('shared')
      await using first = await place.open()
      await using second = makeSource(server, place.options())
      const started = second.source.start(second.heard)
      await second.heard.until(() => /is active for PID/.test(second.source.state.lastError ?? ''))
      assert.equal(second.source.state.state, 'starting')
      await place.query('INSERT INTO t VALUES (1)')
      await first.heard.count('t', 1)
      await first.source[Symbol.asyncDispose]()
      await started
      await place.query('INSERT INTO t VALUES (2)')
      await second.heard.count('t', 1)
      assert.deepEqual(second.heard.changesOf('t'), ['insert {"id":"2"}'])
    })

    it('25: a source that is closed while it waits', async () => {
      const place = await make('waiting')
      await using _ = await place.open()
      await using second = makeSource(server, place.options())
      const refused = assert.rejects(second.source.start(second.heard), /closed before it began/)
      await second.heard.until(() => second.source.state.lastError !== null)
      await second.source[Symbol.asyncDispose]()
      await refused
      assert.equal(second.source.state.state, 'stopped')
    })

    it('25: a source that is closed while it begins leaves nothing that keeps the process', async () => {
      const place = await make('beginning')
      await (await place.open()).source[Symbol.asyncDispose]()
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
      const before = timers()
      for (let turn = 0; turn < 12; turn++) {
        await place.query(`INSERT INTO t VALUES (${turn})`)
        const file = { slotFile: slotFile(place.name) }
        const { source, heard } = makeSource(server, place.options({ slotPollMs: 100 }), file)
        const started = source.start(heard).catch(() => {})
        // The row comes as soon as it streams; after that, how far the slot stands is looked at, and written down.
        await heard.count('t', 1)
        await sleep(turn / 2)
        await source[Symbol.asyncDispose]()
        await started
      }
      assert.equal(timers(), before)
    })

    it('31: a promoted standby that has everything is read on', async () => {
      const place = await make('promoted')
      await using opened = await place.open({ reconnectMinMs: 2000, slot: { failover: version === 18 } })
      if (version === 18) assert.equal((await place.slot())?.failover, 't')
      await place.query('INSERT INTO t VALUES (1)')
      await opened.heard.count('t', 1)
      await server.promote()
      await place.query('INSERT INTO t VALUES (2)')
      await opened.heard.until(() => opened.heard.changesOf('t').includes('insert {"id":"2"}'))
      assert.deepEqual(
        opened.heard.logged('timeline_changed').map(({ from, to }) => [from, to]),
        [['1', '2']],
      )
      assert.equal(opened.heard.ids.length, 2)
    })

    it('31: a database that was restored from an older copy is not read on', async () => {
      const place = await make('restored')
      const file = slotFile(place.name)
      await using opened = await place.open({}, { slotFile: file })
      await opened.source[Symbol.asyncDispose]()
      await server.stop('fast')
      const copy = join(folder, `copy-${version}`)
      cpSync(server.dataDir, copy, { recursive: true })
      await server.launch()
      await using later = await place.open({}, { slotFile: file })
      await place.query('INSERT INTO t SELECT generate_series(1, 100000)')
      await later.heard.count('t', 100_000)
      await later.source[Symbol.asyncDispose]()
      await server.stop('fast')
      const { uid, gid } = statSync(server.dataDir)
      rmSync(server.dataDir, { recursive: true })
      cpSync(copy, server.dataDir, { recursive: true })
      own(server.dataDir, uid, gid)
      chmodSync(server.dataDir, 0o700)
      await server.launch()
      await assert.rejects(place.open({}, { slotFile: file }), /it was restored from an older copy/)
    })
  })
}

/** Copying as root makes root the owner. */
function own(path: string, uid: number, gid: number): void {
  for (const name of ['', ...readdirSync(path, { recursive: true, encoding: 'utf8' })])
    chownSync(join(path, name), uid, gid)
}

/**
 * Another log answers where the feed has read before, and the daemon was off meanwhile: a promoted standby, a restored dump, an
 * upgraded cluster, a copy of the files that was put back. Each ends with words, or with a gap that every sink is told; none
 * ends with rows that never come and a feed that says it is ready.
 */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Engine } from '../../src/feed/engine/engine.ts'
import type { Source } from '../../src/feed/source.ts'
import { Postgres } from '../world/postgres.ts'
import { until } from '../world/until.ts'
import { type Given, makeSource, Place } from './listener.ts'
import { EngineFolder } from './running.ts'
import { ScriptedSink, serve } from './scripted-sink.ts'

let server: Postgres
let upgraded: Postgres
before(async () => {
  const settings = { autovacuum: 'off' }
  const servers = [Postgres.start({ version: 18, settings }), Postgres.start({ version: 18, settings })]
  ;[server, upgraded] = (await Promise.all(servers)) as [Postgres, Postgres]
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await upgraded[Symbol.asyncDispose]()
})

/** A daemon's state folder over several runs, and what two receivers have got in all of them. */
class Feed implements AsyncDisposable {
  readonly #folder = new EngineFolder()
  readonly sinks = { a: new ScriptedSink(), b: new ScriptedSink() }
  engine: Engine | undefined
  source: Source | undefined

  /** @throws why it does not start */
  async start(place: Place, given: Given = {}, on = place.server): Promise<void> {
    const { source } = makeSource(on, place.options({ ...given, url: on.url(place.name) }), {
      slotFile: join(this.#folder.path, 'slot.json'),
    })
    const sinks = Object.entries(this.sinks).map(([id, sink]) => serve(sink, { id }))
    this.source = source
    this.engine = this.#folder.engine(source, sinks)
    await this.engine.start()
  }

  /** One start with `slot.onLost: fail` has to end in these words; the next, with `recreate`, tells both sinks a gap. */
  async stopsAndThenTells(why: RegExp, place: Place, given: Given = {}, on = place.server): Promise<void> {
    await assert.rejects(this.start(place, given, on), (error: Error) => {
      assert.match(error.message, why)
      assert.match(error.message, /Bring the receivers up to date/)
      return true
    })
    assert.equal(this.source?.state.state, 'failed')
    await this.stop()
    await this.start(place, { ...given, slot: { ...given.slot, onLost: 'recreate' } }, on)
  }

  /** Rows that the first receiver has got since the gap, each once. */
  async sinceTheGap(why: RegExp, last: number): Promise<number[]> {
    const { a, b } = this.sinks
    await until(() => [a, b].every((sink) => rowsOf(sink).at(-1) === last), `row ${last} at both`)
    for (const sink of [a, b]) assert.match(sink.gaps[0]?.reason ?? 'no gap', why)
    return [...new Set(rowsOf(a).slice(a.gaps[0]?.after))]
  }

  async stop(): Promise<void> {
    await this.engine?.[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    this.#folder[Symbol.dispose]()
  }
}

function rowsOf(sink: ScriptedSink): number[] {
  return sink.received.map(({ afterJson }) => Number(JSON.parse(afterJson).id))
}

async function make(name: string): Promise<Place> {
  const place = await Place.make(server, name)
  await place.query('CREATE TABLE t (id int PRIMARY KEY)')
  return place
}

const insert = (place: Place, from: number, to = from) =>
  place.query(`INSERT INTO t SELECT generate_series(${from}, ${to})`)

/** Both receivers have everything, the slot is acknowledged, and the daemon is stopped. */
async function delivered(feed: Feed, to: number): Promise<void> {
  const { a, b } = feed.sinks
  await until(() => [a, b].every((sink) => rowsOf(sink).at(-1) === to), `row ${to} at both`)
  await feed.stop()
}

describe('while the daemon is off', () => {
  it('a standby is promoted that has no slot: the rows until the next start are a gap', async () => {
    const place = await make('no_slot')
    await using feed = new Feed()
    await feed.start(place)
    await insert(place, 1)
    await delivered(feed, 1)
    await server.promote((data) => rmSync(join(data, 'pg_replslot', place.name), { recursive: true }))
    await insert(place, 2)
    const why = /slot no_slot is gone/
    await feed.stopsAndThenTells(why, place)
    await insert(place, 3)
    assert.deepEqual(await feed.sinceTheGap(why, 3), [3])
  })

  it('a standby is promoted that has the slot: nothing is missing, and nothing comes twice', async () => {
    const place = await make('has_slot')
    await using feed = new Feed()
    const given = { slot: { failover: true } }
    await feed.start(place, given)
    await insert(place, 1)
    await delivered(feed, 1)
    await server.promote()
    await insert(place, 2)
    for (const last of [2, 3]) {
      await feed.start(place, given)
      if (last === 3) await insert(place, 3)
      await delivered(feed, last)
    }
    assert.deepEqual([rowsOf(feed.sinks.a), feed.sinks.a.gaps], [[1, 2, 3], []])
  })

  it('the database is restored from a dump: it is another one, though its name is the same', async () => {
    const place = await make('dumped')
    await using feed = new Feed()
    await feed.start(place)
    await insert(place, 1)
    await delivered(feed, 1)
    await place.query(`SELECT pg_drop_replication_slot('${place.name}')`)
    await server.query(`DROP DATABASE ${place.name}`)
    await server.query(`CREATE DATABASE ${place.name}`)
    await place.query('CREATE TABLE t (id int PRIMARY KEY)')
    await insert(place, 1, 2)
    const why = /database was dropped and made again/
    await feed.stopsAndThenTells(why, place)
    await insert(place, 3)
    assert.deepEqual(await feed.sinceTheGap(why, 3), [3])
  })

  it('the cluster is upgraded by pg_upgrade: its system identifier is another, and its slot may have come along', async () => {
    for (const migrated of [false, true]) {
      const place = await make(`upgraded_${migrated}`)
      await using feed = new Feed()
      await feed.start(place)
      await insert(place, 1)
      await delivered(feed, 1)
      // As pg_upgrade leaves it: schema, rows and publication in a new cluster.
      const there = await Place.make(upgraded, place.name)
      await there.query('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)')
      await there.query(`CREATE PUBLICATION ${place.name} FOR ALL TABLES`)
      if (migrated) await there.query(`SELECT pg_create_logical_replication_slot('${place.name}', 'pgoutput')`)
      await insert(there, 2)
      const why = /Another database cluster answers at this address: its system identifier is \d+, and it was \d+/
      await feed.stopsAndThenTells(why, place, {}, upgraded)
      await insert(there, 3)
      assert.deepEqual(await feed.sinceTheGap(why, 3), migrated ? [2, 3] : [3])
    }
  })

  it('a copy of the files is put back and written to: rows at positions that were delivered are not skipped', async () => {
    const place = await make('put_back')
    await using feed = new Feed()
    await feed.start(place)
    await insert(place, 1, 10)
    await delivered(feed, 10)
    await server.stop('fast')
    const copy = `${server.dataDir}.copy`
    cpSync(server.dataDir, copy, { recursive: true })
    await server.launch()
    await feed.start(place)
    for (let row = 11; row <= 60; row++) await insert(place, row)
    await delivered(feed, 60)
    await putBack(server, copy)
    // Other rows, at the same positions, and the log ends behind what was delivered.
    for (let row = 1011; row <= 1100; row++) await insert(place, row)
    const why = /was delivered, and the database does not have it: it was restored from an older copy/
    await feed.stopsAndThenTells(why, place)
    await insert(place, 1101)
    const all = Array.from({ length: 91 }, (_, i) => 1011 + i)
    assert.deepEqual(await feed.sinceTheGap(why, 1101), all, 'and none is missing, since the slot came along')
  })

  it('a copy of the files is put back, and little was written since: the log ends before what was delivered', async () => {
    const place = await make('put_back_short')
    await using feed = new Feed()
    await feed.start(place)
    await insert(place, 1)
    await delivered(feed, 1)
    await server.stop('fast')
    const copy = `${server.dataDir}.copy2`
    cpSync(server.dataDir, copy, { recursive: true })
    await server.launch()
    await feed.start(place)
    await insert(place, 2, 20_000)
    await delivered(feed, 20_000)
    await putBack(server, copy)
    await insert(place, 100_001)
    const why = /log ends at .*restored from an older copy/
    await feed.stopsAndThenTells(why, place)
    await insert(place, 100_002)
    assert.deepEqual(await feed.sinceTheGap(why, 100_002), [100_001, 100_002])
  })
})

/** Replaces the files of the server by a copy, which is used up. */
async function putBack(server: Postgres, copy: string): Promise<void> {
  await server.stop('fast')
  const { uid, gid } = statSync(server.dataDir)
  rmSync(server.dataDir, { recursive: true })
  cpSync(copy, server.dataDir, { recursive: true })
  rmSync(copy, { recursive: true })
  for (const name of ['', ...readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(server.dataDir, name), uid, gid)
  }
  chmodSync(server.dataDir, 0o700)
  await server.launch()
}

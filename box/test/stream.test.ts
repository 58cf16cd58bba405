/** What other gates hear of a scan: at once, each event once, also through broken connections and restarts. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { verifyAnnouncement } from '@gatehouse/proto/announcement.ts'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { codeHash } from '@gatehouse/proto/code.ts'
import type { Redemption } from '@gatehouse/proto/wire/device.ts'
import { eq } from '../src/drizzle/core.ts'
import type { Entry } from '../src/ledger/ledger.ts'
import { journal } from '../src/ledger/schema.ts'
import { Listening } from './listening.ts'
import { type TestDevice, World } from './world.ts'

const HOUR = 3_600_000
const FAST = { GATEHOUSE_SCANS_PER_SECOND: '10000', GATEHOUSE_SCAN_BURST: '100000' }
const rows = (tier: string, ...codes: string[]) => codes.map((code) => `${code},${tier},,,,,,valid`)
const many = (n: number) => Array.from({ length: n }, (_, i) => `MANY-${i}`)
const isRedemption = ({ event }: { event: string }) => event === 'redemption'

describe('the stream of a gate', () => {
  let world: World
  let north: TestDevice
  let south: TestDevice
  let admin: GatehouseClient
  before(async () => {
    world = await World.open({
      environment: FAST,
      tickets: [
        ...rows('once', 'ONCE-1', 'ONCE-2', 'ONCE-3', 'ONCE-4', 'ONCE-5', 'REV-1'),
        ...rows('daily', 'DAILY-1'),
        ...rows('reentry', 'FLEX-1'),
        ...rows('crew', 'CREW-1'),
        ...rows('once', ...many(300)),
      ],
    })
    ;[north, south, admin] = await Promise.all([world.device(), world.device(), world.admin()])
  })
  after(() => world[Symbol.asyncDispose]())

  /** A reader that is connected: nothing from now on escapes it. */
  async function listen(device: TestDevice, lastEventId?: string): Promise<Listening> {
    const listening = new Listening(world, device, { ...(lastEventId !== undefined && { lastEventId }) })
    // Somebody else's scan, heard: the connection stands.
    for (let i = 0; ; i++) {
      await north.scan('CREW-1')
      const connected = await listening.event(isRedemption, 50).catch(() => undefined)
      if (connected) return listening
      assert.ok(i < 50, 'the stream does not connect')
    }
  }

  it('tells of a scan elsewhere, in the contract’s form, and not of its own', async () => {
    const { data: manifest } = await south.client.GET('/v1/manifest')
    assert.ok(manifest && 'filter' in manifest)
    await using listening = await listen(south)
    await south.scan('ONCE-1')
    const answer = await north.scan('ONCE-2', { checkpoint: 'b-in' })
    const { data } = await listening.event(({ data }) => data.checkpoint === 'b-in')
    const hash = Buffer.from(await codeHash(Buffer.from(manifest.filter.salt, 'base64'), 'ONCE-2')).toString('base64')
    assert.equal(data.code_hashes.length, 2)
    assert.ok(data.code_hashes.includes(hash))
    const { code_hashes, ...rest } = data as Redemption
    assert.deepEqual(rest, {
      ...{ code_hash: hash, checkpoint: 'b-in', direction: 'in', zone: 'arena', used: true },
      ...{ occurrence: 1, hlc: answer.hlc, provisional: false },
    })
    await north.scan('ONCE-1')
    const { hlc } = await north.scan('CREW-1')
    await listening.event((heard) => heard.data.hlc === hlc)
    const crew = listening.heard[0]?.data.code_hash
    const about = listening.heard.map(({ data }) => data.code_hash).filter((code) => code !== crew)
    assert.deepEqual(about, [hash], 'neither its own scan nor a refusal')
  })

  it('tells of a revocation, an import and a mode', async () => {
    await using listening = await listen(south)
    const revoke = { params: { path: { id: 'REV-1' } }, body: { actor: 'a', reason: 'r' } }
    await admin.POST('/v1/admin/tickets/{id}/revoke', revoke)
    const revocation = await listening.event(({ event }) => event === 'revocation')
    assert.equal(revocation.data.code_hashes.length, 2)
    assert.ok(revocation.data.version > 0)
    await admin.POST('/v1/admin/tickets/{id}/reinstate', revoke)
    const ticket = await listening.event(({ event }) => event === 'ticket')
    assert.deepEqual(ticket.data.added.sort(), revocation.data.code_hashes.sort())
    assert.deepEqual(ticket.data.revoked, [])
    assert.equal((await north.scan('REV-1')).verdict, 'ADMIT')
    await admin.PUT('/v1/admin/mode', { body: { mode: 'DEGRADED', actor: 'a', reason: 'r' } })
    const mode = await listening.event(({ event }) => event === 'mode')
    assert.equal(mode.data.mode, 'DEGRADED')
    await admin.PUT('/v1/admin/mode', { body: { mode: 'STRICT', actor: 'a', reason: 'r' } })
    await north.scan('ONCE-3', { offline_admitted: true })
    const alone = await listening.event(({ data }) => data.provisional === true)
    assert.equal(alone.data.used, true)
  })

  it('tells what the organiser says, signed as attendees read it', async () => {
    await using listening = await listen(south)
    const said = await admin.POST('/v1/admin/announce', {
      body: { text: 'North is closed.', severity: 'warning', zones: ['arena'], actor: 'control' },
    })
    const heard = await listening.event(({ event }) => event === 'announcement')
    assert.deepEqual(heard.data, said.data ?? assert.fail())
    const { data: meta } = await admin.GET('/v1/meta')
    assert.equal(await verifyAnnouncement(heard.data, meta?.verifier_key ?? ''), true)
  })

  it('says whether a ticket is used up now, not what the passage looks like', async () => {
    await using listening = await listen(south)
    const usedAfter = async (code: string, more: Parameters<TestDevice['scan']>[1] = {}) => {
      const { hlc } = await north.scan(code, more)
      const { data } = await listening.event((heard) => heard.data.hlc === hlc)
      return data.used as boolean
    }
    const out = { checkpoint: 'a-out' }
    assert.equal(await usedAfter('ONCE-4', out), false, 'out without ever having been in')
    assert.equal(await usedAfter('ONCE-4'), true)
    assert.equal(await usedAfter('ONCE-4', out), true, 'once is once')
    assert.equal(await usedAfter('FLEX-1'), true)
    assert.equal(await usedAfter('FLEX-1', out), false, 'may come back')
    assert.equal(await usedAfter('CREW-1'), false)
    const yesterday = { offline_admitted: true, observed_at: new Date(world.now() - 30 * HOUR).toISOString() }
    assert.equal(await usedAfter('DAILY-1', yesterday), false, 'yesterday’s right')
    assert.equal(await usedAfter('DAILY-1'), true)
  })

  it('goes on after the last event, each once, through cut connections and a restart', async () => {
    await using listening = await listen(south)
    const first = listening.heard.length
    const expected: string[] = []
    let scanner = north
    for (const [i, code] of many(300).entries()) {
      const { verdict, hlc } = await scanner.scan(code)
      assert.equal(verdict, 'ADMIT')
      expected.push(hlc)
      if (randomInt(12) === 0) listening.cut()
      if (i === 150) {
        await world.restart()
        scanner = world.deviceOf(north.paired)
        admin = await world.admin()
      }
    }
    await listening.event(({ data }) => data.hlc === expected.at(-1))
    await listening[Symbol.asyncDispose]()
    assert.deepEqual(
      listening.heard.slice(first).map(({ data }) => data.hlc),
      expected,
    )
    assert.equal(new Set(listening.heard.map(({ id }) => id)).size, listening.heard.length)
    north = scanner
    south = world.deviceOf(south.paired)
  })

  it('resumes from a position of long ago, in order', async () => {
    await using listening = await listen(south)
    await north.scan('ONCE-5', { checkpoint: 'a-out' })
    await listening.event(({ data }) => data.checkpoint === 'a-out')
    await listening[Symbol.asyncDispose]()
    const [start, ...missed] = listening.heard
    await using again = new Listening(world, south, { lastEventId: start?.id ?? assert.fail() })
    await again.event(({ id }) => id === missed.at(-1)?.id)
    assert.deepEqual(
      again.heard.map(({ id, data }) => ({ id, data })),
      missed.map(({ id, data }) => ({ id, data })),
    )
  })

  it('says "gap" to a position that it does not have, and goes on from there', async () => {
    await using listening = await listen(south)
    await listening[Symbol.asyncDispose]()
    const [life = '', index = ''] = listening.heard[0]?.id.split('-') ?? []
    const positions = ['x', '0', `ffffffff-${index}`, `${life}-`, `${life}-999999999`, `${life}--5`, `${life}-1.5`]
    for (const position of positions) {
      await using behind = new Listening(world, south, { lastEventId: position })
      const gap = await behind.event(() => true)
      assert.equal(gap.event, 'gap', position)
      const { data: manifest } = await south.client.GET('/v1/manifest')
      assert.ok((manifest?.version ?? 0) >= gap.data.version)
      const { hlc } = await north.scan('CREW-1')
      await behind.event(({ data }) => data.hlc === hlc)
      assert.equal(behind.heard.filter(({ event }) => event === 'gap').length, 1)
    }
  })

  it('says "gap" to whoever has missed an entry that somebody has damaged', async () => {
    await using listening = await listen(south)
    await listening[Symbol.asyncDispose]()
    await north.scan('CREW-1')
    const { db, size } = world.box.ledger
    const [{ bytes }] = world.box.ledger.read(size - 1, 1) as [Entry]
    const put = (what: Buffer) =>
      db.drizzle
        .update(journal)
        .set({ bytes: what })
        .where(eq(journal.index, size - 1))
        .run()
    put(Buffer.from('{"half'))
    await using behind = new Listening(world, south, { lastEventId: listening.heard.at(-1)?.id ?? assert.fail() })
    assert.equal((await behind.event(() => true)).event, 'gap')
    put(bytes)
  })

  it('says "gap" to whoever is so far behind that the manifest is shorter', async () => {
    await using listening = await listen(south)
    await listening[Symbol.asyncDispose]()
    const { ledger } = world.box
    ledger.transact(() => {
      for (let i = 0; i < 5001; i++) ledger.append('mode', { actor: 'a', mode: 'STRICT', reason: 'r' })
    })
    await using behind = new Listening(world, south, { lastEventId: listening.heard[0]?.id ?? assert.fail() })
    assert.equal((await behind.event(() => true)).event, 'gap')
  })
})

describe('fifty scanners on the stream', () => {
  it('know of a redemption soon after it was answered', async (t) => {
    const scans = process.env.GATEHOUSE_TEST_LONG === '1' ? 500 : 40
    const tickets = [...rows('once', ...many(scans)), ...rows('crew', 'CREW-1')]
    await using world = await World.open({ environment: FAST, tickets })
    // Five streams a device: enrolment is limited by address, and here all have the same.
    const [scanner = assert.fail(), ...devices] = await Promise.all(Array.from({ length: 11 }, () => world.device()))
    const own = new Listening(world, scanner)
    const others = devices.flatMap((device) => Array.from({ length: 5 }, () => new Listening(world, device)))
    for (const reader of others) {
      for (let i = 0; !(await reader.event(isRedemption, 20).catch(() => undefined)); i++) {
        assert.ok(i < 100, 'the stream does not connect')
        await scanner.scan('CREW-1')
      }
    }
    const delays: number[] = []
    for (const code of many(scans)) {
      const { hlc } = await scanner.scan(code)
      const answered = performance.now()
      const heard = others.map((reader) => reader.event(({ data }) => data.hlc === hlc))
      for (const { at } of await Promise.all(heard)) delays.push(at - answered)
    }
    assert.equal(own.heard.length, 0, 'a device hears nothing of itself')
    await Promise.all([own, ...others].map((reader) => reader[Symbol.asyncDispose]()))
    delays.sort((a, b) => a - b)
    const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? Number.NaN).toFixed(1)
    t.diagnostic(
      `50 scanners, ${scans} scans: known elsewhere ${at(0.5)} ms (p50), ${at(0.99)} ms (p99) after the answer`,
    )
    assert.ok(Number(at(0.99)) < 1000)
  })
})

/** A rehearsal decides as the gate does, and leaves nothing behind but its own entries. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import Database from 'better-sqlite3'
import { openIdentity } from '../../src/ledger/identity.ts'
import { reportUpTo } from '../../src/seal/export/export.ts'
import type { Report } from '../../src/seal/report/shape.ts'
import { keysOf } from '../../src/seal/verifier-key.ts'
import { addPerson, PIN } from '../staff/world.ts'
import type { TestDevice } from '../world/device.ts'
import { TEST_EVENT } from '../world/event.ts'
import { ProcessBox } from '../world/process-box.ts'
import { scanOf } from '../world/scan-of.ts'
import { StreamReader } from '../world/stream-reader.ts'
import { World } from '../world/world.ts'

type Row = Record<string, unknown>

const MINUTE = 60_000
const WHY = { actor: 'Ana', reason: 'a try' }

/** The event of these tests is on. */
async function start(admin: GatehouseClient, minutes = 30) {
  const { data, error } = await admin.POST('/v1/admin/rehearsal', { body: { minutes, anyway: true, actor: 'Ines' } })
  if (!data) throw new Error(error.message)
  return data
}

async function rehearse({ client }: TestDevice, payload: string, now: number, more: Partial<ScanRequest> = {}) {
  const body = scanOf(payload, now, more)
  // The routes of a gate, under another path: a client whose address ends with it.
  const answer = await client.POST('/rehearsal/v1/scan', { body })
  return answer.data ?? answer.error
}

/** Of the clock, which goes on by itself. */
const OF_THE_CLOCK = ['clock_fence', 'clock_seen']

/** Every row of every table, the change log's among them. Only what the entries of a rehearsal add may differ. */
function rowsOf(dataDir: string): Record<string, Row[]> {
  const sqlite = new Database(join(dataDir, 'ledger.db'), { readonly: true })
  try {
    const tables = sqlite.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).pluck().all()
    const text = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('hex') : value)
    const rows = (name: string) =>
      (sqlite.prepare(`SELECT * FROM "${name}"`).all() as Row[]).map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, text(value)])),
      )
    const { identity = [], ...others } = Object.fromEntries((tables as string[]).map((name) => [name, rows(name)]))
    return { ...others, identity: identity.filter(({ name }) => !OF_THE_CLOCK.includes(String(name))) }
  } finally {
    sqlite.close()
  }
}

/** The control room's figures, without those that time alone changes. */
async function figuresOf(admin: GatehouseClient) {
  const { data } = await admin.GET('/v1/admin/stats')
  assert.ok(data)
  const { as_of, hlc, entries, seal, scanners, rehearsal, ...figures } = data
  const last = ({ last_seen, state, ...rest }: (typeof scanners)[number]) => rest
  return { ...figures, scanners: scanners.map(last) }
}

/** An export's report of the event; it counts its own entries too, and those of the rehearsal. */
function reportOf(world: World): Partial<Report> {
  const { ledger, boxId } = world.box
  const { origin, logKey: signingKey } = keysOf(
    'test-fair',
    openIdentity(ledger.db, 'test-fair', () => world.now()),
  )
  assert.ok(boxId)
  const cover = { origin, signingKey, software: 'gatehouse/0.0.0', madeAt: world.now(), size: ledger.size }
  const { made_at, entries, until, kinds, seals, ...rest } = reportUpTo(ledger.db, cover)
  const { rehearsal, seal, export: exported, ...others } = kinds as Record<string, number>
  return { ...rest, kinds: others }
}

describe('a rehearsal', () => {
  it('leaves every table, figure, stream and total as it was, but for its two entries', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    await using gate = await world.device()
    await using other = await world.supervisor()
    await using stream = new StreamReader(world, other)
    await stream.position()
    await gate.scan('ONCE-2')
    await stream.event(({ event }) => event === 'redemption')
    const dataDir = world.environment.GATEHOUSE_DATA_DIR ?? ''
    const [rows, figures, report] = [rowsOf(dataDir), await figuresOf(admin), reportOf(world)]
    const ticket = { params: { path: { id: world.ticketIdOf('ONCE-1') } } }
    const { data: wallet } = await admin.GET('/v1/ticket/{id}', ticket)

    await start(admin)
    const now = world.now()
    const first = scanOf('ONCE-1', now)
    const { data: admitted } = await gate.client.POST('/rehearsal/v1/scan', { body: first })
    assert.equal(admitted?.verdict, 'ADMIT')
    for (const code of ['ONCE-1', 'DAILY-1', 'FLEX-1', 'CREW-1', 'CREW-1', 'VIP-1', 'REVOKED-1', 'NOBODY'])
      await rehearse(gate, code, now)
    await rehearse(gate, 'FLEX-1', now, { checkpoint: 'a-out' })
    await rehearse(gate, 'DAILY-1', now, { checkpoint: 'b-in', offline_admitted: true })
    const params = { path: { scan_id: first.scan_id } }
    assert.ok((await gate.client.POST('/rehearsal/v1/scan/{scan_id}/undo', { params, body: WHY })).data)
    assert.deepEqual(await figuresOf(admin), figures, 'while it runs')
    assert.deepEqual(
      (await admin.GET('/v1/ticket/{id}', ticket)).data?.history,
      wallet?.history,
      'nobody is told that they are in',
    )
    const { data: ended } = await admin.POST('/v1/admin/rehearsal/end', { body: { actor: 'Ines' } })
    assert.deepEqual([ended?.scans, ended?.devices], [11, 1])

    assert.deepEqual(await figuresOf(admin), figures)
    assert.deepEqual(reportOf(world), report, 'an export')
    const { journal = [], ...after } = rowsOf(dataDir)
    const { journal: journalBefore = [], ...tables } = rows
    assert.deepEqual(journal.slice(0, journalBefore.length), journalBefore)
    assert.deepEqual(
      journal
        .slice(journalBefore.length)
        .map(({ kind }) => kind)
        .filter((kind) => kind !== 'seal'),
      ['rehearsal', 'rehearsal'],
    )
    for (const [name, was] of Object.entries(tables)) {
      if (!FOLLOWS_THE_JOURNAL.has(name)) assert.deepEqual(after[name], was, name)
    }
    const published = after.changefeed_log?.slice(tables.changefeed_log?.length) ?? assert.fail('no change log')
    assert.deepEqual(
      published.filter(({ tbl }) => tbl !== 'journal' && tbl !== 'seals'),
      [],
      'the feed',
    )
    assert.equal(stream.received.filter(({ event }) => event === 'redemption').length, 1)

    // And the gate itself knows nothing of it.
    assert.equal((await gate.scan('ONCE-1')).verdict, 'ADMIT')
  })

  it('decides as the gate does, with what happened in it', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    await using gate = await world.device()
    await using chief = await world.supervisor()
    await gate.scan('ONCE-2')
    await start(admin)
    const now = world.now()
    const verdictOf = async (code: string, more: Partial<ScanRequest> = {}) => {
      const said = await rehearse(gate, code, now, more)
      return said && 'verdict' in said ? said.verdict : said?.code
    }
    assert.equal(await verdictOf('ONCE-2'), 'ADMIT', 'nobody has come yet')
    assert.equal(await verdictOf('ONCE-2', { checkpoint: 'b-in' }), 'ALREADY_USED')
    assert.equal(await verdictOf('VIP-1'), 'REDIRECT')
    assert.equal(await verdictOf('REVOKED-1'), 'REVOKED')
    assert.equal(await verdictOf('PENDING-1'), 'NOT_PAID')
    assert.equal(await verdictOf('NOBODY'), 'UNKNOWN')
    const again = scanOf('FLEX-1', now)
    const [one, two] = [await answerTo(gate, again), await answerTo(gate, again)]
    assert.deepEqual(one, two, 'sent twice, answered once')

    const refused = scanOf('BLOCKED-1', now)
    assert.equal((await chief.client.POST('/rehearsal/v1/scan', { body: refused })).data?.verdict, 'BLOCKED')
    const params = { path: { scan_id: refused.scan_id } }
    const { data } = await chief.client.POST('/rehearsal/v1/scan/{scan_id}/admit', { params, body: WHY })
    assert.equal(data?.verdict, 'ADMIT')
    const { error } = await gate.client.POST('/v1/scan/{scan_id}/undo', { params, body: WHY })
    assert.equal(error?.code, 'not_found', 'the gate knows no scan of a rehearsal')

    // Revoked meanwhile, for real: the next code is answered by that.
    const ticket = { params: { path: { id: world.ticketIdOf('DAILY-1') } } }
    assert.ok((await admin.POST('/v1/admin/tickets/{id}/revoke', { ...ticket, body: WHY })).data)
    assert.equal(await verdictOf('DAILY-1'), 'REVOKED')
  })

  it('is refused while people come, unless an admin insists; and there is one at a time', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    await using gate = await world.device()
    await gate.scan('ONCE-1')
    const { data: state } = await admin.GET('/v1/admin/rehearsal')
    assert.deepEqual(state, { objections: ['event_on', 'people_came'] })
    const { error } = await admin.POST('/v1/admin/rehearsal', { body: { minutes: 30 } })
    assert.equal(error?.code, 'conflict')
    await start(admin)
    const both = await admin.POST('/v1/admin/rehearsal', { body: { minutes: 30, anyway: true } })
    assert.equal(both.error?.code, 'conflict')
    const { data: log } = await admin.GET('/v1/admin/log', { params: { query: { kind: 'rehearsal' } } })
    const [entry] = log?.rows ?? []
    assert.deepEqual([entry?.actor, entry?.entry.action, entry?.entry.anyway], ['Ines', 'started', true])
  })

  it('tells scanners with their report, and says who is really let in meanwhile', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    await using gate = await world.device()
    const report = async () => (await gate.client.POST('/v1/status', { body: { unsent: 0 } })).data?.rehearsal
    assert.equal(await report(), undefined)
    const { id, until } = await start(admin)
    world.elapsedMs += 2_000
    assert.deepEqual(await report(), { id, until })
    await rehearse(gate, 'ONCE-1', world.now())
    await gate.scan('ONCE-2')
    const { data } = await admin.GET('/v1/admin/stats')
    const { scans, devices, admitted_meanwhile } = data?.rehearsal ?? assert.fail()
    assert.deepEqual({ scans, devices, admitted_meanwhile }, { scans: 1, devices: 1, admitted_meanwhile: 1 })
  })

  it('ends by itself, also where the clock was set back, and then no scan is taken for one', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    await using gate = await world.device()
    for (const over of [() => (world.offsetMs += 31 * MINUTE), () => (world.elapsedMs += 31 * MINUTE)]) {
      await start(admin)
      over()
      const said = await rehearse(gate, 'ONCE-1', world.now())
      assert.equal(said && 'code' in said ? said.code : said?.verdict, 'conflict')
      assert.equal((await admin.GET('/v1/admin/rehearsal')).data?.running, undefined)
    }
    const { data } = await admin.GET('/v1/admin/log', { params: { query: { kind: 'rehearsal' } } })
    assert.deepEqual(
      data?.rows.map(({ actor, entry }) => [actor, entry.action]),
      [
        ['the box', 'ended'],
        ['Ines', 'started'],
        ['the box', 'ended'],
        ['Ines', 'started'],
      ],
    )
    assert.equal((await admin.POST('/v1/admin/rehearsal/end', { body: {} })).error?.code, 'conflict')
  })

  it('is started by no device', async () => {
    await using world = await World.open()
    await using chief = await world.supervisor()
    for (const client of [chief.client, chief.signed]) {
      const { error } = await client.POST('/v1/admin/rehearsal', { body: { minutes: 5, anyway: true } })
      assert.ok(error)
      assert.ok(['bad_token', 'not_found', 'no_token'].includes(error.code), error.code)
    }
    const said = await rehearse(chief, 'ONCE-1', world.now())
    assert.equal(said && 'code' in said ? said.code : said?.verdict, 'conflict')
  })

  it('is over after a kill, with nothing of it on the disk', async () => {
    await using box = new ProcessBox({ environment: { GATEHOUSE_FEED: '0' } })
    await box.start()
    await using gate = await box.device()
    const files = readdirSync(box.dataDir).sort()
    await start(box.admin())
    const said = await rehearse(gate, 'ONCE-1', box.now())
    assert.equal(said && 'verdict' in said && said.verdict, 'ADMIT')
    assert.deepEqual(readdirSync(box.dataDir).sort(), files)
    await box.kill()
    await box.start()
    const after = await rehearse(gate, 'ONCE-1', box.now())
    assert.equal(after && 'code' in after ? after.code : after?.verdict, 'conflict')
    const { data } = await box.admin().GET('/v1/admin/stats')
    assert.deepEqual([data?.rehearsal, data?.admissions], [undefined, 0])
    assert.equal((await gate.scan('ONCE-1')).verdict, 'ADMIT')
    const { data: log } = await box.admin().GET('/v1/admin/log', { params: { query: { kind: 'rehearsal' } } })
    assert.deepEqual(
      log?.rows.map(({ entry }) => entry.action),
      ['started'],
    )
  })
})

/** The seals of the journal and what is kept about its length, and the change log, which is looked at by itself. */
const FOLLOWS_THE_JOURNAL = new Set([
  ...['seals', 'subtrees', 'tallies', 'sqlite_sequence'],
  ...['changefeed_log', 'changefeed_slot'],
])

async function answerTo({ client }: TestDevice, body: ScanRequest) {
  return (await client.POST('/rehearsal/v1/scan', { body })).data
}

describe('a rehearsal where people sign on at scanners', () => {
  it('asks for name and PIN as at the gate, and whoever signed on stays for the real scans', async () => {
    await using world = await World.open({ event: { ...TEST_EVENT, scanners_sign_on: {} } })
    const admin = await world.admin()
    await addPerson(admin, 'Boss', 'admin')
    const ada = await addPerson(admin, 'Ada', 'viewer')
    await using gate = await world.device()
    await start(admin)
    assert.partialDeepStrictEqual(await rehearse(gate, 'ONCE-1', world.now()), { code: 'sign_on_needed' })
    const { data: on } = await gate.client.POST('/v1/sign-on', { body: { name: 'ada', secret: PIN } })
    assert.equal(on?.name, 'Ada')
    assert.partialDeepStrictEqual(await rehearse(gate, 'ONCE-1', world.now()), { verdict: 'ADMIT' })
    const { ledger } = world.box
    const kinds = () => ledger.read(0, ledger.size).map(({ kind }) => kind)
    assert.ok(!kinds().includes('scan'))
    // The person signs off in the rehearsal, too: that was no act of a gate, and it counts.
    await gate.client.POST('/v1/sign-on/end')
    assert.partialDeepStrictEqual(await rehearse(gate, 'ONCE-2', world.now()), { code: 'sign_on_needed' })
    await gate.client.POST('/v1/sign-on', { body: { name: 'Ada', secret: PIN } })
    await admin.POST('/v1/admin/rehearsal/end', { body: {} })

    assert.equal((await gate.scan('ONCE-1')).verdict, 'ADMIT')
    const scans = ledger.read(0, ledger.size).filter(({ kind }) => kind === 'scan')
    assert.deepEqual(
      scans.map(({ fields }) => (fields as unknown as Row).person),
      [ada],
    )
  })
})

import '../../../scanner-pwa/src/words/in-english.ts'

/** The scanner's core in a rehearsal: what it scans then counts nowhere, whatever becomes of the box, the network and the page. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ScanRecord } from '../../../scanner-pwa/src/gate/model.ts'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const HOUR = 3_600_000
const said = ({ verdict, alone, rehearsal }: ScanRecord) =>
  `${verdict.verdict}${alone ? ', alone' : ''}${rehearsal ? ', rehearsed' : ''}`

async function ready(world: World): Promise<Phone> {
  const fetch = tlsFetch({ ca: await world.ca })
  const phone = new Phone({ origin: world.box.baseUrl, fetch, now: () => world.now() })
  const scanner = await phone.open()
  await scanner.pair(await world.inviteLink(undefined, true), 'Phone 1')
  scanner.choose('a-in')
  scanner.signOn('Ana')
  await until(() => scanner.mirror.value !== null && scanner.link.value.state === 'reachable', 'the phone is in step')
  return phone
}

async function start(world: World): Promise<void> {
  const { error } = await (await world.admin()).POST('/v1/admin/rehearsal', { body: { minutes: 30, anyway: true } })
  assert.equal(error, undefined)
}

async function end(world: World): Promise<void> {
  assert.ok((await (await world.admin()).POST('/v1/admin/rehearsal/end', { body: {} })).data)
}

async function admissions(world: World): Promise<number> {
  const { data } = await (await world.admin()).GET('/v1/admin/stats')
  return data?.admissions ?? assert.fail()
}

/** A report is due every ten seconds, and with each change of the checkpoint. */
async function hears({ scanner }: Phone, wanted: boolean): Promise<void> {
  for (let n = 0; scanner.rehearsing.value !== wanted; n++) {
    assert.ok(n < 20, `the phone hears ${wanted}`)
    scanner.choose(n % 2 === 0 ? 'b-in' : 'a-in')
    await until(() => scanner.rehearsing.value === wanted, 'the phone hears of it', 0.05).catch(() => {})
  }
  scanner.choose('a-in')
}

describe('a phone in a rehearsal', () => {
  it('is answered by the box, and counts nobody, in its own shift either', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    const { scanner } = phone
    await start(world)
    await hears(phone, true)
    const first = await scanner.scan('ONCE-1')
    assert.equal(said(first), 'ADMIT, rehearsed')
    assert.equal(said(await scanner.scan('ONCE-1')), 'ALREADY_USED, rehearsed')
    assert.equal((await scanner.undo(first.scanId, 'a try')).undone, true)
    assert.equal(said(await scanner.scan('ONCE-1')), 'ADMIT, rehearsed')
    const refused = await scanner.scan('BLOCKED-1')
    assert.equal(said(await scanner.admit(refused.scanId, 'a try')), 'ADMIT, rehearsed')
    assert.equal(scanner.recent.value.length, 4)
    assert.deepEqual(Object.values(scanner.shift.value.byClass).filter(Boolean), [])
    assert.equal(await admissions(world), 0)

    // The phone has not heard of the end: the code is refused, and counts when it is shown again.
    await end(world)
    const late = await scanner.scan('ONCE-1')
    assert.equal(late.failed, true)
    assert.match(late.verdict.reason, /scan again, it counts/)
    assert.equal(scanner.rehearsing.value, false)
    assert.equal(said(await scanner.scan('ONCE-1')), 'ADMIT')
    assert.deepEqual(scanner.recent.value.filter(({ rehearsal }) => rehearsal).map(said), ['BLOCKED, rehearsed'])
    assert.equal(await admissions(world), 1)
  })

  it('decides alone while the box is away, also after a restart of the page, and uploads nothing of it', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    await start(world)
    await hears(phone, true)
    phone.go(false)
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ADMIT, alone, rehearsed')
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ALREADY_USED, alone, rehearsed', 'it knows its own')
    const scanner = await phone.reopen()
    assert.equal(scanner.rehearsing.value, true)
    assert.equal(said(await scanner.scan('DAILY-1')), 'ADMIT, alone, rehearsed')
    assert.equal(scanner.unsent.value, 0)
    await end(world)
    phone.go(true)
    await hears(phone, false)
    assert.deepEqual([scanner.unsent.value, scanner.recent.value.length, await admissions(world)], [0, 0, 0])

    // Its admissions alone count from now on, and no ticket is used up by the rehearsal.
    phone.go(false)
    assert.equal(said(await scanner.scan('ONCE-1')), 'ADMIT, alone')
    phone.go(true)
    await until(() => scanner.unsent.value === 0, 'it is uploaded')
    assert.equal(await admissions(world), 1)
  })

  it('is in none once its time is over, though it hears nothing of the box', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    const { scanner } = phone
    await start(world)
    await hears(phone, true)
    phone.go(false)
    world.offsetMs += HOUR
    assert.equal(said(await scanner.scan('ONCE-1')), 'ADMIT, alone')
    assert.equal(scanner.unsent.value, 1)
    await phone.reopen()
    assert.equal(phone.scanner.rehearsing.value, false)
  })

  it('leaves it by hand, and stays out of it', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    await start(world)
    await hears(phone, true)
    phone.scanner.leaveRehearsal()
    assert.equal(phone.scanner.rehearsing.value, false)
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ADMIT')
    const scanner = await phone.reopen()
    await until(() => scanner.link.value.state === 'reachable', 'the box has answered')
    assert.equal(scanner.rehearsing.value, false)
    assert.equal(said(await scanner.scan('ONCE-2')), 'ADMIT')
    const { data } = await (await world.admin()).GET('/v1/admin/stats')
    assert.deepEqual([data?.admissions, data?.rehearsal?.admitted_meanwhile], [2, 2])
  })

  it('that was away when it began admits for real, and uploads that', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    const { scanner } = phone
    phone.go(false)
    await start(world)
    assert.equal(said(await scanner.scan('ONCE-1')), 'ADMIT, alone')
    phone.go(true)
    await until(() => scanner.unsent.value === 0, 'it is uploaded')
    assert.equal(await admissions(world), 1)
    await hears(phone, true)
  })
})

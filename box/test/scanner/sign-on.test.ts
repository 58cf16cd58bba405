import '../../../scanner-pwa/src/words/in-english.ts'

/** Signing on at a scanner, where the event wants it: the scanner app's core, and other devices, against a real box. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Scanner } from '../../../scanner-pwa/src/gate/model.ts'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { openDatabase, STORES } from '../../../scanner-pwa/src/store/database.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import type { EntryFields, EntryKind } from '../../src/ledger/entries.ts'
import { addPerson, PIN, trySignIn } from '../staff/world.ts'
import { TEST_EVENT } from '../world/event.ts'
import { SOON_MS, until } from '../world/until.ts'
import { World } from '../world/world.ts'

const EVENT = { ...TEST_EVENT, scanners_sign_on: { lock_minutes: 5, not_at: ['a-out'] } }
const TICKETS = ['S-1', 'S-2', 'S-3', 'S-4', 'S-5', 'S-6'].map((code) => `${code},once,,,,,,valid`)
const REASON = { reason: 'turned round', actor: 'Somebody Else' }

async function open(): Promise<{ world: World; ids: Record<'ada' | 'bo', string> }> {
  const world = await World.open({ event: EVENT, tickets: TICKETS })
  const admin = await world.admin()
  await addPerson(admin, 'Boss', 'admin')
  const ids = { ada: await addPerson(admin, 'Ada', 'viewer'), bo: await addPerson(admin, 'Bo', 'operator') }
  return { world, ids }
}

async function ready(world: World): Promise<Phone & { scanner: Scanner }> {
  const fetch = tlsFetch({ ca: await world.ca })
  const phone = new Phone({ origin: world.box.baseUrl, fetch, now: () => world.now() })
  const scanner = await phone.open()
  await scanner.pair(await world.inviteLink(), 'Phone 1')
  scanner.choose('b-in')
  await until(() => scanner.link.value.state === 'reachable', 'the box answers')
  await until(() => scanner.signOnWanted.value, 'the phone knows that somebody has to sign on')
  return phone
}

/** The last entry of a kind. */
function last<K extends EntryKind>({ box: { ledger } }: World, kind: K): EntryFields<K> {
  const entry = ledger.read(0, ledger.size).findLast((one) => one.kind === kind) ?? assert.fail(`no ${kind}`)
  return entry.fields as unknown as EntryFields<K>
}

it('asks for name and PIN, and has the person of the login in every act, whatever a field says', async () => {
  const { world, ids } = await open()
  await using _ = world
  const gate = await world.supervisor()
  const { client } = gate
  await assert.rejects(gate.scan('S-1'), /sign_on_needed/)
  for (const body of [
    { name: 'Ada', secret: '999998' },
    { name: 'Nobody', secret: PIN },
  ]) {
    const { error } = await client.POST('/v1/sign-on', { body })
    assert.equal(error?.code, 'not_allowed')
  }
  const { data: on } = await client.POST('/v1/sign-on', { body: { name: 'ada', secret: PIN } })
  assert.ok(on?.name === 'Ada')
  const held = { person: ids.ada, via: on.session }
  const { scan_id } = await gate.scan('S-1')
  assert.partialDeepStrictEqual(last(world, 'scan'), { ...held, device: gate.paired.id })
  const params = { path: { scan_id } }
  await client.POST('/v1/scan/{scan_id}/undo', { params, body: REASON })
  assert.partialDeepStrictEqual(last(world, 'undo'), { ...held, actor: 'Ada' })
  await gate.scan('S-1')
  const refused = await gate.scan('S-1', { checkpoint: 'b-in' })
  await client.POST('/v1/scan/{scan_id}/admit', { params: { path: { scan_id: refused.scan_id } }, body: REASON })
  assert.partialDeepStrictEqual(last(world, 'supervisor_admit'), { ...held, actor: 'Ada' })
  // A case names whoever held the scanner, and the device.
  await gate.scan('S-1', { offline_admitted: true, checkpoint: 'b-in' })
  const { data: cases } = await (await world.admin()).GET('/v1/admin/flags')
  const records = cases?.flags.flatMap((one) => one.records) ?? []
  const known = records.filter(({ offline_admitted }) => !offline_admitted)
  assert.ok(known.length > 0 && known.every(({ person_name }) => person_name === 'Ada'), JSON.stringify(records))
  // A scanner's reports from its time alone without a session name nobody.
  assert.ok(records.some(({ offline_admitted, person_name }) => offline_admitted && person_name === undefined))
  const observed_at = new Date(world.now()).toISOString()
  const report = { incident_id: 'i-1', kind: 'medical' as const, checkpoint: 'a-in', observed_at }
  await client.POST('/v1/incidents', { body: report })
  assert.partialDeepStrictEqual(last(world, 'incident'), held)
  await client.POST('/v1/incidents/{id}/notes', { params: { path: { id: 'i-1' } }, body: { note_id: 'n', note: 'x' } })
  assert.partialDeepStrictEqual(last(world, 'incident_note'), held)
  await client.POST('/v1/incidents/{id}/withdraw', { params: { path: { id: 'i-1' } } })
  assert.partialDeepStrictEqual(last(world, 'incident_action'), { ...held, actor: 'Ada' })
  assert.ok(!JSON.stringify(world.box.ledger.read(0, world.box.ledger.size)).includes(REASON.actor))
  const admin = await world.admin()
  const { data: log } = await admin.GET('/v1/admin/log', { params: { query: { person: ids.ada, kind: 'scan' } } })
  assert.equal(log?.rows.length, 3)
  for (const row of log.rows) assert.deepEqual([row.actor, row.device], ['Ada', gate.paired.id])
  const { data: staff } = await admin.GET('/v1/admin/staff')
  const listed = staff?.sessions.find(({ session }) => session === on.session)
  assert.deepEqual([listed?.name, listed?.device], ['Ada', "supervisor's device"])
})

it('ends with the person, with the sign-off, and when an admin ends it; a scanner where nobody stands goes on', async () => {
  const { world, ids } = await open()
  await using _ = world
  const admin = await world.admin()
  const [gate, turnstile] = [await world.device(), await world.device(['a-out'])]
  const on = async (name: string) => {
    const { data, error } = await gate.client.POST('/v1/sign-on', { body: { name, secret: PIN } })
    return data ?? assert.fail(error.message)
  }
  await on('Bo')
  await gate.client.POST('/v1/sign-on/end')
  await assert.rejects(gate.scan('S-1'), /sign_on_needed/)
  const { session } = await on('Bo')
  await admin.POST('/v1/admin/sessions/{id}/end', { params: { path: { id: session } }, body: {} })
  await assert.rejects(gate.scan('S-1'), /sign_on_needed/)
  await on('Ada')
  await on('Bo')
  assert.equal((await gate.scan('S-1')).verdict, 'ADMIT')
  assert.equal(last(world, 'scan').person, ids.bo, 'the one who signed on last')
  await world.restart()
  const again = world.deviceOf(gate.paired)
  assert.equal((await again.scan('S-2')).verdict, 'ADMIT', 'a restart of the box ends nothing')
  await (await world.admin()).POST('/v1/admin/staff/{id}/remove', { params: { path: { id: ids.bo } }, body: {} })
  await assert.rejects(again.scan('S-3'), /sign_on_needed/)
  const exit = world.deviceOf(turnstile.paired)
  assert.equal((await exit.scan('S-2', { checkpoint: 'a-out' })).verdict, 'EXIT')
  const { error } = await exit.client.POST('/v1/sign-on', { body: { name: 'Ada', secret: PIN } })
  assert.equal(error?.code, 'conflict')
})

it('is slowed down and locked with the PINs of the control room: tries here count there', async () => {
  const { world } = await open()
  await using _ = world
  world.holdRates()
  const gate = await world.device()
  const codes: string[] = []
  for (let i = 0; i < 6; i++) {
    const { error } = await gate.client.POST('/v1/sign-on', { body: { name: 'Ada', secret: '999998' } })
    codes.push(error?.code ?? '')
  }
  assert.deepEqual(codes, [...Array(5).fill('not_allowed'), 'rate_limited'])
  assert.equal((await trySignIn(world, 'Ada')).status, 429)
})

it('takes what was admitted alone for the person of that time, and believes no session of another scanner', async () => {
  const { world, ids } = await open()
  await using _ = world
  const [one, other] = [await world.device(), await world.device()]
  const on = async (device: typeof one, name: string) =>
    (await device.client.POST('/v1/sign-on', { body: { name, secret: PIN } })).data?.session ?? assert.fail()
  const ada = await on(one, 'Ada')
  const bo = await on(other, 'Bo')
  await on(one, 'Bo')
  const upload = (code: string, signed_on: string) =>
    one.client.POST('/v1/scans', {
      body: { scans: [{ ...world.scanOf(code, { signed_on }), offline_admitted: true }] },
    })
  await upload('S-1', ada)
  assert.equal(last(world, 'scan').person, ids.ada, 'signed off meanwhile')
  await upload('S-2', bo)
  assert.equal(last(world, 'scan').person, undefined)
  await (await world.admin()).POST('/v1/admin/staff/{id}/remove', { params: { path: { id: ids.ada } }, body: {} })
  const { data } = await upload('S-3', ada)
  assert.partialDeepStrictEqual(data?.verdicts, [{ verdict: 'ADMIT' }], 'people are inside')
  assert.equal(last(world, 'scan').person, ids.ada)
  await one.scan('S-4', { signed_on: ada })
  assert.equal(last(world, 'scan').person, ids.bo, 'what is asked now is in the name of now')
})

it('a phone locks, is signed on, switched fast, and locked within a second when the person is removed', async () => {
  const { world, ids } = await open()
  await using _ = world
  await using phone = await ready(world)
  const { scanner } = phone
  assert.ok(scanner.locked.value)
  assert.partialDeepStrictEqual(await scanner.signOnAs('Ada', '999998'), { code: 'not_allowed' })
  assert.equal(await scanner.signOnAs('ada', PIN), 'on')
  assert.equal(await scanner.signOnAs('Bo', PIN), 'on')
  assert.deepEqual(scanner.people.value, ['Bo', 'Ada'])
  assert.deepEqual([scanner.locked.value, scanner.shift.value.operator], [false, 'Bo'])
  assert.equal((await scanner.scan('S-1')).operator, 'Bo')
  await phone.reopen()
  await until(() => phone.scanner.link.value.state === 'reachable', 'the box answers')
  assert.equal(phone.scanner.locked.value, false, 'the page was opened again')
  await (await world.admin()).POST('/v1/admin/staff/{id}/remove', { params: { path: { id: ids.bo } }, body: {} })
  const removedAt = performance.now()
  await until(() => phone.scanner.locked.value, 'the phone is locked')
  assert.ok(performance.now() - removedAt < SOON_MS, `after ${performance.now() - removedAt} ms`)
  const db = await openDatabase(phone.deps.database)
  const stored = JSON.stringify(await Promise.all(STORES.map((store) => db.getAll(store))))
  db.close()
  assert.ok(!stored.includes(PIN), 'no PIN is on the phone')
})

it('alone, a phone goes on with whoever is signed on: nobody else is, and nobody is locked out by idleness', async () => {
  const { world, ids } = await open()
  await using _ = world
  await using phone = await ready(world)
  const { scanner } = phone
  await scanner.signOnAs('Ada', PIN)
  await until(() => scanner.mirror.value !== null, 'a list of tickets')
  phone.go(false)
  await until(() => scanner.link.value.state === 'offline', 'alone')
  assert.equal(await scanner.signOnAs('Bo', PIN), 'unreachable')
  assert.equal(await scanner.signOff(), false)
  const record = await scanner.scan('S-1')
  assert.ok(record.alone && record.operator === 'Ada')
  await phone.reopen()
  assert.deepEqual([phone.scanner.locked.value, phone.scanner.shift.value.operator], [false, 'Ada'])
  phone.go(true)
  await until(() => phone.scanner.unsent.value === 0, 'the admission is sent')
  assert.equal(last(world, 'scan').person, ids.ada)
  assert.equal(last(world, 'scan').offline_admitted, true)
})

it('an idle phone signs off, and the box with it', async () => {
  const { world } = await open()
  await using _ = world
  await using phone = await ready(world)
  const { scanner } = phone
  await scanner.signOnAs('Ada', PIN)
  world.offsetMs += 6 * 60_000
  // Its next report to the box is due at once.
  scanner.choose('a-in')
  await until(() => scanner.locked.value, 'locked')
  await until(() => last(world, 'session').action === 'ended', 'the box knows')
  assert.deepEqual(scanner.people.value, ['Ada'], 'one touch and a PIN away')
})

it('an event that does not want it asks nobody, and tells no scanner', async () => {
  await using world = await World.open({ tickets: TICKETS })
  const gate = await world.device()
  assert.equal((await gate.scan('S-1')).verdict, 'ADMIT')
  const { data: manifest } = await gate.client.GET('/v1/manifest')
  assert.ok(manifest && !('sign_on' in manifest))
  assert.ok(!('person' in last(world, 'scan')) && !('via' in last(world, 'scan')))
  const { error } = await gate.client.POST('/v1/sign-on', { body: { name: 'Ada', secret: PIN } })
  assert.equal(error?.code, 'conflict')
})

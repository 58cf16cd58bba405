import '../../../scanner-pwa/src/words/in-english.ts'

/** The scanner app's core with tickets that their shop describes, against a real box: questions, the tray, groups, names. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import type { Scanner, ScanRecord } from '../../../scanner-pwa/src/gate/model.ts'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { openDatabase, STORES } from '../../../scanner-pwa/src/store/database.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { answers, scans } from '../../src/ledger/schema.ts'
import { sayOfTicket, sellProduct } from '../world/details.ts'
import { TEST_EVENT } from '../world/event.ts'
import { freePorts } from '../world/ports.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const FAMILY = ['F1', 'F2', 'F3', 'F4', 'F5']
const CODES = [...FAMILY, 'ASKED', 'OPTIONAL', 'HEED', 'PLAIN']
const TICKETS = CODES.map((code) => `${code},once,,${code === 'PLAIN' ? '' : `Ana ${code}`},,,,valid`)
const SIZE = {
  id: 'size',
  text: 'Size?',
  kind: 'choice' as const,
  required: true,
  options: [
    { id: 's', text: 'Small' },
    { id: 'l', text: 'Large' },
  ],
}
const DIET = { id: 'diet', text: 'Diet?', kind: 'text' as const, required: false }

/** A box that can be stopped and comes back at the same address. */
async function open(): Promise<World> {
  const [https] = await freePorts(1)
  const world = await World.open({
    event: { ...TEST_EVENT, scanners_see: 'name_and_notes' },
    tickets: TICKETS,
    environment: { GATEHOUSE_HTTPS_PORT: String(https) },
  })
  const { db } = world.box.ledger
  sellProduct(db, 'asks', { name: 'With shirt', questions: [SIZE, DIET] })
  sellProduct(db, 'may', { name: 'With dinner', questions: [DIET] })
  sellProduct(db, 'heed', { name: 'Child', attention: true, note: 'Check the age.' })
  for (const [i, code] of FAMILY.entries()) sayOfTicket(db, code, { orderCode: 'FAM', position: i + 1 })
  sayOfTicket(db, 'ASKED', { product: 'asks' })
  sayOfTicket(db, 'OPTIONAL', { product: 'may' })
  sayOfTicket(db, 'HEED', { product: 'heed', personal: { note: 'Has the keys.' } })
  return world
}

async function ready(world: World): Promise<Phone> {
  const fetch = tlsFetch({ ca: await world.ca })
  const phone = new Phone({ origin: world.box.baseUrl, fetch, now: () => world.now() })
  const scanner = await phone.open()
  await scanner.pair(await world.inviteLink(undefined, true), 'Phone 1')
  scanner.choose('b-in')
  scanner.signOn('Rui')
  await until(() => scanner.mirror.value !== null && scanner.link.value.state === 'reachable', 'the phone is in step')
  return phone
}

const said = ({ verdict, alone }: ScanRecord) => `${verdict.verdict}${alone ? ', alone' : ''}`
const tray = (scanner: Scanner) => scanner.tray.value.map(({ scanId }) => scanId)
/** The code that the holder's phone shows now. */
async function freshCode(world: World, printed: string): Promise<string> {
  const id = world.ticketIdOf(printed)
  const { data } = await (await world.admin()).GET('/v1/ticket/{id}', { params: { path: { id } } })
  const key = await keyFromSeed(fromBase64(data?.secret ?? '') ?? assert.fail())
  return signCode(key, await eventTag('test-fair'), slotAt(world.now()))
}

/** Everything that this phone has on its disk. */
async function stored(phone: Phone): Promise<string> {
  const db = await openDatabase(phone.deps.database)
  const all = await Promise.all(STORES.map((store) => db.getAll(store)))
  db.close()
  return JSON.stringify(all)
}

/** Answers that the box has stored, by question. */
function answersAt(world: World): Record<string, string> {
  const rows = world.box.ledger.db.drizzle.select().from(answers).all()
  return Object.assign({}, ...rows.map((row) => row.answers))
}

describe('a question', { timeout: 60_000 }, () => {
  it('is asked before the admission: the answer lets in, and is on no disk of the phone', async () => {
    await using world = await open()
    await using phone = await ready(world)
    const { scanner } = phone
    const asked = await scanner.scan('ASKED')
    assert.equal(said(asked), 'BLOCKED')
    assert.deepEqual(tray(scanner), [asked.scanId])
    assert.equal(said(await scanner.scan('PLAIN')), 'ADMIT')
    assert.deepEqual(tray(scanner), [asked.scanId], 'the next scan takes nothing away')
    scanner.draft(asked.scanId, { diet: 'No nuts' })
    const again = await scanner.scan('ASKED')
    assert.deepEqual(tray(scanner), [again.scanId], 'the same code asks once')
    assert.deepEqual(scanner.open(again.scanId)?.draft, { diet: 'No nuts' })

    const wrong = await scanner.answer(again.scanId, { size: 'xxl', diet: 'No nuts' })
    assert.equal(wrong?.verdict.verdict, 'BLOCKED')
    const [problem] = scanner.tray.value[0]?.questions ?? []
    assert.deepEqual([problem?.id, problem?.problem], ['size', 'Choose from the list.'])
    const admitted = await scanner.answer(wrong?.scanId ?? '', { size: 'l' })
    assert.equal(admitted && said(admitted), 'ADMIT')
    assert.deepEqual(tray(scanner), [])
    assert.deepEqual(answersAt(world), { size: 'l', diet: 'No nuts' })
    assert.equal(scanner.shift.value.byClass.supervisor, 0, 'somebody who is asked is not refused')
    const disk = await stored(phone)
    assert.ok(disk.includes(asked.scanId))
    for (const secret of ['Ana ASKED', 'No nuts']) assert.ok(!disk.includes(secret), secret)
  })

  it('is answered alone: the person enters, and the answers arrive with the scan', async () => {
    await using world = await open()
    await using phone = await ready(world)
    const { scanner } = phone
    const asked = await scanner.scan('ASKED')
    await world.box[Symbol.asyncDispose]()
    await until(() => scanner.link.value.state === 'offline', 'the phone is alone')
    const admitted = await scanner.answer(asked.scanId, { size: 's' })
    assert.equal(admitted && said(admitted), 'ADMIT, alone')
    assert.deepEqual([tray(scanner), admitted?.blind], [[], true])
    await world.restart()
    await until(() => scanner.unsent.value === 0, 'all is sent')
    assert.deepEqual(answersAt(world), { size: 's' })
    assert.deepEqual(scanner.aside.value, [])
    assert.ok(!(await stored(phone)).includes('"answers"'), 'sent answers leave the phone')
  })

  it('may take ten minutes, alone too: a code that was fresh when it was asked about is no old one', async () => {
    await using world = await open()
    await using phone = await ready(world)
    const { scanner } = phone
    const code = await freshCode(world, 'ASKED')
    const asked = await scanner.scan(code)
    await world.box[Symbol.asyncDispose]()
    await until(() => scanner.link.value.state === 'offline', 'the phone is alone')
    world.offsetMs += 10 * 60_000
    assert.equal(said(await scanner.scan(code)), 'STALE_CODE, alone')
    const admitted = await scanner.answer(asked.scanId, { size: 's' })
    assert.equal(admitted && said(admitted), 'ADMIT, alone')
    await world.restart()
    await until(() => scanner.unsent.value === 0, 'all is sent')
    assert.deepEqual([answersAt(world), scanner.doubles.value, scanner.aside.value], [{ size: 's' }, [], []])
  })

  it('that may be left out is offered after the admission, and kept once somebody has begun to answer', async () => {
    await using world = await open()
    await using phone = await ready(world)
    const { scanner } = phone
    const { scanId } = await scanner.scan('OPTIONAL')
    assert.deepEqual([tray(scanner), scanner.open(scanId)?.waits], [[], false])
    scanner.draft(scanId, { diet: 'None' })
    assert.deepEqual(tray(scanner), [scanId])
    assert.equal(await scanner.answer(scanId, { diet: 'None' }), null)
    assert.deepEqual(tray(scanner), [])
    assert.deepEqual(answersAt(world), { diet: 'None' })
  })
})

describe('attention and names', { timeout: 60_000 }, () => {
  it('stay until a person has seen them, and are on no disk of the phone', async () => {
    await using world = await open()
    await using phone = await ready(world)
    const { scanner } = phone
    const shown = await scanner.scan('HEED')
    const { holder, note, attention, product } = shown.verdict
    assert.deepEqual(
      [holder, note, attention, product],
      ['Ana HEED', 'Has the keys.', { text: 'Check the age.' }, 'Child'],
    )
    assert.equal(scanner.recent.value[0]?.verdict.holder, undefined)
    await scanner.scan('PLAIN')
    await scanner.scan('HEED')
    assert.deepEqual(tray(scanner), [shown.scanId], 'a refusal leaves nothing to look at')
    const disk = await stored(phone)
    assert.ok(disk.includes('Check the age.'))
    for (const secret of ['Ana HEED', 'Has the keys.']) assert.ok(!disk.includes(secret), secret)
    scanner.seen(shown.scanId)
    assert.deepEqual(tray(scanner), [])
  })

  it('go when the phone may scan no more', async () => {
    await using world = await open()
    await using phone = await ready(world)
    const { scanner } = phone
    await scanner.scan('ASKED')
    assert.equal(scanner.tray.value.length, 1)
    const id = scanner.pairing.value?.deviceId ?? ''
    const body = { actor: 'control room', reason: 'a test' }
    await (await world.admin()).POST('/v1/admin/devices/{id}/revoke', { params: { path: { id } }, body })
    await scanner.scan('PLAIN')
    await until(() => scanner.ended.value !== null, 'the phone knows')
    assert.deepEqual(scanner.tray.value, [])
  })

  it('go with the shift, with who is signed on, with the page and with the pairing', async () => {
    await using world = await open()
    await using phone = await ready(world)
    const ends: [string, () => unknown][] = [
      ['hand-over', () => phone.scanner.handOver()],
      ['another person', () => phone.scanner.signOn('Ines')],
      ['restart', () => phone.reopen()],
      ['unpaired', () => phone.scanner.unpair()],
    ]
    for (const [what, end] of ends) {
      phone.scanner.signOn('Rui')
      await until(() => phone.scanner.link.value.state === 'reachable', 'the box answers')
      await phone.scanner.scan('ASKED')
      assert.equal(phone.scanner.tray.value.length, 1, what)
      await end()
      assert.deepEqual(phone.scanner.tray.value, [], what)
    }
  })
})

describe('an order', { timeout: 60_000 }, () => {
  it('enters with one press, each as a scan of its own that is taken back by itself', async () => {
    await using world = await open()
    await using phone = await ready(world)
    await using other = await ready(world)
    const { scanner } = phone
    assert.equal((await other.scanner.scan('F2')).verdict.order?.inside, 1)
    const first = await scanner.scan('F1')
    const { inside, of, more } = first.verdict.order ?? {}
    assert.deepEqual([inside, of, more], [2, 5, 3])
    const others = await scanner.admitMore(first.scanId, 3)
    assert.deepEqual(others.map(said), ['ADMIT', 'ADMIT', 'ADMIT'])
    assert.equal(others.at(-1)?.verdict.order?.inside, 5)
    assert.equal(scanner.shift.value.byClass.admit, 4)
    await scanner.undo(others[1]?.scanId ?? '', 'Did not enter')
    assert.deepEqual(scanner.recent.value.map(({ undone }) => undone === true).filter(Boolean), [true])
    assert.equal((await other.scanner.scan('F1')).verdict.order?.inside, 4)
    await assert.rejects(scanner.admitMore('nonsense', 3), /Scan the ticket again/)
  })

  it('is admitted once where the answer was lost and the press is repeated', async () => {
    await using world = await open()
    await using phone = await ready(world)
    const { scanner } = phone
    const first = await scanner.scan('F1')
    phone.delayMs = (path) => (path.endsWith('/group') ? 200 : 0)
    const lost = assert.rejects(scanner.admitMore(first.scanId, 2), /does not answer/)
    const inside = () => world.box.ledger.db.drizzle.select().from(scans).all().length
    await until(() => inside() === 3, 'the box has admitted them')
    phone.go(false)
    await lost
    phone.delayMs = () => 0
    phone.go(true)
    await until(() => scanner.link.value.state === 'reachable', 'the box answers')
    assert.deepEqual((await scanner.admitMore(first.scanId, 2)).map(said), ['ADMIT', 'ADMIT'])
    assert.equal(inside(), 3)
  })
})

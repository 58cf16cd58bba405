/** Verdicts of tickets that their shop describes, and the questions that are asked before people enter. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { answers, tickets } from '../../src/ledger/schema.ts'
import { takeAnswers } from '../../src/scan/answers.ts'
import { supervisorAdmit } from '../../src/scan/supervise.ts'
import { erasePersonalData } from '../../src/tickets/erasure.ts'
import { Desk } from '../world/desk.ts'
import { sayOfTicket, sellProduct } from '../world/details.ts'
import { TEST_EVENT } from '../world/event.ts'
import { storedScans } from '../world/stored-scans.ts'

const NOW = Date.parse('2026-07-04T18:00:00Z')
const SIZE = {
  id: 'size',
  text: { de: 'Größe?', en: 'T-shirt size?' },
  kind: 'choice' as const,
  required: true,
  options: [
    { id: 's', text: 'Small' },
    { id: 'l', text: 'Large' },
  ],
}
const DIET = { id: 'diet', text: 'Diet?', kind: 'text' as const, required: false }

let desk: Desk
const db = () => desk.deps.ledger.db
const answered = (size: string) => [{ question: 'size', answer: size }]

async function open(scanners_see?: 'none' | 'name' | 'name_and_notes'): Promise<void> {
  desk = await Desk.open({ now: NOW, event: { ...TEST_EVENT, ...(scanners_see && { scanners_see }) } })
  await desk.import(['A,once,valid,,,Ana Reis', 'B,once,valid', 'PLAIN,once,valid,,,Bo Lind'])
  sellProduct(db(), 'shirt', { name: 'Festival', variation: 'With shirt', questions: [SIZE, DIET] })
  sellProduct(db(), 'camp', { name: 'Camping', attention: true, note: 'Check the age.' })
}

function toScan(text: string): Verdict {
  return JSON.parse(text) as Verdict
}

describe('a ticket that its shop describes', () => {
  afterEach(() => desk[Symbol.dispose]())

  it('shows product, attention and add-ons; the holder and the note for the door only where the event allows it', async () => {
    const said = { product: 'camp', personal: { note: 'Has the keys.' }, extras: [{ position: 2, product: 'shirt' }] }
    const seen: Record<string, Partial<Verdict>> = {}
    for (const see of [undefined, 'none', 'name', 'name_and_notes'] as const) {
      await open(see)
      sayOfTicket(db(), 'A', said)
      const { product, attention, addons, holder, note } = await desk.scan('A')
      assert.deepEqual([product, attention, addons], ['Camping', { text: 'Check the age.' }, ['Festival: With shirt']])
      seen[see ?? 'absent'] = { ...(holder && { holder }), ...(note && { note }) }
      if (see !== 'name_and_notes') desk[Symbol.dispose]()
    }
    assert.deepEqual(seen, {
      absent: {},
      none: {},
      name: { holder: 'Ana Reis' },
      name_and_notes: { holder: 'Ana Reis', note: 'Has the keys.' },
    })
  })

  it('answers a resend with the same text; after an erasure without the name', async () => {
    await open('name')
    sayOfTicket(db(), 'A', { product: 'camp' })
    const scan = desk.scanOf('A')
    const first = await desk.text(scan)
    assert.match(first, /Ana Reis/)
    assert.equal(await desk.text(scan), first)
    assert.doesNotMatch(await desk.text({ ...scan, offline_admitted: true }), /Ana Reis/, 'nobody stands there')
    assert.equal((await desk.scan('PLAIN', { offline_admitted: true })).holder, undefined)
    erasePersonalData(desk.deps.ledger, COMMAND_LINE, () => NOW)
    const { holder, ...bare } = toScan(first)
    assert.ok(holder)
    assert.deepEqual(toScan(await desk.text(scan)), bare)
  })

  it('keeps name and note out of the stored answer and the journal', async () => {
    await open('name_and_notes')
    sayOfTicket(db(), 'A', { product: 'shirt', personal: { note: 'Has the keys.' } })
    await desk.scan('A', { answers: [...answered('l'), { question: 'diet', answer: 'No nuts' }] })
    const stored = storedScans(db())
    const everything = JSON.stringify([stored, desk.journal()])
    for (const secret of ['Ana', 'keys', 'No nuts']) assert.ok(!everything.includes(secret), secret)
  })

  it('says nothing more for a code that is out of date, to somebody who leaves, and of a ticket without details', async () => {
    await open('name_and_notes')
    sayOfTicket(db(), 'A', { product: 'camp' })
    const row = desk.deps.tickets.openedBy(desk.deps.codes.read('A')) ?? assert.fail()
    const old = await signCode(await keyFromSeed(row.seed), await eventTag(desk.event.id), slotAt(NOW) - 100)
    const details = ({ product, attention, holder, addons, questions, order }: Verdict) =>
      [product, attention, holder, addons, questions, order].filter((one) => one !== undefined)
    const stale = await desk.scan(old)
    assert.deepEqual([stale.verdict, details(stale)], ['STALE_CODE', []])
    assert.deepEqual(details(await desk.scan('A', { checkpoint: 'a-out' })), [])
    const plain = await desk.scan('PLAIN')
    assert.deepEqual(details(plain), ['Bo Lind'])
    assert.ok(!('product' in plain || 'order' in plain || 'questions' in plain))
  })
})

describe('a required question', () => {
  beforeEach(async () => {
    await open()
    sayOfTicket(db(), 'A', { product: 'shirt' })
  })
  afterEach(() => desk[Symbol.dispose]())

  it('is asked before the admission, and a client that does not know questions gets a sentence that says what to do', async () => {
    const asked = await desk.scan('A')
    assert.deepEqual([asked.verdict, asked.severity, asked.occurrence], ['BLOCKED', 'refuse', 0])
    assert.equal(
      asked.reason,
      'Ask first: "T-shirt size?" has to be answered first. Answer on the scanner, or send to the ticket desk.',
    )
    assert.deepEqual(
      asked.questions?.map(({ id, required, text }) => ({ id, required, text })),
      [
        { id: 'size', required: true, text: 'T-shirt size?' },
        { id: 'diet', required: false, text: 'Diet?' },
      ],
    )
    assert.deepEqual(desk.flags(), [])
  })

  it('lets in whoever answers it, once and for all gates', async () => {
    const { scan_id: asked_by } = await desk.scan('A')
    const admitted = await desk.scan('A', { asked_by, answers: answered('l') })
    assert.deepEqual([admitted.verdict, admitted.answered, admitted.occurrence], ['ADMIT', 1, 1])
    assert.deepEqual(desk.deps.tickets.answers.of(refOf('A')), { size: 'l' })
    assert.deepEqual(
      desk
        .journal()
        .filter(({ kind }) => kind === 'answers')
        .map(({ count, scan_id }) => [count, scan_id]),
      [[1, admitted.scan_id]],
    )
    // The optional one is offered with the first admission, and not after it.
    assert.deepEqual(
      admitted.questions?.map(({ id }) => id),
      ['diet'],
    )
    assert.equal((await desk.scan('A')).questions, undefined)
  })

  it('is asked again with what is wrong where the answer is none; the other answers are kept', async () => {
    const answersSent = [
      ...answered('huge'),
      { question: 'diet', answer: 'None' },
      { question: 'no such', answer: 'x' },
    ]
    const again = await desk.scan('A', { answers: answersSent })
    assert.deepEqual([again.verdict, again.answered], ['BLOCKED', 1])
    assert.deepEqual(
      again.questions?.map(({ id, problem }) => [id, problem]),
      [['size', 'Choose from the list.']],
    )
    assert.equal((await desk.scan('A', { answers: answered('s') })).verdict, 'ADMIT')
    assert.deepEqual(desk.deps.tickets.answers.of(refOf('A')), { diet: 'None', size: 's' })
  })

  it('is not asked where the shop has the answer, at an exit, or of somebody who would be refused', async () => {
    sayOfTicket(db(), 'B', { product: 'shirt', personal: { answers: { size: 's' } } })
    assert.equal((await desk.scan('B')).verdict, 'ADMIT')
    assert.equal((await desk.scan('A', { checkpoint: 'a-out' })).verdict, 'EXIT')
    assert.equal((await desk.scan('B', { answers: answered('l') })).verdict, 'ALREADY_USED')
    assert.deepEqual(desk.deps.tickets.answers.of(refOf('B')), {}, 'a refused scan answers nothing')
  })

  it('keeps nobody out whom a scanner let in alone, and takes the answers that were given there', async () => {
    const alone = { offline_admitted: true, answers: answered('l') }
    const { verdict, answered: count, flag } = await desk.scan('A', alone)
    assert.deepEqual([verdict, count, flag], ['ADMIT', 1, undefined])
    assert.deepEqual(desk.deps.tickets.answers.of(refOf('A')), { size: 'l' })
    sayOfTicket(db(), 'B', { product: 'shirt' })
    assert.equal((await desk.scan('B', { offline_admitted: true })).verdict, 'ADMIT')
  })

  it('takes answers that are uploaded for an admission whose answer was lost, and answers as before', async () => {
    sayOfTicket(db(), 'B', { product: 'shirt', personal: { answers: { size: 's' } } })
    const scan = desk.scanOf('B')
    const first = await desk.text(scan)
    const upload = { ...scan, offline_admitted: true, answers: [{ question: 'diet', answer: 'None' }] }
    assert.equal(await desk.text(upload), first)
    assert.equal(await desk.text(upload), first)
    assert.deepEqual(desk.deps.tickets.answers.of(refOf('B')), { diet: 'None' })
    assert.equal(db().drizzle.select().from(answers).all().length, 1)
  })

  it('gets the same text again for a scan that is sent again, and stores nothing twice', async () => {
    const scan = desk.scanOf('A', { answers: answered('l') })
    const first = await desk.text(scan)
    assert.equal(await desk.text({ ...scan, answers: answered('s') }), first)
    assert.equal(db().drizzle.select().from(answers).all().length, 1)
  })

  it('does not bind a supervisor, who sees what is on the ticket', async () => {
    sayOfTicket(db(), 'A', { attention: 1 })
    const { scan_id } = await desk.scan('A')
    const by = { actor: 'Ana', reason: 'no size left' }
    const { verdict, product, attention } = toScan(
      await supervisorAdmit(scan_id, by, desk.device('s', true), desk.deps),
    )
    assert.deepEqual([verdict, product, attention], ['ADMIT', 'Festival: With shirt', {}])
  })

  it('that cannot be asked here is named, and keeps nobody out', async () => {
    const photo = { id: 'photo', text: 'Photo?', kind: 'not_askable' as const, required: true }
    sellProduct(db(), 'badge', { questions: [photo] })
    sayOfTicket(db(), 'B', { product: 'badge' })
    const { verdict, questions } = await desk.scan('B', { answers: [{ question: 'photo', answer: 'x' }] })
    assert.deepEqual([verdict, questions?.map(({ kind }) => kind)], ['ADMIT', ['not_askable']])
  })

  it('lets a phone show the code of its first scan while it is answered, and no other code, scanner or time', async () => {
    const { seed } = desk.deps.tickets.openedBy(desk.deps.codes.read('A')) ?? assert.fail()
    const code = (slots: number) =>
      eventTag(desk.event.id).then(async (tag) => signCode(await keyFromSeed(seed), tag, slots))
    const shown = await code(slotAt(NOW))
    const asked = await desk.scan(shown)
    assert.equal(asked.verdict, 'BLOCKED')
    desk.now += 5 * 60_000
    const more: Partial<ScanRequest> = { asked_by: asked.scan_id, answers: answered('l') }
    const older = await code(slotAt(NOW) - 1)
    assert.equal((await desk.scan(shown, { answers: answered('l') })).verdict, 'STALE_CODE', 'without the first scan')
    assert.equal((await desk.scan(older, more)).verdict, 'STALE_CODE', 'another code')
    assert.equal((await desk.scan(shown, more, 'thief')).verdict, 'STALE_CODE', 'another scanner')
    assert.equal((await desk.scan(shown, { ...more, checkpoint: 'b-in' })).verdict, 'STALE_CODE', 'another checkpoint')
    desk.now += 11 * 60_000
    assert.equal((await desk.scan(shown, more)).verdict, 'STALE_CODE', 'after a quarter of an hour')
    desk.now -= 11 * 60_000
    assert.equal((await desk.scan(shown, more)).verdict, 'ADMIT')
    assert.equal((await desk.scan(shown, more)).verdict, 'ALREADY_USED')
  })
})

describe('answers after the admission', () => {
  beforeEach(async () => {
    await open()
    sayOfTicket(db(), 'A', { product: 'shirt' })
  })
  afterEach(() => desk[Symbol.dispose]())

  const take = (scanId: string, question: string, answer: string, device = 'd') =>
    takeAnswers(scanId, [{ question, answer }], desk.device(device), desk.deps)
  const admit = async () => (await desk.scan('A', { answers: answered('l') })).scan_id
  const code = (code: string) => (error: { code?: string }) => error.code === code

  it('are stored once, and corrected by the scanner that asked', async () => {
    const scanId = await admit()
    assert.deepEqual(await take(scanId, 'diet', 'None'), { scan_id: scanId, answered: 2, questions: [] })
    const entries = desk.journal().length
    await take(scanId, 'diet', 'None')
    assert.equal(desk.journal().length, entries, 'the same again')
    assert.equal((await take(scanId, 'diet', 'No nuts')).answered, 2)
    assert.deepEqual(desk.deps.tickets.answers.of(refOf('A')), { size: 'l', diet: 'No nuts' })
    const [wrong] = (await take(scanId, 'size', 'huge')).questions
    assert.equal(wrong?.problem, 'Choose from the list.')
  })

  it('are refused from another scanner, for a refused scan, too late, and once names are erased', async () => {
    await assert.rejects(take(crypto.randomUUID(), 'diet', 'x'), code('not_found'))
    const refused = (await desk.scan('A')).scan_id
    await assert.rejects(take(refused, 'diet', 'x'), code('conflict'))
    const scanId = await admit()
    await assert.rejects(take(scanId, 'diet', 'x', 'thief'), code('not_allowed'))
    desk.now += 16 * 60_000
    await assert.rejects(take(scanId, 'diet', 'x'), code('conflict'))
    desk.now -= 16 * 60_000
    db().drizzle.update(tickets).set({ forgottenAt: NOW }).run()
    await assert.rejects(take(scanId, 'diet', 'x'), code('conflict'))
  })

  it('are erased with the names, and not stored again', async () => {
    const scanId = await admit()
    sayOfTicket(db(), 'B', { product: 'shirt' })
    erasePersonalData(desk.deps.ledger, COMMAND_LINE, () => NOW)
    assert.deepEqual(db().drizzle.select().from(answers).all(), [])
    await assert.rejects(take(scanId, 'diet', 'x'), code('conflict'))
    const later = await desk.scan('B', { answers: answered('l') })
    assert.deepEqual([later.verdict, later.answered], ['ADMIT', undefined], 'nothing is asked any more')
    assert.deepEqual(db().drizzle.select().from(answers).all(), [])
  })
})

function refOf(code: string): string {
  return (desk.deps.tickets.openedBy(desk.deps.codes.read(code)) ?? assert.fail(`There is no ticket ${code}.`)).ref
}

/** The desk and a supervisor's scanner over their sockets: who may look up, what is found, and what leaves no trace. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import { eq } from '../../src/drizzle/core.ts'
import { tickets } from '../../src/ledger/schema.ts'
import { sayOfTicket, sellProduct } from '../world/details.ts'
import { TEST_EVENT } from '../world/event.ts'
import { World } from '../world/world.ts'

const actor = 'Rui'
/** Scanners may show names. */
const SEEN = { ...TEST_EVENT, scanners_see: 'name' as const }
const TICKETS = [
  'GUEST-1,once,,Ada Lovelace,ada@example.org,,,valid',
  'GUEST-2,once,,Bob Lovelock,,,,valid',
  'GUEST-3,once,,Mary Anning,mary@example.org,,,valid',
  ...Array.from({ length: 25 }, (_, i) => `CROWD-${i},once,,Zed Multitude,,,,valid`),
]

describe('looking up', () => {
  const lines: string[] = []
  let world: World
  before(async () => {
    world = await World.open({ tickets: TICKETS, event: SEEN, log: { write: (line) => void lines.push(line) } })
  })
  after(() => world[Symbol.asyncDispose]())

  const journal = () => world.box.ledger.read(0, 100_000).map(({ bytes }) => bytes.toString())
  const lookUp = async (text: string) => (await world.admin()).POST('/v1/admin/desk/look-up', { body: { text, actor } })

  it('at the desk refuses two letters, and finds with three', async () => {
    const few = await lookUp('lo')
    assert.equal(few.response.status, 400)
    assert.match(few.error?.message ?? '', /Type at least 3 letters/)
    const { data } = await lookUp('LOV')
    assert.deepEqual(
      data?.tickets.map(({ holder }) => holder),
      ['Ada Lovelace', 'Bob Lovelock'],
    )
    assert.deepEqual([data?.more, data?.indexing], [false, false])
  })

  it('shows twenty at most, says that there are more, and has no second page', async () => {
    const { data } = await lookUp('multitude')
    assert.equal(data?.tickets.length, 20)
    assert.equal(data?.more, true)
  })

  it('is in the journal with who and how, and what was typed is in no log, journal or error', async () => {
    await lookUp('qzx')
    const { kind, actor: who, found_by, ticket, what } = JSON.parse(journal().at(-1) ?? '')
    assert.deepEqual(
      { kind, who, found_by, ticket, what },
      { kind: 'look_up', who: actor, found_by: [], ticket: null, what: 'search' },
    )
    await lookUp('lovelock')
    assert.deepEqual(JSON.parse(journal().at(-1) ?? '').found_by, ['name'])
    for (const typed of ['qzx', 'lovelock', 'multitude']) {
      const pattern = new RegExp(typed, 'i')
      for (const text of [...lines, ...journal()]) assert.doesNotMatch(text, pattern)
    }
  })

  it("is a supervisor's: a stolen scanner of another kind gets nothing, and leaves no entry", async () => {
    const [plain, supervisor] = [await world.device(), await world.supervisor()]
    const before = journal().length
    const body = { text: 'lovelace', actor }
    const refused = await plain.client.POST('/v1/look-up', { body })
    assert.equal(refused.response.status, 403)
    assert.match(refused.error?.message ?? '', /Only a supervisor's scanner/)
    assert.equal(journal().length, before)
    const { data } = await supervisor.client.POST('/v1/look-up', { body })
    assert.equal(data?.tickets.length, 1)
    assert.equal(JSON.parse(journal().at(-1) ?? '').device, supervisor.paired.id)
  })

  it('is slowed at a scanner: nobody copies the list with one', async () => {
    const stolen = await world.supervisor()
    world.holdRates()
    const statuses: number[] = []
    for (let n = 0; n < 7; n++) {
      const { response } = await stolen.client.POST('/v1/look-up', { body: { text: `multi${n}`, actor } })
      statuses.push(response.status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
  })
})

it('looking up is off by a setting, for scanners or for everybody, and for scanners that may show no names', async () => {
  for (const [setting, event, statuses] of [
    ['desk', SEEN, [200, 403]],
    ['off', SEEN, [403, 403]],
    ['supervisors', TEST_EVENT, [200, 403]],
  ] as const) {
    const environment = { GATEHOUSE_LOOK_UP: setting }
    await using world = await World.open({ tickets: TICKETS, event, environment })
    const body = { text: 'lovelace', actor }
    const desk = await (await world.admin()).POST('/v1/admin/desk/look-up', { body })
    const scanner = await (await world.supervisor()).client.POST('/v1/look-up', { body })
    assert.deepEqual([desk.response.status, scanner.response.status], statuses, setting)
  }
})

describe('a ticket at the desk', () => {
  let world: World
  before(async () => {
    world = await World.open({ tickets: TICKETS })
  })
  after(() => world[Symbol.asyncDispose]())

  const open = async (ticket: string) => {
    const { data } = await (await world.admin()).POST('/v1/admin/desk/ticket', { body: { ticket, actor } })
    assert.ok(data)
    return data
  }

  it('is opened by its code, its link, the code on a phone, and its reference, with what happened to it in words', async () => {
    const gate = await world.device()
    await gate.scan('GUEST-1')
    await gate.scan('GUEST-1')
    const page = await open('GUEST-1')
    assert.deepEqual(
      [page.holder, page.email, page.state, page.inside, page.admissions],
      ['Ada Lovelace', 'ada@example.org', 'valid', true, 1],
    )
    assert.match(page.history[0]?.text ?? '', /^Refused at Gate A.* by test device: already used$/)
    assert.match(page.history[1]?.text ?? '', /^Admitted at Gate A.* by test device$/)
    const admin = await world.admin()
    const { data: link } = await admin.POST('/v1/admin/desk/tickets/{ref}/link', {
      params: { path: { ref: page.ticket } },
      body: { actor },
    })
    const { data: view } = await admin.GET('/v1/ticket/{id}', { params: { path: { id: world.ticketIdOf('GUEST-1') } } })
    assert.ok(view?.secret)
    const key = await keyFromSeed(Buffer.from(view.secret, 'base64'))
    const rotating = await signCode(key, await eventTag(world.box.event.id), slotAt(Date.now()))
    for (const shown of [page.ticket, link?.link ?? '', rotating]) assert.equal((await open(shown)).ticket, page.ticket)
  })

  it('is issued again: the old code and link are dead at once, and the new ones work', async () => {
    const gate = await world.device()
    const admin = await world.admin()
    const { ticket: ref, version } = await open('GUEST-2')
    const oldId = world.ticketIdOf('GUEST-2')
    const path = { path: { ref } }
    const body = { actor, reason: 'phone stolen', version }
    const { data } = await admin.POST('/v1/admin/desk/tickets/{ref}/reissue', { params: path, body })
    assert.ok(data)
    assert.equal((await gate.scan('GUEST-2')).verdict, 'BLOCKED')
    assert.equal((await gate.scan(data.code)).verdict, 'ADMIT')
    const old = await admin.GET('/v1/ticket/{id}', { params: { path: { id: oldId } } })
    assert.equal(old.response.status, 404)
    const id = new URLSearchParams(new URL(data.link).hash.slice(1)).get('t') ?? ''
    assert.equal((await admin.GET('/v1/ticket/{id}', { params: { path: { id } } })).response.status, 200)
    const again = await admin.POST('/v1/admin/desk/tickets/{ref}/reissue', { params: path, body })
    assert.equal(again.response.status, 409)
    assert.match(again.error?.message ?? '', /Rui reissued this ticket at/)
  })

  it('can be given another holder, a note, be revoked and reinstated; every entry says who, and none has a name', async () => {
    const admin = await world.admin()
    const { ticket: ref } = await open('CROWD-1')
    const params = { path: { ref } }
    const named = await admin.POST('/v1/admin/desk/tickets/{ref}/holder', {
      params,
      body: { actor, reason: 'sold on', holder: 'Grace Hopper' },
    })
    assert.deepEqual([named.data?.holder, named.data?.holder_changed], ['Grace Hopper', true])
    const noted = await admin.POST('/v1/admin/desk/tickets/{ref}/note', {
      params,
      body: { actor, note: 'waits for her bag' },
    })
    assert.equal(noted.data?.note, 'waits for her bag')
    const reasoned = { params, body: { actor, reason: 'chargeback' } }
    assert.equal((await admin.POST('/v1/admin/desk/tickets/{ref}/revoke', reasoned)).data?.state, 'revoked')
    const back = await admin.POST('/v1/admin/desk/tickets/{ref}/reinstate', reasoned)
    assert.equal(back.data?.state, 'valid')
    assert.deepEqual(
      back.data?.history.map(({ text }) => text),
      [
        'Reinstated by Rui: chargeback',
        'Revoked by Rui: chargeback',
        'Note written by Rui: for the staff',
        'Holder changed by Rui: sold on',
      ],
    )
    const { data: found } = await admin.POST('/v1/admin/desk/look-up', { body: { text: 'grace hop', actor } })
    assert.deepEqual(
      found?.tickets.map(({ ticket }) => ticket),
      [ref],
    )
    for (const { bytes } of world.box.ledger.read(0, 100_000)) assert.doesNotMatch(bytes.toString(), /Hopper|her bag/)
  })

  it('forgets its holder: page, search and ledger have no name, the ticket admits, and no second entry is written', async () => {
    const admin = await world.admin()
    const { ticket: ref, version } = await open('GUEST-3')
    const { db } = world.box.ledger
    const holderName = 'Mary Anning'
    assert.equal((await open('GUEST-3')).holder, holderName)
    const params = { path: { ref } }
    const body = { actor, version }
    await admin.POST('/v1/admin/desk/tickets/{ref}/note', { params, body: { actor, note: 'waits outside' } })
    const stale = await admin.POST('/v1/admin/desk/tickets/{ref}/forget', { params, body })
    assert.match(stale.error?.message ?? '', /changed this ticket's note/)
    const { data } = await admin.POST('/v1/admin/desk/tickets/{ref}/forget', { params, body: { actor } })
    assert.deepEqual([data?.holder, data?.email, data?.note, data?.forgotten], [null, null, null, true])
    assert.equal(data?.history[0]?.text, 'Holder erased by Rui')
    const size = world.box.ledger.size
    await admin.POST('/v1/admin/desk/tickets/{ref}/forget', { params, body })
    assert.equal(world.box.ledger.size, size)
    const kept = await admin.POST('/v1/admin/desk/tickets/{ref}/holder', {
      params,
      body: { actor, reason: 'sold on', holder: 'Somebody Else' },
    })
    assert.equal(kept.response.status, 409)
    const { data: found } = await admin.POST('/v1/admin/desk/look-up', { body: { text: holderName, actor } })
    assert.ok(!found?.tickets.some(({ ticket }) => ticket === ref))
    const row = JSON.stringify(db.drizzle.select().from(tickets).where(eq(tickets.ref, ref)).get())
    assert.ok(!row.includes(holderName))
    assert.equal((await (await world.device()).scan('GUEST-3')).verdict, 'ADMIT')
  })

  it("shows the shop's answers and those of the gate as one list, by the words of the questions", async () => {
    const { db } = world.box.ledger
    const question = (id: string, text: string) => ({ id, text, kind: 'text' as const, required: false })
    const questions = [question('size', 'T-shirt size?'), question('diet', 'Diet?')]
    sellProduct(db, 'shirt', { name: 'With shirt', questions })
    sayOfTicket(db, 'CROWD-2', { product: 'shirt', personal: { answers: { size: 'Small', gone: 'Kept' } } })
    const gate = await world.device()
    const { scan_id } = await gate.scan('CROWD-2')
    const given = [{ question: 'diet', answer: 'No nuts' }]
    const params = { path: { scan_id } }
    const answered = await gate.client.POST('/v1/scan/{scan_id}/answers', { params, body: { answers: given } })
    assert.ok(answered.data, JSON.stringify(answered.error))
    const { answers } = await open('CROWD-2')
    assert.deepEqual(answers.map(({ question: asked, answer }) => `${asked} ${answer}`).sort(), [
      'Diet? No nuts',
      'T-shirt size? Small',
      'gone Kept',
    ])
  })

  it('is not opened by a code of no ticket', async () => {
    const { response } = await (await world.admin()).POST('/v1/admin/desk/ticket', { body: { ticket: 'NEVER', actor } })
    assert.equal(response.status, 404)
  })
})

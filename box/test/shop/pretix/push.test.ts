/** Scans at the gates, as they arrive at a pretix with pretix's own rules. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { takeAnswers } from '../../../src/scan/answers.ts'
import type { Answer } from '../../../src/shop/pretix/up/next-step.ts'
import { sayOfTicket, sellProduct } from '../../world/details.ts'
import { NOW, PushWorld, type PushWorld as World } from './push-world.ts'

const CODES = { 'ONCE-1': 'once', 'ONCE-2': 'once', 'FLEX-1': 'reentry', 'DAY-1': 'daily', 'CREW-1': 'crew' }

/** Records there: type, list, code, what became of it. */
function recordsOf({ pretix, positions }: World): string[] {
  const codes = new Map([...positions].map(([code, { id }]) => [id, code]))
  return pretix.records.map(({ type, list, position, successful, reason }) => {
    return `${type} ${list} ${codes.get(position ?? 0) ?? '?'} ${successful ? 'ok' : reason}`
  })
}

const offline = (now: number) => ({ offline_admitted: true, observed_at: new Date(now).toISOString() })

describe('what goes up to pretix', () => {
  it('is every passage, exit and refusal, with its own time and on the list of its checkpoint', async () => {
    using world = await PushWorld.open(CODES)
    await world.scan('FLEX-1', 'a-in')
    await world.scan('FLEX-1', 'a-out')
    await world.scan('FLEX-1', 'b-in')
    await world.scan('FLEX-1', 'b-in')
    await world.scan('NOBODYS', 'a-in')
    await world.settle()
    const all = recordsOf(world).map((text, i) => `${((world.pretix.records[i]?.at ?? 0) - NOW) / 1000} ${text}`)
    assert.deepEqual(all.sort(), [
      '1 entry 1 FLEX-1 ok',
      '2 exit 1 FLEX-1 ok',
      '3 entry 1 FLEX-1 ok',
      '4 entry 1 FLEX-1 already_redeemed',
      '5 entry 1 ? invalid',
    ])
    assert.equal(world.pretix.records.at(-1)?.barcode?.includes('NOBODYS'), false)
  })

  it('has the time at which an offline scanner let somebody in', async () => {
    using world = await PushWorld.open(CODES)
    await world.scan('ONCE-1', 'a-in', offline(NOW - 600_000))
    await world.settle()
    assert.deepEqual(
      world.pretix.records.map(({ at, successful }) => [at, successful]),
      [[NOW - 600_000, true]],
    )
  })

  it('forces at once what a supervisor has decided, and nobody has to look again', async () => {
    using world = await PushWorld.open(CODES)
    const first = await world.scan('ONCE-1', 'a-in')
    const again = await world.scan('ONCE-1', 'a-in')
    await world.supervision.admit(again)
    await world.settle()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok', 'entry 1 ONCE-1 already_redeemed', 'entry 1 ONCE-1 ok'])
    assert.notEqual(first, again)
    assert.deepEqual(
      world.desk.flags().filter(({ kind }) => kind === 'shop_conflict'),
      [],
    )
  })

  it('annuls what was undone, and the next entry of the ticket is another check-in', async () => {
    using world = await PushWorld.open(CODES)
    const scan = await world.scan('ONCE-1', 'a-in')
    await world.supervision.undo(scan)
    await world.scan('ONCE-1', 'a-in')
    await world.settle()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 annulled', 'entry 1 ONCE-1 ok'])
  })

  it('annuls a supervisor’s admission by the nonce of that, and not of the refused scan', async () => {
    using world = await PushWorld.open(CODES)
    await world.scan('ONCE-1', 'a-in')
    const again = await world.scan('ONCE-1', 'a-in')
    await world.supervision.admit(again)
    await world.supervision.undo(again)
    await world.settle()
    assert.deepEqual(recordsOf(world), [
      'entry 1 ONCE-1 ok',
      'entry 1 ONCE-1 already_redeemed',
      'entry 1 ONCE-1 annulled',
    ])
  })

  it('leaves alone tickets of no shop, and checkpoints without a list', async () => {
    using world = await PushWorld.open(CODES)
    world.positions.delete('ONCE-1')
    await world.scan('ONCE-1', 'a-in')
    await world.scan('CREW-1', 'late-in')
    await world.settle()
    assert.deepEqual([world.pretix.requests, world.push.status().notPushed], [0, { no_list: 1 }])
  })

  it('tells of both of two who came on one right while scanners were alone, and opens no case of its own for it', async () => {
    using world = await PushWorld.open(CODES)
    await world.scan('ONCE-1', 'a-in', offline(NOW - 5_000))
    await world.scan('ONCE-1', 'b-in', offline(NOW - 2_000))
    await world.settle()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok', 'entry 1 ONCE-1 already_redeemed', 'entry 1 ONCE-1 ok'])
    assert.deepEqual(
      world.desk.flags().map(({ kind }) => kind),
      ['double_use'],
    )
  })
})

describe('what people answer at the gate', () => {
  const SIZE = { id: '7', text: { en: 'Shirt size?' }, kind: 'text' as const, required: false }
  const DIET = { id: '8', text: { en: 'Diet?' }, kind: 'text' as const, required: false }
  const said = (size: string) => [{ question: '7', answer: size }]

  async function open({ required = false } = {}): Promise<World> {
    const world = await PushWorld.open(CODES)
    const { db } = world.desk.deps.ledger
    sellProduct(db, 'shirt', { name: 'Festival', questions: [{ ...SIZE, required }, DIET] })
    sayOfTicket(db, 'ONCE-1', { product: 'shirt' })
    return world
  }
  const answersAt = ({ pretix, positions }: World) => pretix.answers.get(positions.get('ONCE-1')?.id ?? 0)
  const give = (scan: string, size: string, { desk }: World) => takeAnswers(scan, said(size), desk.device(), desk.deps)

  it('goes with the passage that brought it', async () => {
    using world = await open()
    await world.scan('ONCE-1', 'a-in', { answers: said('L') })
    await world.settle()
    assert.deepEqual(answersAt(world), { 7: 'L' })
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok'])
  })

  it('goes after a passage that pretix has, and is no second check-in; a corrected one replaces it', async () => {
    using world = await open()
    const scan = await world.scan('ONCE-1', 'a-in')
    await world.settle()
    assert.equal(answersAt(world), undefined)
    for (const size of ['L', 'XL']) {
      await give(scan, size, world)
      await world.settle()
      assert.deepEqual(answersAt(world), { 7: size })
    }
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok'])
    assert.deepEqual([world.desk.flags(), world.push.status().waiting], [[], 0])
  })

  it('goes with its passage where both are still to be told: one call', async () => {
    using world = await open()
    await give(await world.scan('ONCE-1', 'a-in'), 'L', world)
    await world.settle()
    assert.deepEqual([answersAt(world), world.pretix.requests], [{ 7: 'L' }, 1])
    assert.deepEqual(world.push.status().notPushed, { comes_with_passage: 1 })
  })

  it('waits for the passage where the person was asked and not let in yet', async () => {
    using world = await open({ required: true })
    await world.scan('ONCE-1', 'a-in', { answers: [{ question: '8', answer: 'No nuts' }] })
    await world.settle()
    assert.deepEqual([answersAt(world), recordsOf(world)], [undefined, ['entry 1 ONCE-1 blocked']])
    await world.scan('ONCE-1', 'a-in', { answers: said('L') })
    await world.settle()
    assert.deepEqual(answersAt(world), { 7: 'L', 8: 'No nuts' })
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 blocked', 'entry 1 ONCE-1 ok'])
  })
})

describe('what pretix refuses', () => {
  it('becomes a case with both sides’ words, and is then forced', async () => {
    using world = await PushWorld.open(CODES)
    const position = world.positions.get('ONCE-1')
    assert(position)
    position.status = 'c'
    const scan = await world.scan('ONCE-1', 'a-in')
    await world.settle()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 canceled', 'entry 1 ONCE-1 ok'])
    const [flag, ...more] = world.desk.flags()
    assert.deepEqual(more, [])
    assert.equal(flag?.kind, 'shop_conflict')
    assert.deepEqual(flag.shop, { reason: 'canceled', used_at: null, used_by: null, done: 'forced' })
    assert.deepEqual(
      flag.records.map(({ scan_id, verdict }) => [scan_id, verdict]),
      [[scan, 'ADMIT']],
    )
  })

  it('names the earlier use at a foreign till', async () => {
    using world = await PushWorld.open(CODES)
    world.pretix.device = 99
    world.pretix.post('checkinrpc/redeem/', {
      secret: 'ONCE-1',
      lists: [1],
      type: 'entry',
      datetime: '2026-07-01T11:00:00.000Z',
      nonce: 'theirs',
    })
    world.pretix.device = 7
    await world.scan('ONCE-1', 'a-in')
    await world.settle()
    const [flag] = world.desk.flags()
    assert.deepEqual(flag?.shop, {
      reason: 'already_redeemed',
      used_at: '2026-07-01T11:00:00.000Z',
      used_by: 99,
      done: 'forced',
    })
    assert.equal(world.pretix.successes().length, 2)
  })

  it('by a rule that force cannot pass, waits for a person, and is sent again when one says so', async () => {
    using world = await PushWorld.open(CODES)
    const [list] = world.pretix.lists
    assert(list)
    list.rule = 'throws'
    await world.scan('ONCE-1', 'a-in')
    await world.scan('ONCE-2', 'v-in')
    await world.settle()
    assert.equal(world.pretix.successes().length, 0)
    assert.deepEqual(world.push.status().asleep, 1)
    list.rule = 'none'
    await world.settle()
    assert.equal(world.pretix.successes().length, 0)
    await world.push.retry()
    await world.settle()
    assert.deepEqual([world.pretix.successes().length, world.push.status().waiting], [1, 0])
  })

  it('because the code was changed, goes by the new code, or by the position', async () => {
    using world = await PushWorld.open(CODES)
    const [changed, hidden] = ['ONCE-1', 'ONCE-2'].map((code) => world.positions.get(code))
    assert(changed && hidden)
    changed.secret = 'NEW-1'
    hidden.secret = 'NEW-2'
    await world.scan('ONCE-1', 'a-in')
    await world.settle()
    assert.deepEqual([world.pretix.successes().length, world.desk.flags()], [1, []])
    // The order cannot be fetched.
    Object.defineProperty(world.secrets, 'set', { value: () => world.secrets })
    await world.scan('ONCE-2', 'a-in')
    await world.settle()
    assert.deepEqual([world.pretix.successes().length, world.desk.flags()], [2, []])
  })

  it('with a 404 that force cannot pass, waits with the ticket’s later passages in their order', async () => {
    using world = await PushWorld.open(CODES)
    const position = world.positions.get('FLEX-1')
    assert(position)
    position.canceled = true
    await world.scan('FLEX-1', 'a-in')
    await world.scan('FLEX-1', 'a-out')
    await world.scan('ONCE-1', 'a-in')
    await world.settle()
    assert.deepEqual(
      world.pretix.successes().map(({ type }) => type),
      ['entry'],
    )
    assert.deepEqual(
      world.desk.flags().map(({ shop }) => shop?.done),
      ['waits'],
    )
    const { waiting, asleep } = world.push.status()
    assert.deepEqual([waiting, asleep], [2, 2])
    const requests = world.pretix.requests
    world.open()
    await world.settle()
    assert.equal(world.pretix.requests, requests, 'nothing is asked again and again')
    position.canceled = false
    position.secret = 'NEW'
    world.secrets.set('FLEX-1', 'NEW')
    await world.settle()
    assert.deepEqual(
      recordsOf(world).filter((text) => text.endsWith('FLEX-1 ok')),
      ['entry 1 FLEX-1 ok', 'exit 1 FLEX-1 ok'],
    )
  })

  it('when it is too late to annul, or not allowed, the person is sent out instead, and it is a case', async () => {
    using world = await PushWorld.open(CODES)
    world.pretix.mayAnnul = false
    const scan = await world.scan('ONCE-1', 'a-in')
    await world.supervision.undo(scan)
    await world.settle()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok', 'exit 1 ONCE-1 ok'])
    assert.deepEqual(
      world.desk.flags().map(({ shop }) => [shop?.reason, shop?.done]),
      [['annul_forbidden', 'sent_out']],
    )
  })
})

/** pretix knows a repeated nonce at one list, for one device; it is not told which passages were sent before that. */
describe('another token or other lists', () => {
  /** The passage arrives, its answer does not, and a later one is the last that pretix has of the ticket. */
  async function lost(type: 'entry' | 'exit'): Promise<World> {
    const world = await PushWorld.open(CODES)
    await world.scan('FLEX-1', type === 'entry' ? 'a-in' : 'a-out')
    world.network = (send) => {
      send()
      return { why: 'lost', lasting: false }
    }
    await world.push.round()
    world.network = (send) => send()
    const { device } = world.pretix
    world.pretix.device = 99
    const theirs = {
      secret: 'FLEX-1',
      lists: [1],
      type: 'exit',
      datetime: new Date(world.desk.now + 500).toISOString(),
    }
    world.pretix.post('checkinrpc/redeem/', { ...theirs, nonce: 'theirs' })
    world.pretix.device = device
    return world
  }

  for (const type of ['entry', 'exit'] as const) {
    it(`an ${type} whose answer was lost is no second one, also not after a further change`, async () => {
      using world = await lost(type)
      world.pretix.device = 8
      world.open()
      world.network = () => ({ status: 503, body: undefined })
      await world.push.round()
      world.network = (send) => send()
      world.pretix.device = null
      world.open()
      await world.settle()
      assert.deepEqual(recordsOf(world), [`${type} 1 FLEX-1 ok`, 'exit 1 FLEX-1 ok'])
      assert.deepEqual([world.desk.flags(), world.push.status().waiting], [[], 0])
    })

    it(`an ${type} whose answer was lost, and whose checkpoint has another list now, is no second one`, async () => {
      using world = await lost(type)
      world.lists = { ...world.lists, 'a-in': 2, 'a-out': 2 }
      world.open()
      await world.settle()
      assert.deepEqual(recordsOf(world), [`${type} 1 FLEX-1 ok`, 'exit 1 FLEX-1 ok'])
      assert.deepEqual([world.desk.flags(), world.push.status().waiting], [[], 0])
    })
  }

  it('a box that is killed in the middle of a batch, and starts with another token, sends nothing twice', async () => {
    for (let killAt = 2; killAt < 12; killAt++) {
      using world = await PushWorld.open(CODES)
      await world.scan('FLEX-1', 'a-out')
      await world.scan('FLEX-1', 'a-in')
      await world.scan('FLEX-1', 'a-out')
      world.killAt = killAt
      await world.settle().catch(() => {})
      world.killAt = Number.POSITIVE_INFINITY
      world.pretix.device = 8
      world.open()
      await world.settle()
      const expected = ['exit 1 FLEX-1 ok', 'entry 1 FLEX-1 ok', 'exit 1 FLEX-1 ok']
      assert.deepEqual(recordsOf(world), expected, `killed at step ${killAt}`)
    }
  })

  it('what was never sent goes by the new lists, and is looked for no longer than it may have been sent', async () => {
    using world = await PushWorld.open(CODES)
    await world.scan('ONCE-1', 'a-in')
    await world.settle()
    world.lists = { ...world.lists, 'a-in': 2 }
    world.open()
    await world.scan('ONCE-2', 'a-in')
    await world.settle()
    let looked = 0
    world.network = (send, body) => {
      if (Object.keys(body).length === 0) looked += 1
      return send()
    }
    await world.scan('FLEX-1', 'a-in')
    await world.settle()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok', 'entry 2 ONCE-2 ok', 'entry 2 FLEX-1 ok'])
    assert.equal(looked, 0)
  })

  it('an undo of what another device was told as cannot annul: the person is sent out, and it is a case', async () => {
    for (const [before, after] of [
      [7, 8],
      [7, null],
    ] as const) {
      using world = await PushWorld.open(CODES)
      world.pretix.device = before
      world.open()
      const scan = await world.scan('ONCE-1', 'a-in')
      await world.settle()
      world.pretix.device = after
      world.open()
      await world.supervision.undo(scan)
      await world.settle()
      assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok', 'exit 1 ONCE-1 ok'])
      assert.deepEqual(
        world.desk.flags().map(({ shop }) => shop?.done),
        ['sent_out'],
      )
    }
  })

  it('an exit in place of an annulment, whose answer was lost and whose checkpoint has another list now, is no second one', async () => {
    using world = await PushWorld.open(CODES)
    const scan = await world.scan('ONCE-1', 'a-in')
    await world.settle()
    await world.supervision.undo(scan)
    world.pretix.device = 8
    world.open()
    world.network = (send, body) => {
      const answer = send()
      return body.type === 'exit' ? { why: 'lost', lasting: false } : answer
    }
    await world.push.round()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok', 'exit 1 ONCE-1 ok'])
    world.network = (send) => send()
    world.lists = { ...world.lists, 'a-in': 2 }
    world.open()
    await world.settle()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok', 'exit 1 ONCE-1 ok'])
    assert.equal(world.push.status().waiting, 0)
  })

  it('an annulment whose answer was lost is known by what pretix has, whichever token asks', async () => {
    for (const [carriedOut, device] of [
      [true, 7],
      [true, 8],
      [false, 7],
      [false, 8],
    ] as const) {
      using world = await PushWorld.open(CODES)
      const scan = await world.scan('ONCE-1', 'a-in')
      await world.settle()
      await world.supervision.undo(scan)
      world.network = (send) => {
        if (carriedOut) send()
        return { why: 'lost', lasting: false }
      }
      await world.push.round()
      world.network = (send) => send()
      world.pretix.device = device
      world.open()
      await world.settle()
      const isAnnulled = carriedOut || device === 7
      const expected = isAnnulled ? ['entry 1 ONCE-1 annulled'] : ['entry 1 ONCE-1 ok', 'exit 1 ONCE-1 ok']
      assert.deepEqual(recordsOf(world), expected)
      assert.equal(world.desk.flags().length, isAnnulled ? 0 : 1)
    }
  })

  it('answers after a passage go to the list that has it, and stay here where they would be a second check-in', async () => {
    for (const device of [7, 8]) {
      using world = await PushWorld.open(CODES)
      const { db } = world.desk.deps.ledger
      const text = { en: 'Shirt size?' }
      sellProduct(db, 'shirt', { questions: [{ id: '7', text, kind: 'text', required: false }] })
      sayOfTicket(db, 'FLEX-1', { product: 'shirt' })
      const scan = await world.scan('FLEX-1', 'a-in')
      await world.scan('FLEX-1', 'a-out')
      await world.settle()
      world.lists = { ...world.lists, 'a-in': 2 }
      world.pretix.device = device
      world.open()
      await takeAnswers(scan, [{ question: '7', answer: 'L' }], world.desk.device(), world.desk.deps)
      await world.settle()
      assert.deepEqual(recordsOf(world), ['entry 1 FLEX-1 ok', 'exit 1 FLEX-1 ok'])
      const answers = world.pretix.answers.get(world.positions.get('FLEX-1')?.id ?? 0)
      assert.deepEqual(answers, device === 7 ? { 7: 'L' } : undefined)
    }
  })
})

describe('a pretix that cannot be asked', () => {
  const answers: [string, Answer][] = [
    ['too many requests', { status: 429, body: { detail: 'slow down' }, retryAfterMs: 30_000 }],
    ['a lock', { status: 409, body: { detail: 'locked' }, retryAfterMs: 5_000 }],
    ['a problem of its own', { status: 502, body: undefined }],
    ['a page of a proxy', { status: 404, body: undefined }],
    ['a login page', { status: 200, body: undefined }],
  ]
  for (const [name, answer] of answers) {
    it(`is asked again later: ${name}`, async () => {
      using world = await PushWorld.open(CODES)
      await world.scan('ONCE-1', 'a-in')
      world.network = () => answer
      const wait = await world.push.round()
      assert(wait !== null && wait >= (answer.retryAfterMs ?? 500), `${wait} ms`)
      assert.equal(await world.push.round(), wait, 'not asked before')
      assert.equal(world.push.status().state, 'waiting')
      world.network = (send) => send()
      world.desk.now += wait
      await world.settle()
      assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 ok'])
      assert.equal(world.push.status().state, 'sending')
    })
  }

  it('pauses with words when the token is revoked midway, and goes on with a new one', async () => {
    using world = await PushWorld.open(CODES)
    let left = 1
    world.network = (send) =>
      left-- > 0 ? send() : { status: 401, body: { detail: 'Device access has been revoked.' } }
    for (const code of Object.keys(CODES)) await world.scan(code, 'a-in')
    await world.settle()
    assert.equal(world.push.status().state, 'paused')
    assert.match(world.push.status().words ?? '', /token.*connect again.*waits/)
    world.network = (send) => send()
    await world.push.retry()
    await world.settle()
    assert.deepEqual(
      [...recordsOf(world)].sort(),
      Object.keys(CODES)
        .map((code) => `entry 1 ${code} ok`)
        .sort(),
    )
  })

  it('that stumbles over one call, takes the others', async () => {
    using world = await PushWorld.open(CODES)
    world.network = (send, body) => (body.secret === 'ONCE-1' ? { status: 500, body: undefined } : send())
    for (let i = 0; i < 8; i++) {
      if (i === 0) await world.scan('ONCE-1', 'a-in')
      await world.scan('CREW-1', i % 2 ? 'a-out' : 'a-in')
      for (let round = 0; round < 3; round++) world.desk.now += (await world.push.round()) ?? 0
    }
    assert.equal(world.pretix.successes().length, 8)
    assert.equal(world.push.status().waiting, 1)
  })

  it('loses answers: what was carried out is not done twice', async () => {
    using world = await PushWorld.open(CODES)
    let n = 0
    world.network = (send) => {
      const answer = send()
      return n++ % 2 === 0 ? { why: 'lost', lasting: false } : answer
    }
    const scan = await world.scan('ONCE-1', 'a-in')
    await world.supervision.undo(scan)
    await world.scan('FLEX-1', 'a-in')
    await world.scan('FLEX-1', 'a-out')
    await world.settle()
    assert.deepEqual(recordsOf(world), ['entry 1 ONCE-1 annulled', 'entry 1 FLEX-1 ok', 'exit 1 FLEX-1 ok'])
    assert.deepEqual(world.desk.flags(), [])
  })
})

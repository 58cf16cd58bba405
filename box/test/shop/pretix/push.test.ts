/** Scans at the gates, as they arrive at a pretix with pretix's own rules. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../../../src/shop/pretix/up/next-step.ts'
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

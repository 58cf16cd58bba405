/** Several boxes of one event and one pretix: one box speaks for all, another takes over, and nothing is there twice. */
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { EpochStream } from '../../../src/mesh/reservation/epoch-stream.ts'
import { Lease, TERM_MS } from '../../../src/mesh/reservation/lease.ts'
import { admittedAt, ownTimesOf, passageOfScan } from '../../../src/shop/pretix/up/ledger-side.ts'
import type { Answer, NoAnswer } from '../../../src/shop/pretix/up/next-step.ts'
import { Push } from '../../../src/shop/pretix/up/push.ts'
import { type Lease as SharedLease, sharedOf, speakerOf } from '../../../src/shop/pretix/up/speaker.ts'
import { Desks } from '../../mesh/desks.ts'
import { logKeyOf } from '../../mesh/engines.ts'
import { ReservationWorld, type ReservingBox } from '../../mesh/reservation-world.ts'
import type { Desk } from '../../world/desk.ts'
import { natsServer } from '../../world/nats-server.ts'
import { PretixModel } from './model.ts'
import { LISTS, NOW, quiet } from './push-world.ts'
import { Supervision } from './supervision.ts'

const CODES = ['T-1', 'T-2', 'T-3']

/** The lease as the mesh gives it, without a mesh: one message, compare-and-set, and a hand that lets it expire. */
class HandLease {
  holder: number | undefined
  state: unknown

  of(box: number): SharedLease {
    return {
      hold: async ({ state, adopt }) => {
        if (this.holder === undefined) {
          if (this.state !== undefined) await adopt(this.state)
          this.holder = box
        }
        if (this.holder === box) this.state = structuredClone(state())
        return this.holder === box
      },
    }
  }
}

/** Of one box: the device of its token, and what happens to its requests. */
interface Way {
  device?: number | null
  network?: (send: () => Answer) => Answer | NoAnswer
}

function pushOf(desk: Desk, lease: SharedLease, pretix: PretixModel, way: Way = {}): Push {
  const { ledger, flags, tickets } = desk.deps
  const target = 'pretix.example/o/e'
  const { device = pretix.device, network = (send) => send() } = way
  const idOf = (ref: string) => {
    const code = tickets.byRef(ref)?.code
    return pretix.positions.find(({ secret }) => secret === code)?.id ?? 9_999
  }
  const speaker = speakerOf({
    lease,
    target,
    now: () => desk.now,
    find: (box, place) => push.find(box, place),
    adopt: (progress) => push.adopt(progress),
  })
  const push: Push = new Push({
    ...{ ledger, flags, speaker },
    boxId: desk.id,
    event: desk.event.id,
    shop: {
      target,
      as: `${device}`,
      device,
      event: 'e',
      positionOf: (ref) => {
        const code = tickets.byRef(ref)?.code
        return code === undefined ? 'unknown' : { id: idOf(ref), secret: code }
      },
      orderOf: () => 'unknown',
      listOf: (checkpoint) => LISTS[checkpoint],
      answersOf: () => ({}),
      checkinsOf: async (ref) => {
        return pretix.checkinsOf(idOf(ref)).map(({ list, type, datetime, device_id }) => ({
          list: Number(list),
          type: String(type),
          at: Date.parse(String(datetime)),
          device: device_id as number | null,
        }))
      },
      refresh: async () => {},
      post: async (path, body) => {
        pretix.device = device
        return network(() => pretix.post(path, JSON.parse(JSON.stringify(body))))
      },
    },
    logger: quiet as never,
    now: () => desk.now,
    random: () => 0.5,
    passageOf: (scan) => passageOfScan(scan, desk.deps),
    admittedAt: (scan, decided) => admittedAt(scan, decided, desk.deps),
    ownTimes: (ticket) => ownTimesOf(ticket, desk.deps),
  })
  return push
}

async function settled(push: Push): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const wait = await push.round()
    if (wait === null || wait > 0) return
  }
}

describe('two boxes', () => {
  it('tell pretix of each other’s passages; when one dies, the other goes on, and nothing is there twice', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOW })
    await desks.import(CODES.map((code) => `${code},reentry,valid,,,`))
    const pretix = new PretixModel()
    pretix.addList({ id: 1 })
    for (const [i, code] of CODES.entries()) pretix.add({ id: 1000 + i, secret: code })
    const [a, b] = [desks.desk(0), desks.desk(1)]
    const lease = new HandLease()
    const [pushA, pushB] = [pushOf(a, lease.of(0), pretix), pushOf(b, lease.of(1), pretix)]
    const scan = async (desk: Desk, code: string, checkpoint: string) => {
      a.now = b.now = Math.max(a.now, b.now) + 1_000
      return (await desk.scan(code, { checkpoint })).scan_id
    }
    await scan(a, 'T-1', 'a-in')
    const wrong = await scan(b, 'T-2', 'a-in')
    desks.settle()
    await settled(pushA)
    await settled(pushB)
    assert.deepEqual([pushA.status().state, pushB.status().state], ['sending', 'other_box'])
    assert.equal(pretix.successes().length, 2)
    // Undone at the other box, and told by the first one, which dies before it can say so.
    await new Supervision(b).undo(wrong)
    await scan(b, 'T-1', 'a-out')
    desks.settle()
    const { state } = lease
    await settled(pushA)
    lease.state = state
    assert.equal(pretix.successes().length, 2)
    lease.holder = undefined
    await scan(b, 'T-3', 'b-in')
    await settled(pushB)
    const { position, reason } = pretix.records.find(({ successful }) => !successful) ?? {}
    assert.deepEqual([position, reason], [1001, 'annulled'])
    assert.deepEqual(
      pretix.records.map((one) => [one.position, one.type, one.successful]),
      [
        [1000, 'entry', true],
        [1001, 'entry', false],
        [1000, 'exit', true],
        [1002, 'entry', true],
      ],
    )
    assert.deepEqual([pushB.status().waiting, b.flags()], [0, []])
  })

  for (const [first, second] of [
    [7, 8],
    [7, null],
    [null, 8],
  ] as const) {
    const names = [first, second].map((device) => (device === null ? 'a team' : `device ${device}`))
    it(`with the tokens of ${names.join(' and ')}: one dies after any lost answer, and nothing is there twice`, async () => {
      for (let lost = 1; lost <= 5; lost++) {
        using desks = await Desks.open({ boxes: 2, now: NOW })
        await desks.import(CODES.map((code) => `${code},reentry,valid,,,`))
        const pretix = new PretixModel()
        pretix.addList({ id: 1 })
        for (const [i, code] of CODES.entries()) pretix.add({ id: 1000 + i, secret: code })
        const [a, b] = [desks.desk(0), desks.desk(1)]
        const lease = new HandLease()
        let sent = 0
        const pushA = pushOf(a, lease.of(0), pretix, {
          device: first,
          network: (send) => {
            const answer = send()
            return ++sent === lost ? { why: 'lost', lasting: false } : answer
          },
        })
        for (const [desk, code, checkpoint] of [
          [a, 'T-1', 'a-in'],
          [b, 'T-2', 'a-in'],
          [a, 'T-1', 'a-out'],
          [b, 'T-1', 'a-in'],
          [a, 'T-2', 'a-out'],
        ] as const) {
          a.now = b.now = a.now + 1_000
          await desk.scan(code, { checkpoint })
        }
        desks.settle()
        // It dies in this batch, whose end nobody has written down: neither here nor in the lease.
        await pushA.round()
        assert.ok(sent >= lost)
        lease.holder = undefined
        const pushB = pushOf(b, lease.of(1), pretix, { device: second })
        await settled(pushB)
        const there = pretix.successes().map(({ position, type }) => `${position} ${type}`)
        const expected = ['1000 entry', '1001 entry', '1000 exit', '1000 entry', '1001 exit']
        assert.deepEqual(there, expected, `answer ${lost} was lost`)
        assert.deepEqual([pushB.status().waiting, b.flags()], [0, []])
      }
    })
  }

  it('with two tokens: what one box has told and nobody else has seen is known when it comes back', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOW })
    await desks.import(CODES.map((code) => `${code},reentry,valid,,,`))
    const pretix = new PretixModel()
    pretix.addList({ id: 1 })
    for (const [i, code] of CODES.entries()) pretix.add({ id: 1000 + i, secret: code })
    const [a, b] = [desks.desk(0), desks.desk(1)]
    const lease = new HandLease()
    const scan = async (desk: Desk, checkpoint: string) => {
      a.now = b.now = a.now + 1_000
      await desk.scan('T-1', { checkpoint })
    }
    await scan(a, 'a-in')
    await settled(pushOf(a, lease.of(0), pretix, { device: 7 }))
    lease.holder = undefined
    const pushB = pushOf(b, lease.of(1), pretix, { device: 8 })
    await scan(b, 'a-out')
    await settled(pushB)
    assert.equal(pretix.successes().length, 2)
    desks.settle()
    await settled(pushB)
    assert.deepEqual(
      pretix.successes().map(({ type, device }) => `${type} ${device}`),
      ['entry 7', 'exit 8'],
    )
  })

  it('with two tokens: where the voters are others, and no word is left, nothing is there twice', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOW })
    await desks.import(CODES.map((code) => `${code},reentry,valid,,,`))
    const pretix = new PretixModel()
    pretix.addList({ id: 1 })
    for (const [i, code] of CODES.entries()) pretix.add({ id: 1000 + i, secret: code })
    const [a, b] = [desks.desk(0), desks.desk(1)]
    for (const checkpoint of ['a-in', 'a-out', 'a-in']) {
      a.now = b.now = a.now + 1_000
      await a.scan('T-1', { checkpoint })
    }
    desks.settle()
    await settled(pushOf(a, new HandLease().of(0), pretix, { device: 7 }))
    const pushB = pushOf(b, new HandLease().of(1), pretix, { device: 8 })
    await settled(pushB)
    assert.deepEqual([pretix.successes().length, pushB.status().waiting], [3, 0])
  })

  it('with two tokens: although more waits than one message names, nothing is there twice', async () => {
    using desks = await Desks.open({ boxes: 2, now: NOW })
    // pretix knows nothing of the first tickets: their passages wait for a person, and the others go on.
    const codes = Array.from({ length: 270 }, (_, i) => `T-${i}`)
    await desks.import(codes.map((code) => `${code},once,valid,,,`))
    const pretix = new PretixModel()
    pretix.addList({ id: 1 })
    for (const [i, code] of codes.entries()) if (i >= 70) pretix.add({ id: 1000 + i, secret: code })
    const [a, b] = [desks.desk(0), desks.desk(1)]
    for (const code of codes) {
      a.now = b.now = a.now + 1_000
      await a.scan(code, { checkpoint: 'a-in' })
    }
    desks.settle()
    const lease = new HandLease()
    const pushA = pushOf(a, lease.of(0), pretix, { device: 7 })
    await settled(pushA)
    assert.deepEqual([pretix.successes().length, pushA.status().asleep], [200, 70])
    lease.holder = undefined
    const pushB = pushOf(b, lease.of(1), pretix, { device: 8 })
    await settled(pushB)
    assert.deepEqual([pretix.successes().length, pushB.status().waiting], [200, 70])
  })

  it('say how far they are in one message, however much waits', () => {
    const step = { force: true, byPosition: false, asExit: true }
    const waiting = Array.from({ length: 1_000 }, (_, i) => ({
      ...{ box: `box-${i % 9}aaaaaaa`, place: 100_000 + i, hlc: '', ticket: null, step, again: false, attempts: 0 },
      ...{ nextAt: null, refusal: null, triedCode: null },
    })).sort((one, two) => one.box.localeCompare(two.box) || one.place - two.place)
    const places = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`box-${i}aaaaaaa`, 900_000]))
    const shared = sharedOf('pretix.example/organizer/event', { places, waiting })
    assert.ok(JSON.stringify(shared).length < 3_000, `${JSON.stringify(shared).length}`)
    // Everything that is not named is read again.
    const named = new Set(shared.waiting.map(([box, place]) => `${box} ${place}`))
    for (const { box, place } of waiting) {
      assert.ok(named.has(`${box} ${place}`) || (shared.places[box] ?? 0) <= place)
    }
    // The message stays within the size that the lease takes, with all it has to say: refused, nobody would tell pretix.
    const sent = { as: 'a'.repeat(32), doubtful: places, until: '1782900000000.000000' }
    const long = sharedOf(`pretix.${'example'.repeat(60)}/organizer/event`, { places, waiting, ...sent })
    assert.ok(Buffer.byteLength(JSON.stringify(long)) < 3_000 && long.waiting.length > 0)
  })
})

const { whyNot } = await natsServer()

describe('the lease over a real core', { skip: whyNot }, () => {
  let world: ReservationWorld
  before(async () => {
    world = await ReservationWorld.open(3, ['X,once,valid,,,'])
  })
  after(() => world[Symbol.asyncDispose]())

  /** By a clock that the test moves. */
  const clock = { ms: 0 }
  function leaseOf({ desk, engine, refused }: ReservingBox): Lease {
    const streams = new EpochStream({
      boxId: desk.id,
      eventTag: Buffer.from(desk.tag).toString('hex'),
      engine: () => engine,
      records: {
        ...{ event: desk.event.id, by: desk.id, key: logKeyOf(desk.id) },
        keyOf: (id) => createPublicKey(logKeyOf(id)),
      },
      onRefused: (by, why) => void refused.push(`${by} ${why}`),
    })
    return new Lease({ boxId: desk.id, name: 'shop', streams, monotonic: () => clock.ms })
  }

  it('is one box’s, until it stands unchanged for a term; then another adopts its state, and the first has lost it', async () => {
    const [one, two, three] = world.boxes.map(leaseOf)
    assert(one && two && three)
    const adopted: unknown[] = []
    const held = (state: unknown) => ({
      state: () => state,
      adopt: async (found: unknown) => void adopted.push(found),
    })
    assert.equal(await one.hold(held({ place: 1 })), true)
    assert.equal(await two.hold(held('two')), false)
    clock.ms += TERM_MS / 2
    assert.equal(await one.hold(held({ place: 2 })), true)
    clock.ms += TERM_MS / 2
    for (const other of [two, three])
      assert.equal(await other.hold(held('other')), false, 'it was written anew meanwhile')
    clock.ms += TERM_MS
    const taken = await Promise.all([two.hold(held('two')), three.hold(held('three'))])
    assert.equal(taken.filter(Boolean).length, 1, 'one of two that want it')
    assert.deepEqual(adopted[0], { place: 2 })
    assert.equal(await one.hold(held({ place: 3 })), false, 'whoever stood still has lost it')
    for (const { refused } of world.boxes) assert.deepEqual(refused, [])
  })

  it('is no reservation of anybody’s', async () => {
    const [box] = world.boxes
    assert(box)
    assert.equal((await box.desk.scan('X')).confidence, 'confirmed')
    assert.equal(box.queue.length, 0)
    assert.deepEqual(box.refused, [])
  })
})

/** Several boxes of one event and one pretix: one box speaks for all, another takes over, and nothing is there twice. */
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { EpochStream } from '../../../src/mesh/reservation/epoch-stream.ts'
import { Lease, TERM_MS } from '../../../src/mesh/reservation/lease.ts'
import { admittedAt, ownTimesOf, passageOfScan } from '../../../src/shop/pretix/up/ledger-side.ts'
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

function pushOf(desk: Desk, lease: SharedLease, pretix: PretixModel): Push {
  const { ledger, flags, tickets } = desk.deps
  const target = 'pretix.example/o/e'
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
      as: `${pretix.device}`,
      device: pretix.device,
      event: 'e',
      positionOf: (ref) => {
        const code = tickets.byRef(ref)?.code
        return code === undefined ? 'unknown' : { id: 1000 + CODES.indexOf(code), secret: code }
      },
      orderOf: () => 'unknown',
      listOf: (checkpoint) => LISTS[checkpoint],
      answersOf: () => ({}),
      checkinsOf: async (ref) => {
        const code = tickets.byRef(ref)?.code ?? ''
        return pretix.checkinsOf(1000 + CODES.indexOf(code)).map(({ list, type, datetime, device_id }) => ({
          list: Number(list),
          type: String(type),
          at: Date.parse(String(datetime)),
          device: device_id as number | null,
        }))
      },
      refresh: async () => {},
      post: async (path, body) => pretix.post(path, JSON.parse(JSON.stringify(body))),
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

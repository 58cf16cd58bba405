import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { format } from '@gatehouse/proto/hlc.ts'
import { TEST_EVENT } from '../../../test/event.ts'
import { type MeshDesk, MeshDesks } from '../../../test/mesh-desk.ts'
import { Wires } from '../../../test/mesh-wires.ts'
import { until } from '../../../test/until.ts'
import { AHEAD_MS } from '../../clock/fence.ts'
import { report } from '../../incidents/incidents.ts'
import { incidents, movements, peerSeals, tickets } from '../../ledger/schema.ts'
import { createLogger } from '../../log.ts'
import { Sealer } from '../../seal/sealer.ts'
import type { Topology } from '../topology.ts'
import { encodePage } from './envelope.ts'
import { ForkError } from './hear.ts'
import { openSpread, type Spread } from './spread.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')

/** Desks whose journals spread by themselves. */
class Spreading implements AsyncDisposable {
  readonly desks: MeshDesks
  readonly wires = new Wires()
  readonly log: Record<string, unknown>[] = []
  readonly spreads: Spread[] = []
  readonly sealers: Sealer[] = []
  readonly #changed = new Set<(topology: Topology) => void>()
  #listed: { id: string; role: string }[]

  private constructor(desks: MeshDesks) {
    this.desks = desks
    this.#listed = desks.boxes.map(({ id }) => ({ id, role: 'leaf' }))
    const listed = () => this.#listed
    const logger = createLogger('info', { write: (line) => void this.log.push(JSON.parse(line)) })
    for (const { id, deps } of desks.boxes) {
      const { ledger, keys } = deps
      const signing = { origin: `gatehouse/test-fair/${id}`, signingKey: keys.logKey }
      const sealer = new Sealer({ ledger, logger, now: () => NOON, ...signing })
      this.sealers.push(sealer)
      this.spreads.push(
        openSpread({
          ...deps,
          ...{
            logger,
            now: () => Date.now(),
            transport: this.wires.end(id),
            newestSeal: () => sealer.lastSeal()?.note,
          },
          membership: {
            get topology() {
              return { epoch: 3, boxes: listed() } as unknown as Topology
            },
            onChange: (listener) => {
              this.#changed.add(listener)
              return () => this.#changed.delete(listener)
            },
          },
        }),
      )
    }
  }

  static async open(boxes: number, options: Partial<Parameters<typeof MeshDesks.open>[0]> = {}): Promise<Spreading> {
    return new Spreading(await MeshDesks.open({ boxes, now: NOON, ...options }))
  }

  get boxes(): [MeshDesk, MeshDesk, MeshDesk] {
    return this.desks.boxes as [MeshDesk, MeshDesk, MeshDesk]
  }

  /** A box dies, and is taken off the list. */
  async remove(index: number): Promise<void> {
    await this.spreads[index]?.[Symbol.asyncDispose]()
    const gone = this.desks.boxes[index]?.id
    this.#listed = this.#listed.filter(({ id }) => id !== gone)
    for (const listener of this.#changed) listener({ boxes: this.#listed } as unknown as Topology)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const spread of this.spreads) await spread[Symbol.asyncDispose]()
    for (const sealer of this.sealers) await sealer[Symbol.asyncDispose]()
    this.desks[Symbol.dispose]()
  }
}

const countOf = (box: MeshDesk, table: typeof movements | typeof tickets | typeof incidents) =>
  box.deps.ledger.db.drizzle.$count(table)
const hasAll = (box: MeshDesk, table: typeof movements | typeof tickets | typeof incidents, count: number) =>
  until(async () => (await countOf(box, table)) === count, `${count} rows`, 10)
const emergency = (box: MeshDesk, id = 'inc-1') =>
  report(
    { incident_id: id, kind: 'crush', checkpoint: 'a-in', observed_at: new Date(NOON).toISOString() },
    { id: 'd', checkpoints: new Set(['a-in']) },
    {
      ...{ ...box.deps, now: () => box.now, random: randomBytes },
      ...{ lanes: { queue: () => null }, rateOf: () => 0, occupancyOf: () => null },
    },
  )

describe('what happens at one box', { timeout: 1_200_000 }, () => {
  it('is known at all, without anybody asking', async () => {
    await using world = await Spreading.open(3)
    const [a, b, c] = world.boxes
    await a.import(['C-1,once,valid,A'])
    for (const box of [b, c]) await hasAll(box, tickets, 1)
    assert.equal(JSON.parse(await b.scan('C-1')).verdict, 'ADMIT')
    for (const box of [a, c]) await hasAll(box, movements, 1)
    assert.equal(JSON.parse(await c.scan('C-1', { checkpoint: 'b-in' })).verdict, 'ALREADY_USED')
  })

  it('is known where a cable was cut, when it is mended', async () => {
    await using world = await Spreading.open(2)
    const [a, b] = world.boxes
    await a.import(['C-1,once,valid,A', 'C-2,once,valid,A'])
    await hasAll(b, tickets, 2)
    world.wires.cut('box-0', 'box-1')
    await until(() => !world.spreads[1]?.caughtUp() || world.spreads[1]?.heardFrom().get('box-0') !== undefined)
    await a.scan('C-1')
    await b.scan('C-1')
    await hasAll(a, movements, 2)
    assert.equal(await countOf(b, movements), 1)
    world.wires.mend()
    await hasAll(b, movements, 2)
    await until(() => world.spreads.every((spread) => spread.caughtUp()))
    const [first, second] = [a, b].map((box) => box.state() as { flags: string[] })
    assert.equal(first?.flags.length, 1)
    assert.deepEqual(first?.flags, second?.flags)
  })

  it('is known also where it can be asked for at a neighbour alone, with the tickets that came in parts', async () => {
    await using world = await Spreading.open(3)
    const [a, b, c] = world.boxes
    for (const [from, to] of [
      ['box-0', 'box-2'],
      ['box-2', 'box-0'],
    ] as const) {
      world.wires.cut(from, to)
    }
    await a.import(Array.from({ length: 200 }, (_, i) => `C-${i},once,valid,Holder ${i}`))
    await a.scan('C-1')
    await emergency(a)
    for (const box of [b, c]) {
      await hasAll(box, tickets, 200)
      await hasAll(box, movements, 1)
      await hasAll(box, incidents, 1)
    }
    assert.equal(JSON.parse(await c.scan('C-1', { checkpoint: 'b-in' })).verdict, 'ALREADY_USED')
    assert.equal(JSON.parse(await c.scan('C-199')).verdict, 'ADMIT')
    await hasAll(a, movements, 2)
    // Its own word is its own: what a neighbour tells of it does not say by which list of boxes it goes.
    assert.deepEqual(
      world.spreads.map((spread) => [...spread.heardFrom()].map(([box, { epoch }]) => `${box} ${epoch}`)),
      [['box-1 3'], ['box-0 3', 'box-2 3'], ['box-1 3']],
    )
    await until(() => a.heardOf(c.id) > 0 && c.heardOf(a.id) === a.deps.ledger.size)
    assert.deepEqual((a.state() as { sum: unknown }).sum, (c.state() as { sum: unknown }).sum)
  })

  it('is known after it is gone, as far as it told anybody', async () => {
    await using world = await Spreading.open(3)
    const [a, b, c] = world.boxes
    await a.import(['C-1,once,valid,A'])
    for (const box of [b, c]) await hasAll(box, tickets, 1)
    for (const [from, to] of [
      ['box-0', 'box-2'],
      ['box-2', 'box-0'],
      ['box-1', 'box-2'],
      ['box-2', 'box-1'],
    ] as const) {
      world.wires.cut(from, to)
    }
    await a.scan('C-1')
    await hasAll(b, movements, 1)
    await world.remove(0)
    world.wires.mend()
    await hasAll(c, movements, 1)
    assert.equal(JSON.parse(await c.scan('C-1', { checkpoint: 'b-in' })).verdict, 'ALREADY_USED')
  })

  it('comes in parts where it is much, and complete', async () => {
    await using world = await Spreading.open(2)
    const [a, b] = world.boxes
    const count = process.env.GATEHOUSE_TEST_LONG === undefined ? 1_500 : 100_000
    await a.import(Array.from({ length: count }, (_, i) => `C-${i},once,valid,Holder ${i}`))
    await hasAll(b, tickets, count)
    assert.equal(JSON.parse(await b.scan(`C-${count - 1}`)).verdict, 'ADMIT')
    await hasAll(a, movements, 1)
  })

  it('that is an emergency overtakes what was written before it', async () => {
    await using world = await Spreading.open(2)
    const [a, b] = world.boxes
    const backlog = process.env.GATEHOUSE_TEST_LONG === undefined ? 1_000 : 10_000
    await a.import(Array.from({ length: backlog }, (_, i) => `C-${i},once,valid,A`))
    await hasAll(b, tickets, backlog)
    world.wires.cut('box-0', 'box-1')
    await Promise.all(Array.from({ length: backlog }, (_, i) => a.scan(`C-${i}`)))
    world.wires.mend()
    await until(async () => (await countOf(b, movements)) > 0)
    await emergency(a)
    await hasAll(b, incidents, 1)
    const behind = backlog - (await countOf(b, movements))
    assert.ok(behind > 0, 'the backlog was there before the emergency')
    await hasAll(b, movements, backlog)
    assert.equal(await countOf(b, incidents), 1)
    assert.equal((b.state() as { incidents: string[] }).incidents.length, 1)
  })

  it('is sealed, and the seal is held against what was heard', async () => {
    await using world = await Spreading.open(2)
    const [a, b] = world.boxes
    await a.import(['C-1,once,valid,A'])
    const kept: [string, number][] = []
    world.spreads[1]?.onSeal((box, size) => kept.push([box, size]))
    const seal = await world.sealers[0]?.seal()
    await until(() => kept.length > 0)
    const [row] = b.deps.ledger.db.drizzle.select().from(peerSeals).all()
    assert.deepEqual([row?.box, row?.size, row?.note], ['box-0', seal?.size, seal?.note])
  })
})

describe('a box', { timeout: 120_000 }, () => {
  it('with another event file is heard, and said to be one', async () => {
    const other = {
      ...TEST_EVENT,
      checkpoints: TEST_EVENT.checkpoints.map((c) => (c.id === 'b-in' ? { ...c, id: 'z-in' } : c)),
    }
    await using world = await Spreading.open(2, { eventOf: (box) => (box === 1 ? other : TEST_EVENT) })
    const [a, b] = world.boxes
    await a.import(['C-1,once,valid,A'])
    await hasAll(b, tickets, 1)
    assert.equal(JSON.parse(await b.scan('C-1', { checkpoint: 'z-in' })).verdict, 'ADMIT')
    await hasAll(a, movements, 1)
    assert.match(world.spreads[0]?.heardFrom().get('box-1')?.problem ?? '', /another event file/)
    assert.ok(world.log.some(({ event, box }) => event === 'mesh_event_file' && box === 'box-1'))
  })

  it('whose clock runs wild is heard, and does not take the others along', async () => {
    await using world = await Spreading.open(2)
    const [a, b] = world.boxes
    b.now = NOON + 3_600_000
    await b.import(['C-1,once,valid,A'])
    await hasAll(a, tickets, 1)
    assert.ok(format(a.deps.clock.now()) < format({ ms: NOON + 10_000, count: 0 }))
    assert.ok(world.log.some(({ event }) => event === 'mesh_clock_ahead'))
    // And whoever has the right time is not the last to be believed.
    await a.import(['C-1,daily,valid,A'])
    await until(() => (b.state() as { tickets: string[] }).tickets.every((text) => text.includes('daily')))
  })

  it('that begins at its fence after a power cut is believed: nothing comes before what it was heard to say', async () => {
    await using world = await Spreading.open(2)
    const [a, b] = world.boxes
    b.now = NOON + AHEAD_MS
    await b.import(['C-1,once,valid,A'])
    await hasAll(a, tickets, 1)
    const [said] = b.deps.ledger.read(b.deps.ledger.size - 1, 1)
    const heard = a.deps.ledger.read(0, 100).findLast(({ kind }) => kind === 'heard')
    assert.ok((heard?.hlc ?? '') > (said?.hlc ?? '~'), `${heard?.hlc} heard, ${said?.hlc} said`)
  })

  it('that says another thing than before is not believed any more', async () => {
    await using world = await Spreading.open(2)
    const [a, b] = world.boxes
    await a.import(['C-1,once,valid,A'])
    await hasAll(b, tickets, 1)
    // Put back from an old copy, under its old name.
    world.wires.end('box-0').answer(() => encodePage({ box: 'box-0', size: 1, entries: [] }))
    await until(() => world.spreads[1]?.heardFrom().get('box-0')?.problem !== undefined)
    assert.match(world.spreads[1]?.heardFrom().get('box-0')?.problem ?? '', /shorter/)
    assert.match(world.spreads[1]?.refused().get('box-0') ?? '', /shorter/)
    assert.equal(world.spreads[1]?.caughtUp(), false)
    assert.equal(world.spreads[0]?.refused().size, 0)
    assert.equal(await countOf(b, tickets), 1)
    const [first] = a.page(0).entries
    assert.ok(first)
    const bytes = Buffer.from(String(first.bytes).replace('box-0', 'box-7'))
    assert.throws(() => b.hear('box-0', [{ ...first, fields: {}, bytes }]), ForkError)
  })
})

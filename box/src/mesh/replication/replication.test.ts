import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { format } from '@gatehouse/proto/hlc.ts'
import { apply, pageOf, replicatedAt } from '../../../test/mesh/desks.ts'
import { ReplicatingDesks } from '../../../test/mesh/replicating-desks.ts'
import { stateOf } from '../../../test/mesh/state.ts'
import { Control } from '../../../test/world/control.ts'
import type { Desk } from '../../../test/world/desk.ts'
import { TEST_EVENT } from '../../../test/world/event.ts'
import { until } from '../../../test/world/until.ts'
import { AHEAD_MS } from '../../clock/fence.ts'
import { incidents, movements, peerSeals, tickets } from '../../ledger/schema.ts'
import { encodePage } from './envelope.ts'
import { ForkError } from './peer-journal.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')

const countOf = (box: Desk, table: typeof movements | typeof tickets | typeof incidents) =>
  box.deps.ledger.db.drizzle.$count(table)
const hasAll = (box: Desk, table: typeof movements | typeof tickets | typeof incidents, count: number) =>
  until(async () => (await countOf(box, table)) === count, `${count} rows`, 10)
const emergency = (box: Desk) => new Control(box).report({ kind: 'crush' })

describe('what happens at one box', { timeout: 1_200_000 }, () => {
  it('is known at all, without anybody asking', async () => {
    await using world = await ReplicatingDesks.open(3)
    const [a, b, c] = world.boxes
    await a.import(['C-1,once,valid,,,A'])
    for (const box of [b, c]) await hasAll(box, tickets, 1)
    assert.equal((await b.scan('C-1')).verdict, 'ADMIT')
    for (const box of [a, c]) await hasAll(box, movements, 1)
    assert.equal((await c.scan('C-1', { checkpoint: 'b-in' })).verdict, 'ALREADY_USED')
  })

  it('is known where a cable was cut, when it is mended', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    await a.import(['C-1,once,valid,,,A', 'C-2,once,valid,,,A'])
    await hasAll(b, tickets, 2)
    world.wires.cut('box-0', 'box-1')
    await until(
      () => !world.replications[1]?.caughtUp() || world.replications[1]?.peerStatuses().get('box-0') !== undefined,
    )
    await a.scan('C-1')
    await b.scan('C-1')
    await hasAll(a, movements, 2)
    assert.equal(await countOf(b, movements), 1)
    world.wires.mend()
    await hasAll(b, movements, 2)
    await until(() => world.replications.every((replication) => replication.caughtUp()))
    const [first, second] = [a, b].map(stateOf)
    assert.equal(first?.flags.length, 1)
    assert.deepEqual(first?.flags, second?.flags)
  })

  it('is known also where it can be asked for at a neighbour alone, with the tickets that came in parts', async () => {
    await using world = await ReplicatingDesks.open(3)
    const [a, b, c] = world.boxes
    for (const [from, to] of [
      ['box-0', 'box-2'],
      ['box-2', 'box-0'],
    ] as const) {
      world.wires.cut(from, to)
    }
    await a.import(Array.from({ length: 200 }, (_, i) => `C-${i},once,valid,,,Holder ${i}`))
    await a.scan('C-1')
    await emergency(a)
    for (const box of [b, c]) {
      await hasAll(box, tickets, 200)
      await hasAll(box, movements, 1)
      await hasAll(box, incidents, 1)
    }
    assert.equal((await c.scan('C-1', { checkpoint: 'b-in' })).verdict, 'ALREADY_USED')
    assert.equal((await c.scan('C-199')).verdict, 'ADMIT')
    await hasAll(a, movements, 2)
    // Its own word is its own: what a neighbour tells of it does not say by which list of boxes it goes.
    assert.deepEqual(
      world.replications.map((replication) =>
        [...replication.peerStatuses()].map(([box, { epoch }]) => `${box} ${epoch}`),
      ),
      [['box-1 3'], ['box-0 3', 'box-2 3'], ['box-1 3']],
    )
    await until(() => replicatedAt(a, c.id) > 0 && replicatedAt(c, a.id) === a.deps.ledger.size)
    assert.deepEqual(stateOf(a).sum, stateOf(c).sum)
  })

  it('is known after it is gone, as far as it told anybody', async () => {
    await using world = await ReplicatingDesks.open(3)
    const [a, b, c] = world.boxes
    await a.import(['C-1,once,valid,,,A'])
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
    assert.equal((await c.scan('C-1', { checkpoint: 'b-in' })).verdict, 'ALREADY_USED')
  })

  it('comes in parts where it is much, and complete', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    const count = process.env.GATEHOUSE_TEST_LONG === undefined ? 1_500 : 100_000
    await a.import(Array.from({ length: count }, (_, i) => `C-${i},once,valid,,,Holder ${i}`))
    await hasAll(b, tickets, count)
    assert.equal((await b.scan(`C-${count - 1}`)).verdict, 'ADMIT')
    await hasAll(a, movements, 1)
  })

  it('that is an emergency overtakes what was written before it', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    const backlog = process.env.GATEHOUSE_TEST_LONG === undefined ? 1_000 : 10_000
    await a.import(Array.from({ length: backlog }, (_, i) => `C-${i},once,valid,,,A`))
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
    assert.equal(stateOf(b).incidents.length, 1)
  })

  it('is sealed, and the seal is held against what was heard', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    await a.import(['C-1,once,valid,,,A'])
    const seal = await world.sealers[0]?.seal()
    const keptBy = (box: Desk) => box.deps.ledger.db.drizzle.select().from(peerSeals).all()
    await until(() => keptBy(b).length > 0)
    const [row] = keptBy(b)
    assert.deepEqual([row?.box, row?.size, row?.note], ['box-0', seal?.size, seal?.note])
  })
})

describe('a box', { timeout: 120_000 }, () => {
  it('with another event file is heard, and said to be one', async () => {
    const other = {
      ...TEST_EVENT,
      checkpoints: TEST_EVENT.checkpoints.map((c) => (c.id === 'b-in' ? { ...c, id: 'z-in' } : c)),
    }
    await using world = await ReplicatingDesks.open(2, { eventOf: (box) => (box === 1 ? other : TEST_EVENT) })
    const [a, b] = world.boxes
    await a.import(['C-1,once,valid,,,A'])
    await hasAll(b, tickets, 1)
    assert.equal((await b.scan('C-1', { checkpoint: 'z-in' })).verdict, 'ADMIT')
    await hasAll(a, movements, 1)
    assert.match(world.replications[0]?.peerStatuses().get('box-1')?.problem?.text ?? '', /another event file/)
    assert.ok(world.log.some(({ event, box }) => event === 'mesh_event_file' && box === 'box-1'))
  })

  it('whose clock runs wild is heard, and does not take the others along', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    b.now = NOON + 3_600_000
    await b.import(['C-1,once,valid,,,A'])
    await hasAll(a, tickets, 1)
    assert.ok(format(a.deps.clock.now()) < format({ ms: NOON + 10_000, count: 0 }))
    assert.ok(world.log.some(({ event }) => event === 'mesh_clock_ahead'))
    // And whoever has the right time is not the last to be believed.
    await a.import(['C-1,daily,valid,,,A'])
    await until(() => stateOf(b).tickets.every((text) => text.includes('daily')))
  })

  it('that begins at its fence after a power cut is believed: nothing comes before what it was heard to say', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    b.now = NOON + AHEAD_MS
    await b.import(['C-1,once,valid,,,A'])
    await hasAll(a, tickets, 1)
    const [said] = b.deps.ledger.read(b.deps.ledger.size - 1, 1)
    const heard = a.deps.ledger.read(0, 100).findLast(({ kind }) => kind === 'heard')
    assert.ok((heard?.hlc ?? '') > (said?.hlc ?? '~'), `${heard?.hlc} heard, ${said?.hlc} said`)
  })

  it('that says another thing than before is not believed any more', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    await a.import(['C-1,once,valid,,,A'])
    await hasAll(b, tickets, 1)
    // Put back from an old copy, under its old name.
    world.sender(a, 'box-0').answer(() => encodePage({ box: 'box-0', size: 1, entries: [] }))
    await until(() => world.replications[1]?.peerStatuses().get('box-0')?.problem !== undefined)
    assert.match(world.replications[1]?.peerStatuses().get('box-0')?.problem?.text ?? '', /shorter/)
    assert.match(world.replications[1]?.refusedPeers().get('box-0')?.text ?? '', /shorter/)
    assert.equal(world.replications[1]?.caughtUp(), false)
    assert.equal(world.replications[0]?.refusedPeers().size, 0)
    assert.equal(await countOf(b, tickets), 1)
    const [first] = pageOf(a, 0).entries
    assert.ok(first)
    const bytes = Buffer.from(String(first.bytes).replace('box-0', 'box-7'))
    assert.throws(() => apply(b, 'box-0', [{ ...first, bytes }]), ForkError)
  })
})

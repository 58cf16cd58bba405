/** Boxes in processes of their own: their modes while they are connected, cut off, and connected again. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meta } from '@gatehouse/proto/wire/open.ts'
import type { Static } from 'typebox'
import { SETTLING_MS } from '../../src/mesh/mode/mode.ts'
import type { TestDevice } from '../world/device.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'
import { type MeshBox, MeshWorld } from './world.ts'

const { whyNot } = await natsServer()
const by = { actor: 'Ana', reason: 'The radio is down.' }
const MINUTES = 5

const statsOf = async (box: MeshBox) => {
  const { data } = await box.admin().GET('/v1/admin/stats')
  return data ?? assert.fail('no statistics')
}
const meshOf = async (box: MeshBox) => (await statsOf(box)).mesh ?? assert.fail('alone')
const becomes = (box: MeshBox, mode: 'STRICT' | 'DEGRADED') =>
  until(async () => (await meshOf(box)).mode === mode, `${box.id} becomes ${mode}`, MINUTES)

describe('three boxes', { skip: whyNot }, () => {
  let world: MeshWorld
  let boxes: readonly [MeshBox, MeshBox, MeshBox]
  let gates: readonly [TestDevice, TestDevice, TestDevice]
  let untilStrict = 0
  before(async () => {
    const tickets = Array.from({ length: 60 }, (_, i) => `T-${i},once`)
    world = await MeshWorld.open({ boxes: 3, tickets: tickets.map((row) => `${row},,,,,,valid`) })
    boxes = world.boxes as unknown as typeof boxes
    const gate = await boxes[0].device()
    // Their gates are open already.
    const opened = performance.now()
    for (const box of boxes) await becomes(box, 'STRICT')
    untilStrict = performance.now() - opened
    gates = [gate, boxes[1].deviceOf(gate.paired), boxes[2].deviceOf(gate.paired)]
  })
  after(() => world?.[Symbol.asyncDispose]())

  const metaOf = async (box: MeshBox): Promise<Static<typeof Meta>> => {
    const answer = await fetch(`http://127.0.0.1:${box.ports.http}/v1/meta`)
    return (await answer.json()) as Static<typeof Meta>
  }
  const modesOf = async (box: MeshBox) => {
    const { data } = await box.admin().GET('/v1/admin/log', { params: { query: { kind: 'mode', limit: 50 } } })
    return data?.rows ?? []
  }

  it("publish their mode, and the other boxes' addresses to scanners", async (t) => {
    const [a, b] = boxes
    t.diagnostic(`all three STRICT ${(untilStrict / 1000).toFixed(1)} s after the last one opened its gates`)
    const meta = await metaOf(a)
    assert.deepEqual([meta.mode, meta.mesh?.boxes, meta.mesh?.heard], ['STRICT', 3, 3])
    assert.match(meta.mesh?.reason ?? '', /hear each other/)
    const { mesh, mode } = await statsOf(a)
    assert.equal(mode, 'STRICT')
    assert.deepEqual([mesh?.forced, mesh?.unconfirmed, mesh?.boxes[0]?.box_id], [false, 0, a.id])
    const { data } = await gates[0].client.GET('/v1/manifest')
    assert.ok(data && 'filter' in data)
    assert.deepEqual([data.mode, data.box_id, data.boxes?.length], ['STRICT', a.id, 2])
    assert.ok(data.boxes?.some(({ box_id, unheard_seconds }) => box_id === b.id && unheard_seconds === 0))
  })

  it('admit a ticket at one, confirmed, and refuse it at the others with the place and the time', async () => {
    const verdicts = await Promise.all(gates.map((gate) => gate.scan('T-0')))
    assert.deepEqual(verdicts.map(({ verdict }) => verdict).sort(), ['ADMIT', 'ALREADY_USED', 'ALREADY_USED'])
    assert.ok(verdicts.every(({ confidence }) => confidence === 'confirmed'))
  })

  it('are DEGRADED when an admin sets it, and become STRICT by themselves when that is lifted', async () => {
    const [a, b] = boxes
    const put = (mode: 'STRICT' | 'DEGRADED') => a.admin().PUT('/v1/admin/mode', { body: { mode, ...by } })
    assert.equal((await put('DEGRADED')).data?.mode, 'DEGRADED')
    await becomes(a, 'DEGRADED')
    assert.equal((await meshOf(a)).forced, true)
    await becomes(b, 'STRICT')
    const verdict = await gates[0].scan('T-1')
    assert.deepEqual([verdict.verdict, verdict.confidence], ['ADMIT', 'provisional'])
    assert.equal((await gates[1].scan('T-1')).verdict, 'ALREADY_USED')
    // STRICT cannot be forced: it lifts a forced mode, and the connected boxes decide.
    assert.equal((await put('STRICT')).data?.mode, 'DEGRADED')
    await becomes(a, 'STRICT')
    const said = (await modesOf(a)).map(({ summary }) => summary)
    assert.ok(
      said.some((text) => /^Ana no longer forces DEGRADED/.test(text)),
      said.join('\n'),
    )
    assert.ok(
      said.some((text) => /^mesh set the mode to STRICT/.test(text)),
      said.join('\n'),
    )
  })

  it('admit while cut off, name the boxes that do not answer, and replicate everything afterwards', async (t) => {
    const [a, b, c] = boxes
    try {
      await Promise.all([b, c].map((box) => box.pause()))
      const cut = performance.now()
      const first = await gates[0].scan('T-2')
      const noticed = performance.now() - cut
      await becomes(a, 'DEGRADED')
      t.diagnostic(
        `first scan answered after ${Math.round(noticed)} ms, DEGRADED seen after ${Math.round(performance.now() - cut)} ms`,
      )
      assert.deepEqual([first.verdict, first.confidence], ['ADMIT', 'provisional'])
      const took: number[] = []
      for (let i = 3; i < 20; i++) {
        const before = performance.now()
        const { verdict, confidence } = await gates[0].scan(`T-${i}`)
        took.push(Math.round(performance.now() - before))
        assert.deepEqual([verdict, confidence], ['ADMIT', 'provisional'])
      }
      t.diagnostic(`the next ${took.length} scans in ${Math.min(...took)} to ${Math.max(...took)} ms each`)
      await until(
        async () => (await meshOf(a)).boxes.filter(({ heard }) => !heard).length === 2,
        'two unheard',
        MINUTES,
      )
      assert.match(
        (await gates[0].scan('T-20')).reason,
        /^Welcome\. Not confirmed: Box \d unheard for \d+ seconds?, and 1 more\.$/,
      )
      assert.ok((await meshOf(a)).unconfirmed > 0)
      assert.equal((await gates[0].scan('T-20')).verdict, 'ALREADY_USED')
    } finally {
      for (const box of [b, c]) box.resume()
    }
    for (const box of boxes) await becomes(box, 'STRICT')
    assert.equal((await meshOf(a)).unconfirmed, 0)
    for (const gate of [gates[1], gates[2]]) {
      for (const code of ['T-2', 'T-9', 'T-20']) assert.equal((await gate.scan(code)).verdict, 'ALREADY_USED', code)
    }
  })

  it('have sealed each change of mode, and their ledgers verify', async () => {
    const [a] = boxes
    const modes = await modesOf(a)
    assert.ok(modes.length >= 6)
    await until(async () => (await statsOf(a)).seal.size > (modes[0]?.index ?? Number.POSITIVE_INFINITY))
    await a.stop()
    const verified = a.command('verify')
    assert.deepEqual((await verified.exited()).code, 0, verified.output)
    await a.start()
    await becomes(a, 'STRICT')
    assert.equal((await gates[0].scan('T-2')).verdict, 'ALREADY_USED')
    assert.equal((await gates[0].scan('T-30')).confidence, 'confirmed')
  })
})

describe('two boxes', { skip: whyNot }, () => {
  it('say that the nats-server of one does not start while another program has its port, and are STRICT once it is free', async () => {
    await using world = await MeshWorld.open({ boxes: 2, start: false })
    const [a, b] = world.boxes as unknown as readonly [MeshBox, MeshBox]
    const other = createServer().listen(world.topology.boxes[0]?.ports.leaf, '127.0.0.1')
    await once(other, 'listening')
    try {
      for (const box of [a, b]) await box.start()
      const isSaid = async () => (await meshOf(a)).reason_coded?.some(({ code }) => code === 'server_fails') ?? false
      await until(isSaid, 'it says that its nats-server does not start', MINUTES)
      assert.equal((await meshOf(a)).mode, 'DEGRADED')
    } finally {
      other.close()
    }
    for (const box of [a, b]) await becomes(box, 'STRICT')
    assert.match((await meshOf(a)).reason, /hear each other/)
  })

  it('the authority of two, restarted, is not STRICT before the other confirms that there is no other authority', async () => {
    await using world = await MeshWorld.open({ boxes: 2 })
    const [a, b] = world.boxes as unknown as readonly [MeshBox, MeshBox]
    await becomes(a, 'STRICT')
    for (const box of [a, b]) await box.stop()
    await a.start()
    const isAsking = async () => /no other box has become the authority/.test((await meshOf(a)).reason)
    await until(isAsking, 'it asks', MINUTES)
    await sleep(SETTLING_MS)
    assert.ok(await isAsking())
    await b.start()
    await becomes(a, 'STRICT')
  })
})

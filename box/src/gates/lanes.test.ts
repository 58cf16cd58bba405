import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { supervisorAdmit } from '../scan/supervise.ts'
import { undo } from '../scan/undo.ts'
import { Lanes } from './lanes.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const MINUTE = 60_000

describe('lanes', () => {
  let desk: Desk
  let lanes: Lanes
  const lanesOf = () => new Lanes({ ledger: desk.deps.ledger, now: () => desk.now })
  beforeEach(async () => {
    desk = await Desk.open({ now: NOON })
    await desk.import([...Array.from({ length: 10 }, (_, i) => `T-${i},once`), 'CREW,crew'])
    lanes = lanesOf()
  })
  afterEach(() => desk[Symbol.dispose]())

  it('count who was let in, and neither refusals, exits nor other gates', async () => {
    for (let i = 0; i < 5; i++) await desk.scan(`T-${i}`)
    await desk.scan('T-0')
    await desk.scan('NOBODY')
    await desk.scan('T-1', { checkpoint: 'a-out' })
    await desk.scan('T-5', { checkpoint: 'b-in' })
    assert.deepEqual(
      ['a-in', 'a-out', 'b-in', 'v-in', 'nowhere'].map((id) => lanes.perMinute(id)),
      [1, 0, 0.2, 0, 0],
    )
  })

  it('count whom a scanner let in alone, once, also when it is sent again', async () => {
    const scan = desk.scanOf('T-0', { offline_admitted: true })
    await desk.text(scan)
    await desk.text(scan)
    assert.equal(lanes.perMinute('a-in'), 0.2)
  })

  it('count whom a supervisor let in, and not who was taken back', async () => {
    const device = { id: 'd', supervisor: true, checkpoints: new Set(['a-in']) }
    const why = { actor: 'Ana', reason: 'known' }
    await desk.scan('T-0')
    const refused = desk.scanOf('T-0')
    await desk.text(refused)
    await supervisorAdmit(refused.scan_id, why, device, desk.deps)
    assert.equal(lanes.perMinute('a-in'), 0.4)
    await undo(refused.scan_id, why, device, desk.deps)
    assert.equal(lanes.perMinute('a-in'), 0.2)
    // An admission that is taken back may have come in before anybody counted.
    const scan = desk.scanOf('T-1')
    await desk.text(scan)
    const late = lanesOf()
    await undo(scan.scan_id, why, device, desk.deps)
    assert.equal(late.perMinute('a-in'), 0)
  })

  it('forget what is five minutes old, minute by minute', async () => {
    const rates: number[] = []
    for (let minute = 0; minute < 4; minute++) {
      await desk.scan('CREW')
      await desk.scan('CREW')
      rates.push(lanes.perMinute('a-in'))
      desk.now += MINUTE
    }
    for (let minute = 4; minute < 10; minute++) {
      rates.push(lanes.perMinute('a-in'))
      desk.now += MINUTE
    }
    assert.deepEqual(rates, [0.4, 0.8, 1.2, 1.6, 1.6, 1.2, 0.8, 0.4, 0, 0])
  })

  it('keep what was said of a queue for ten minutes, and the last word alone', () => {
    assert.equal(lanes.queue('a-in'), null)
    lanes.report('a-in', 40)
    lanes.report('b-in', 0)
    desk.now += 5 * MINUTE
    lanes.report('a-in', 20)
    desk.now += 5 * MINUTE - 1
    assert.deepEqual([lanes.queue('a-in'), lanes.queue('b-in')], [20, 0])
    desk.now += 1
    assert.deepEqual([lanes.queue('a-in'), lanes.queue('b-in')], [20, null])
    desk.now += 5 * MINUTE
    assert.equal(lanes.queue('a-in'), null)
  })

  it('begin anew after a restart: an old rate would foretell a queue that is gone', async () => {
    await desk.scan('CREW')
    lanes.report('a-in', 40)
    desk.restart()
    lanes = lanesOf()
    assert.deepEqual([lanes.perMinute('a-in'), lanes.queue('a-in')], [0, null])
    await desk.scan('CREW')
    assert.equal(lanes.perMinute('a-in'), 0.2)
  })
})

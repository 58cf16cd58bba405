/** Every verdict of the contract, from a real device against a real box. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestDevice, World } from './world.ts'

describe('a box with a device', () => {
  let world: World
  let device: TestDevice
  before(async () => {
    world = await World.open()
    device = await world.device()
  })
  after(() => world[Symbol.asyncDispose]())

  it('admits a ticket once, and names the gate and the age of the first use', async () => {
    const first = await device.scan('ONCE-1')
    assert.equal(first.verdict, 'ADMIT')
    assert.deepEqual(
      { tier: first.tier_name, colour: first.tier_colour, seat: first.seat_label, occurrence: first.occurrence },
      { tier: 'Day ticket', colour: '#2F80ED', seat: 'Row 1, seat 2', occurrence: 1 },
    )
    world.offsetMs += 61_000
    const second = await device.scan('ONCE-1', { checkpoint: 'b-in' })
    assert.equal(second.verdict, 'ALREADY_USED')
    const evidence = second.evidence as { checkpoint: string; seconds_ago: number; hlc: string }
    assert.equal(evidence.checkpoint, 'a-in')
    assert.equal(evidence.hlc, first.hlc)
    assert.ok(evidence.seconds_ago >= 61 && evidence.seconds_ago < 65)
    assert.match(second.reason, /^Used at Gate A \(A entry\) 1 minute ago\.$/)
  })
})

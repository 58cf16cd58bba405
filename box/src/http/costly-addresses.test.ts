import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CostlyAddresses } from './costly-addresses.ts'

function slowed() {
  const clock = { now: 0 }
  return { clock, costly: new CostlyAddresses(() => clock.now) }
}

describe('an address whose long bodies are refused', () => {
  it('begins a handshake every 50 ms, and others wait for nothing', () => {
    const { clock, costly } = slowed()
    assert.deepEqual([costly.wait('a'), costly.wait('a')], [0, 0])
    costly.add('a')
    assert.deepEqual([costly.wait('a'), costly.wait('a'), costly.wait('a')], [0, 50, 100])
    assert.deepEqual([costly.wait('b'), costly.wait('b')], [0, 0])
    clock.now = 70
    assert.equal(costly.wait('a'), 80)
  })

  it('is forgiven ten seconds after its last one', () => {
    const { clock, costly } = slowed()
    costly.add('a')
    clock.now = 9_000
    costly.add('a')
    assert.deepEqual([costly.wait('a'), costly.wait('a')], [0, 50])
    clock.now = 18_999
    assert.deepEqual([costly.wait('a'), costly.wait('a')], [0, 50])
    clock.now = 19_000
    assert.deepEqual([costly.wait('a'), costly.wait('a')], [0, 0])
  })

  it('law: while it goes on, twenty handshakes a second and one more; of each other address all at once', () => {
    const asked = fc.array(fc.record({ after: fc.integer({ min: 0, max: 400 }), refused: fc.boolean() }), {
      minLength: 1,
      maxLength: 100,
    })
    fc.assert(
      fc.property(asked, (steps) => {
        const { clock, costly } = slowed()
        costly.add('a')
        const begun: number[] = []
        for (const { after, refused } of steps) {
          clock.now += after
          if (refused) costly.add('a')
          const isSlowed = clock.now < 10_000 || refused
          const wait = costly.wait('a')
          if (isSlowed) begun.push(clock.now + wait)
          assert.equal(costly.wait('b'), 0)
        }
        for (const [i, at] of begun.entries()) if (i > 0) assert.ok(at - (begun[i - 1] ?? 0) >= 50)
      }),
    )
  })
})

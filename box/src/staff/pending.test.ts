import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Pending } from './pending.ts'

function pending() {
  const clock = { at: 0 }
  return { clock, begun: new Pending<number>({ monotonic: () => clock.at, lifeMs: 600_000 }) }
}

describe('a sign-in that goes on elsewhere', () => {
  it('is taken once, with its own key, in its time', () => {
    const { clock, begun } = pending()
    const [one, two] = [begun.begin('192.0.2.1', 1), begun.begin('192.0.2.1', 2)]
    assert.notEqual(one, two)
    assert.equal(begun.take('x'), undefined)
    assert.deepEqual([begun.take(one), begun.take(one)], [1, undefined])
    clock.at = 600_000
    assert.equal(begun.take(two), undefined)
  })

  it('makes way for newer ones of its own network where there are too many, and for nobody else', () => {
    const { begun } = pending()
    const mine = begun.begin('192.0.2.1', -1)
    const theirs = Array.from({ length: 2_000 }, (_, i) => begun.begin('198.51.100.1', i))
    assert.equal(theirs.filter((key) => begun.take(key) !== undefined).length, 999)
    assert.equal(begun.take(mine), -1)
  })

  it('begins twenty at once from one network, then one a second', () => {
    const { clock, begun } = pending()
    const begin = () => begun.requireTurn('192.0.2.1')
    for (let i = 0; i < 20; i++) begin()
    assert.throws(begin, { code: 'rate_limited' })
    begun.requireTurn('192.0.2.2')
    clock.at = 1_000
    begin()
  })
})

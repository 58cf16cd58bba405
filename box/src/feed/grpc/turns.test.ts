import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TooMany, Turns } from './turns.ts'

describe('turns', () => {
  it('come one after the other for one sender, side by side for two, and go on after a failure', async () => {
    const turns = new Turns()
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = turns.take('a', async () => {
      await gate.promise
      order.push('a1')
      throw new Error('it failed')
    })
    const second = turns.take('a', async () => void order.push('a2'))
    await turns.take('b', async () => void order.push('b1'))
    gate.resolve()
    await assert.rejects(first, /it failed/)
    await second
    assert.deepEqual(order, ['b1', 'a1', 'a2'])
  })

  it('are refused when too many wait', async () => {
    const turns = new Turns(4)
    const gate = Promise.withResolvers<void>()
    const waiting = Array.from({ length: 5 }, () => turns.take('a', () => gate.promise))
    await assert.rejects(
      turns.take('a', async () => {}),
      TooMany,
    )
    gate.resolve()
    await Promise.all(waiting)
    await turns.take('a', async () => {})
  })
})

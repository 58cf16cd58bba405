import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import type { ChangeEvent } from '../change.ts'
import { Queue } from './queue.ts'

let number = 0
function event(bytes = 100): ChangeEvent {
  const position = { commitLsn: 1n, index: number++ }
  const image = { beforeJson: '', afterJson: '{}' }
  const common = { lsn: '0/1', commitLsn: '0/1', commitTime: '', schema: 's', table: 't', op: 'insert' } as const
  return { ...common, ...image, id: `0/1:${position.index}`, position, bytes }
}

describe('a queue', () => {
  it('is full at either limit, and low again at half of both', () => {
    const byEvents = new Queue({ maxEvents: 4, maxBytes: 10_000 })
    for (let i = 0; i < 3; i++) byEvents.push(event())
    assert.deepEqual([byEvents.isFull, byEvents.isLow], [false, false])
    byEvents.push(event())
    assert.equal(byEvents.isFull, true)
    byEvents.take({ maxEvents: 2, maxBytes: 1000 })
    assert.deepEqual([byEvents.isFull, byEvents.isLow], [true, false], 'what is under way is not gone')
    byEvents.settle()
    assert.deepEqual([byEvents.isFull, byEvents.isLow], [false, true])

    const byBytes = new Queue({ maxEvents: 100, maxBytes: 1000 })
    byBytes.push(event(1200))
    assert.equal(byBytes.isFull, true)
  })

  it('gives a batch of one event that is over the limit', () => {
    const queue = new Queue({ maxEvents: 100, maxBytes: 10_000 })
    for (const bytes of [5000, 10, 10]) queue.push(event(bytes))
    queue.take({ maxEvents: 10, maxBytes: 1000 })
    assert.deepEqual(
      queue.batch.map(({ bytes }) => bytes),
      [5000],
    )
    queue.settle()
    queue.take({ maxEvents: 10, maxBytes: 1000 })
    assert.equal(queue.batch.length, 2)
  })

  it('sheds the oldest that wait, and never the batch under way', () => {
    const queue = new Queue({ maxEvents: 4, maxBytes: 10_000 })
    const events = Array.from({ length: 8 }, () => event())
    for (const one of events.slice(0, 2)) queue.push(one)
    queue.take({ maxEvents: 2, maxBytes: 1000 })
    for (const one of events.slice(2)) queue.push(one)
    assert.equal(queue.shed(), 4)
    assert.deepEqual(queue.batch, events.slice(0, 2))
    queue.settle()
    queue.take({ maxEvents: 10, maxBytes: 10_000 })
    assert.deepEqual(queue.batch, events.slice(6))
  })

  it('sheds everything that waits where the batch alone is over the limit', () => {
    const queue = new Queue({ maxEvents: 10, maxBytes: 1000 })
    queue.push(event(5000))
    queue.take({ maxEvents: 10, maxBytes: 1000 })
    queue.push(event())
    assert.equal(queue.shed(), 1)
    assert.equal(queue.size, 1)
  })
})

test('whatever is done to it, a queue is the list that it says it is', () => {
  const push = fc.record({
    what: fc.constant('push' as const),
    bytes: fc.integer({ min: 1, max: 300 }),
    n: fc.nat(900),
  })
  const take = fc.record({
    what: fc.constant('take' as const),
    bytes: fc.integer({ min: 1, max: 5000 }),
    n: fc.nat(700),
  })
  const other = fc.record({ what: fc.constantFrom('settle' as const, 'shed' as const), bytes: fc.nat(0), n: fc.nat(0) })
  fc.assert(
    fc.property(fc.array(fc.oneof(push, take, other), { maxLength: 60 }), (steps) => {
      const limits = { maxEvents: 2000, maxBytes: 200_000 }
      const queue = new Queue(limits)
      let batch: ChangeEvent[] = []
      const waiting: ChangeEvent[] = []
      const bytesOf = (events: ChangeEvent[]) => events.reduce((sum, { bytes }) => sum + bytes, 0)
      const over = () => {
        const all = [...batch, ...waiting]
        return waiting.length > 0 && (all.length > limits.maxEvents || bytesOf(all) > limits.maxBytes)
      }
      for (const { what, bytes, n } of steps) {
        if (what === 'push') {
          const events = Array.from({ length: n }, () => event(bytes))
          for (const one of events) queue.push(one)
          waiting.push(...events)
        } else if (what === 'take' && batch.length === 0 && n > 0) {
          queue.take({ maxEvents: n, maxBytes: bytes })
          do {
            const next = waiting.shift()
            if (next) batch.push(next)
          } while (batch.length < n && waiting[0] && bytesOf(batch) + waiting[0].bytes <= bytes)
        } else if (what === 'settle') {
          queue.settle()
          batch = []
        } else if (what === 'shed') {
          let shed = 0
          while (over()) {
            waiting.shift()
            shed++
          }
          assert.equal(queue.shed(), shed)
        }
        assert.deepEqual(queue.batch, batch)
        assert.equal(queue.oldest, batch[0] ?? waiting[0])
        assert.equal(queue.size, batch.length + waiting.length)
        assert.equal(queue.bytes, bytesOf(batch) + bytesOf(waiting))
      }
    }),
    { numRuns: 50 },
  )
})

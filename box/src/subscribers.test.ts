import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Subscribers } from './subscribers.ts'

describe('Subscribers', () => {
  it('are called in the order in which they came, with what has happened', () => {
    const subscribers = new Subscribers<[string, number]>()
    const calls: string[] = []
    subscribers.add((name, n) => calls.push(`first ${name} ${n}`))
    subscribers.add((name, n) => calls.push(`second ${name} ${n}`))
    subscribers.notify('gate', 3)
    assert.deepEqual(calls, ['first gate 3', 'second gate 3'])
    assert.equal(subscribers.size, 2)
  })

  it('are called no more once they have ended it', () => {
    const subscribers = new Subscribers()
    const calls: string[] = []
    const end = subscribers.add(() => calls.push('ended'))
    subscribers.add(() => calls.push('stays'))
    end()
    end()
    subscribers.notify()
    assert.deepEqual(calls, ['stays'])
  })

  it('end each their own subscription, while they are called too', () => {
    const subscribers = new Subscribers()
    const calls: string[] = []
    const end = subscribers.add(() => {
      calls.push('once')
      end()
    })
    subscribers.add(() => calls.push('always'))
    subscribers.notify()
    subscribers.notify()
    assert.deepEqual(calls, ['once', 'always', 'always'])
  })
})

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Desk } from '../../test/world/desk.ts'
import type { Entry } from './entries.ts'
import { Subscribers } from './subscribers.ts'

const NOON = Date.parse('2026-07-17T12:00:00Z')
const BY = { actor: 'Ana', address: '::1' }
const placesOf = (entries: readonly Entry[]) => entries.map(({ index }) => index)

describe('subscribers', () => {
  it('are called in order before the commit is answered, and later in a turn of their own', async () => {
    using desk = await Desk.open({ now: NOON })
    const { ledger } = desk.deps
    const from = ledger.size
    const happened: unknown[] = []
    ledger.subscribe('later', (entries) => happened.push(['later', placesOf(entries)]))
    ledger.subscribe('committed', (entries) => happened.push(['first', placesOf(entries)]))
    ledger.subscribe('committed', (entries) => happened.push(['second', placesOf(entries)]))
    ledger.transact(() => ledger.append('restart', BY))
    happened.push('returned')
    await ledger
      .commit(() => {
        ledger.append('restart', BY)
        ledger.append('restart', BY)
      })
      .then(() => happened.push('answered'))
    await turn()
    assert.deepEqual(happened, [
      ['first', [from]],
      ['second', [from]],
      'returned',
      ['later', [from]],
      ['first', [from + 1, from + 2]],
      ['second', [from + 1, from + 2]],
      'answered',
      ['later', [from + 1, from + 2]],
    ])
  })

  it('for later are given what several transactions have appended at once, and each entry once', async () => {
    using desk = await Desk.open({ now: NOON })
    const { ledger } = desk.deps
    const from = ledger.size
    const given: number[][] = []
    ledger.subscribe('later', (entries) => given.push(placesOf(entries)))
    for (let i = 0; i < 3; i++) ledger.transact(() => ledger.append('restart', BY))
    assert.deepEqual(given, [])
    await turn()
    ledger.transact(() => ledger.append('restart', BY))
    await turn()
    await turn()
    assert.deepEqual(given, [[from, from + 1, from + 2], [from + 3]])
  })

  it('may write later, and are given what they wrote', async () => {
    using desk = await Desk.open({ now: NOON })
    const { ledger } = desk.deps
    const kinds: string[] = []
    ledger.subscribe('later', (entries) => {
      kinds.push(...entries.map(({ kind }) => kind))
      if (kinds.length === 1) ledger.transact(() => ledger.append('seal', BY))
    })
    ledger.transact(() => ledger.append('restart', BY))
    await turn()
    await turn()
    assert.deepEqual(kinds, ['restart', 'seal'])
  })

  it('are given nothing from when they have ended it, or the ledger is closed', async () => {
    const desk = await Desk.open({ now: NOON })
    const { ledger } = desk.deps
    const given: string[] = []
    const ends = (['committed', 'later'] as const).map((phase) => ledger.subscribe(phase, () => given.push(phase)))
    ledger.transact(() => ledger.append('restart', BY))
    for (const end of ends) end()
    ledger.transact(() => ledger.append('restart', BY))
    ledger.subscribe('later', () => given.push('closed'))
    ledger.transact(() => ledger.append('restart', BY))
    desk[Symbol.dispose]()
    await turn()
    assert.deepEqual(given, ['committed'])
  })

  it('that throw keep nobody else from being called, and end the process', async (t: TestContext) => {
    const thrown: unknown[] = []
    t.mock.method(globalThis, 'queueMicrotask', (task: () => void) =>
      assert.throws(task, (error) => thrown.push(error) > 0),
    )
    using subscribers = new Subscribers()
    const called: string[] = []
    for (const phase of ['committed', 'later'] as const) {
      subscribers.add(phase, () => {
        throw new Error(phase)
      })
      subscribers.add(phase, () => called.push(phase))
    }
    subscribers.publish([{ index: 0 } as Entry])
    await turn()
    assert.deepEqual(called, ['committed', 'later'])
    assert.deepEqual(thrown, [new Error('committed'), new Error('later')])
  })
})

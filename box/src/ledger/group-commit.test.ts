import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { LedgerBusy } from '../db.ts'
import { GroupCommit, type Transaction } from './group-commit.ts'

type Failure = 'busy' | 'begin' | 'commit' | undefined

/** A store with transactions, as plain as it can be: what `events` shows is what happened, in order. */
function store(fail: (attempt: number) => Failure = () => undefined) {
  const rows: string[] = []
  const events: string[] = []
  let attempts = 0
  const transaction: Transaction = (work) => {
    const failure = fail(attempts++)
    if (failure === 'busy') throw new LedgerBusy(undefined)
    if (failure === 'begin') throw new Error('cannot begin')
    const before = [...rows]
    try {
      work()
      if (failure === 'commit') throw new Error('cannot commit')
      events.push('commit')
    } catch (error) {
      rows.splice(0, rows.length, ...before)
      events.push('rollback')
      throw error
    }
  }
  const put = (name: string) => () => {
    rows.push(name)
    return name
  }
  return { rows, events, transaction, put }
}

/** What a promise came to, written down at the moment when it did. */
async function told(promise: Promise<string>, events: string[]): Promise<void> {
  await promise.then(
    (value) => events.push(`told ${value}`),
    (error: Error) => events.push(`refused: ${error.message}`),
  )
}

describe('group commit', () => {
  it('commits what came in one turn at once, in order, and tells nobody before', async () => {
    const { rows, events, transaction, put } = store()
    const group = new GroupCommit(transaction)
    const all = ['a', 'b', 'c'].map((name) => told(group.submit(put(name)), events))
    await Promise.resolve()
    assert.deepEqual(events, [])
    await Promise.all(all)
    assert.deepEqual(rows, ['a', 'b', 'c'])
    assert.deepEqual(events, ['commit', 'told a', 'told b', 'told c'])
  })

  it('takes work that comes while others are told into the next commit', async () => {
    const { events, transaction, put } = store()
    const group = new GroupCommit(transaction)
    await told(
      group.submit(put('a')).then(() => group.submit(put('b'))),
      events,
    )
    assert.deepEqual(events, ['commit', 'commit', 'told b'])
  })

  it('does not let one failing job fail its neighbours, nor cost each a commit', async () => {
    const { rows, events, transaction, put } = store()
    const group = new GroupCommit(transaction)
    await Promise.all([
      told(group.submit(put('a')), events),
      told(
        group.submit(() => {
          put('half')()
          throw new Error('bad')
        }),
        events,
      ),
      told(group.submit(put('c')), events),
    ])
    assert.deepEqual(rows, ['a', 'c'])
    assert.deepEqual(events, ['rollback', 'commit', 'rollback', 'told a', 'told c', 'refused: bad'])
  })

  it('does not refuse a job for what a neighbour did and could not commit', async () => {
    // The first commit of the neighbours fails, and their second one; then the store works again.
    const { rows, events, transaction, put } = store((attempt) => (attempt === 1 ? 'commit' : undefined))
    const group = new GroupCommit(transaction)
    const unlessThere = (name: string) => () => {
      if (rows.includes(name)) throw new Error(`${name} is there`)
      return put(name)()
    }
    await Promise.all([told(group.submit(put('a')), events), told(group.submit(unlessThere('a')), events)])
    assert.deepEqual(rows, ['a'])
    assert.deepEqual(events.slice(-2), ['refused: cannot commit', 'told a'])
  })

  it('commits each job alone when the commit of all fails', async () => {
    const { rows, events, transaction, put } = store((attempt) => (attempt === 0 ? 'commit' : undefined))
    const group = new GroupCommit(transaction)
    await Promise.all(['a', 'b'].map((name) => told(group.submit(put(name)), events)))
    assert.deepEqual(rows, ['a', 'b'])
    assert.deepEqual(events, ['rollback', 'commit', 'commit', 'told a', 'told b'])
  })

  it('refuses all at once when no transaction can begin, and runs none of their work', async () => {
    const { rows, events, transaction, put } = store((attempt) => (attempt === 0 ? 'begin' : undefined))
    const group = new GroupCommit(transaction)
    await Promise.all(['a', 'b'].map((name) => told(group.submit(put(name)), events)))
    assert.deepEqual([rows, events], [[], ['refused: cannot begin', 'refused: cannot begin']])
    await told(group.submit(put('c')), events)
    assert.deepEqual(rows, ['c'])
  })

  it('keeps the order of work that waits for another process, and lets the event loop go on', async () => {
    const { rows, events, transaction, put } = store((attempt) => (attempt < 3 ? 'busy' : undefined))
    const group = new GroupCommit(transaction)
    const first = told(group.submit(put('a')), events)
    await turn()
    assert.deepEqual(events, [])
    const second = told(group.submit(put('b')), events)
    await Promise.all([first, second])
    assert.deepEqual(rows, ['a', 'b'])
    assert.deepEqual(events, ['commit', 'told a', 'told b'])
  })

  it('refuses work after fifteen seconds of waiting, and then starts anew', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let busy = true
    const { events, transaction, put } = store(() => (busy ? 'busy' : undefined))
    const group = new GroupCommit(transaction)
    const waiting = told(group.submit(put('a')), events)
    await turn()
    for (let ms = 10; ms < 14_900; ms += 10) t.mock.timers.tick(10)
    await turn()
    assert.deepEqual(events, [])
    for (let ms = 0; ms < 200; ms += 10) t.mock.timers.tick(10)
    await waiting
    assert.deepEqual(events, ['refused: Another program is writing to the ledger: wait a moment, then try again.'])
    busy = false
    await told(group.submit(put('b')), events)
    assert.deepEqual(events.slice(1), ['commit', 'told b'])
  })

  it('flushes what waits, at once', async () => {
    const { rows, events, transaction, put } = store()
    const group = new GroupCommit(transaction)
    const waiting = told(group.submit(put('a')), events)
    group.flush()
    assert.deepEqual(rows, ['a'])
    await waiting
    assert.deepEqual(events, ['commit', 'told a'])
  })

  it('says yes to exactly what is there, whatever fails', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const failure = fc.constantFrom<Failure>(undefined, undefined, undefined, 'busy', 'begin', 'commit')
    const job = fc.record({ bad: fc.boolean(), sameTurn: fc.boolean() })
    const law = fc.asyncProperty(fc.array(job, { maxLength: 12 }), fc.array(failure), async (jobs, failures) => {
      const { rows, transaction, put } = store((attempt) => failures[attempt])
      const group = new GroupCommit(transaction)
      const yes: string[] = []
      const done = { count: 0 }
      for (const [i, { bad, sameTurn }] of jobs.entries()) {
        const work = () => {
          put(`${i}`)()
          if (bad) throw new Error('bad')
          return `${i}`
        }
        group.submit(work).then(
          (name) => done.count++ >= 0 && yes.push(name),
          () => done.count++,
        )
        if (!sameTurn) await turn()
      }
      for (let i = 0; i <= failures.length + 1; i++) {
        await turn()
        t.mock.timers.tick(10)
      }
      assert.equal(done.count, jobs.length)
      assert.deepEqual(rows, yes)
    })
    await fc.assert(law, { numRuns: 300 })
  })
})

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { LedgerBusy } from './db-errors.ts'
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
      work(attempt)
      if (failure === 'commit') throw new Error('cannot commit')
      events.push('commit')
    } catch (error) {
      rows.splice(0, rows.length, ...before)
      events.push('rollback')
      throw error
    }
  }
  const attempt = (job: () => unknown) => {
    const before = [...rows]
    try {
      return { value: job() }
    } catch (error) {
      rows.splice(0, rows.length, ...before)
      events.push('undone')
      return { error }
    }
  }
  const put = (name: string) => () => {
    rows.push(name)
    return name
  }
  return { rows, events, transaction, put }
}

/** The outcome of a promise, recorded when it settles. */
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
    assert.deepEqual(events, ['undone', 'commit', 'told a', 'refused: bad', 'told c'])
  })

  it('does not refuse a job for what a neighbour did and could not commit', async () => {
    // The commit of both fails, and the neighbour's own; then the store works again.
    const { rows, events, transaction, put } = store((attempt) => (attempt <= 1 ? 'commit' : undefined))
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
    for (let ms = 10; ms < 14_900; ms += 2) t.mock.timers.tick(2)
    await turn()
    assert.deepEqual(events, [])
    for (let ms = 0; ms < 200; ms += 2) t.mock.timers.tick(2)
    await waiting
    assert.deepEqual(events, ['refused: Another program is writing to the ledger: wait a moment, then try again.'])
    busy = false
    await told(group.submit(put('b')), events)
    assert.deepEqual(events.slice(1), ['commit', 'told b'])
  })

  describe('work that rides along', () => {
    it('is in the commit of the next live work', async (t: TestContext) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const { rows, events, transaction, put } = store()
      const group = new GroupCommit(transaction)
      const riding = told(group.submit(put('fence'), { rides: true }), events)
      t.mock.timers.tick(2000)
      await turn()
      assert.deepEqual(rows, [])
      await Promise.all([told(group.submit(put('scan')), events), riding])
      assert.deepEqual(events, ['commit', 'told scan', 'told fence'])
      t.mock.timers.tick(10_000)
      await turn()
      assert.deepEqual(rows, ['scan', 'fence'])
    })

    it('has a commit of its own after a while without any', async (t: TestContext) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const { events, transaction, put } = store()
      const group = new GroupCommit(transaction)
      const riding = ['a', 'b'].map((name) => told(group.submit(put(name), { rides: true }), events))
      t.mock.timers.tick(2500)
      await Promise.all(riding)
      assert.deepEqual(events, ['commit', 'told a', 'told b'])
    })

    it('has none of its own while patient work waits for a live scan to be answered', async (t: TestContext) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const clock = { ms: 0 }
      const { rows, events, transaction, put } = store()
      const liveScans = { areInFlight: true, areRecent: true }
      const group = new GroupCommit(transaction, () => clock.ms, liveScans)
      const all = [
        told(group.submit(put('fence'), { rides: true }), events),
        told(group.submit(put('upload'), { patient: true }), events),
      ]
      for (let ms = 0; ms < 40; ms++) {
        clock.ms += 1
        t.mock.timers.tick(1)
        await turn()
      }
      assert.deepEqual(rows, [])
      await told(group.submit(put('scan')), events)
      assert.deepEqual(rows, ['scan', 'fence'])
      liveScans.areInFlight = false
      t.mock.timers.tick(100)
      await Promise.all(all)
      assert.deepEqual(rows, ['scan', 'fence', 'upload'])
    })

    it('does not fail the live work beside it', async () => {
      const { rows, events, transaction, put } = store()
      const group = new GroupCommit(transaction)
      const bad = (): string => {
        throw new Error('bad')
      }
      await Promise.all([told(group.submit(bad, { rides: true }), events), told(group.submit(put('scan')), events)])
      assert.deepEqual([rows, events], [['scan'], ['undone', 'commit', 'told scan', 'refused: bad']])
    })

    it('is done by a flush', async () => {
      const { rows, transaction, put } = store()
      const group = new GroupCommit(transaction)
      const riding = group.submit(put('fence'), { rides: true })
      group.flush()
      assert.deepEqual(rows, ['fence'])
      await riding
    })
  })

  describe('patient work', () => {
    /** A store on which each job takes a millisecond. */
    function slow() {
      const clock = { ms: 0 }
      const { transaction, put, ...rest } = store()
      const group = new GroupCommit(transaction, () => clock.ms)
      const job = (name: string) => () => {
        clock.ms += 1
        return put(name)()
      }
      return { ...rest, clock, group, job }
    }

    it('is done in slices, and a live job goes before what is left of it', async (t: TestContext) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const { rows, clock, group, job } = slow()
      const upload = Array.from({ length: 200 }, (_, i) => group.submit(job(`${i}`), { patient: true }))
      await turn()
      assert.deepEqual(rows, ['0', '1', '2', '3', '4', '5', '6', '7'])
      await group.submit(job('live'))
      assert.equal(rows.indexOf('live'), 8)
      while (rows.length < 201) {
        t.mock.timers.tick(50)
        clock.ms += 50
        await turn()
      }
      await Promise.all(upload)
      assert.deepEqual(
        rows.filter((row) => row !== 'live').map(Number),
        Array.from({ length: 200 }, (_, i) => i),
      )
    })

    it('goes on while live work never ends', async () => {
      const { rows, group, job } = slow()
      const patient = group.submit(job('patient'), { patient: true })
      const lives = Array.from({ length: 50 }, (_, i) => group.submit(job(`live ${i}`)))
      await Promise.all([...lives, patient])
      assert.equal(rows.at(-1), 'patient')
    })

    it('that throws does not fail what is beside it', async () => {
      const { rows, events, group, job } = slow()
      const bad = () => {
        throw new Error('bad')
      }
      await Promise.all([
        told(group.submit(bad as () => string, { patient: true }), events),
        told(group.submit(job('a'), { patient: true }), events),
      ])
      assert.deepEqual([rows, events], [['a'], ['undone', 'commit', 'refused: bad', 'told a']])
    })

    it('is refused where no transaction can begin, as on a full disk, and is not tried again for ever', async () => {
      let attempts = 0
      const { rows, events, transaction, put } = store(() => (++attempts < 100 ? 'begin' : undefined))
      const group = new GroupCommit(transaction)
      await Promise.all(['a', 'b'].map((name) => told(group.submit(put(name), { patient: true }), events)))
      assert.deepEqual([rows, events, attempts], [[], ['refused: cannot begin', 'refused: cannot begin'], 1])
    })

    it('shares no commit with live work: nobody at a gate waits for its slice', async () => {
      const { events, group, job } = slow()
      await Promise.all([
        told(group.submit(job('patient'), { patient: true }), events),
        told(group.submit(job('live')), events),
      ])
      assert.deepEqual(events, ['commit', 'told live', 'commit', 'told patient'])
    })

    it('waits while a live scan is answered, but for no longer than fifty milliseconds', async (t: TestContext) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const clock = { ms: 0 }
      const { rows, transaction, put } = store()
      const liveScans = { areInFlight: true, areRecent: true }
      const group = new GroupCommit(transaction, () => clock.ms, liveScans)
      const pass = async (ms: number) => {
        for (; ms > 0; ms--) {
          clock.ms += 1
          t.mock.timers.tick(1)
          await turn()
        }
      }
      void group.submit(put('a'), { patient: true })
      await turn()
      await pass(49)
      assert.deepEqual(rows, [])
      await pass(2)
      assert.deepEqual(rows, ['a'])
      void group.submit(put('b'), { patient: true })
      await pass(5)
      assert.deepEqual(rows, ['a'])
      liveScans.areInFlight = false
      await pass(2)
      assert.deepEqual(rows, ['a', 'b'])
    })

    it('has short slices and long pauses while people are being scanned', async (t: TestContext) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const clock = { ms: 0 }
      const { rows, transaction, put } = store()
      const group = new GroupCommit(transaction, () => clock.ms, { areInFlight: false, areRecent: true })
      const job = (name: string) => () => {
        clock.ms += 1
        return put(name)()
      }
      for (let n = 0; n < 10; n++) void group.submit(job(`${n}`), { patient: true })
      await turn()
      assert.deepEqual(rows, ['0', '1'])
      t.mock.timers.tick(3)
      await turn()
      assert.deepEqual(rows, ['0', '1'])
      clock.ms += 4
      t.mock.timers.tick(1)
      await turn()
      assert.deepEqual(rows, ['0', '1', '2', '3'])
    })

    it('is flushed with the rest, and refused with it', async (t: TestContext) => {
      const { rows, group, job } = slow()
      const all = Array.from({ length: 20 }, (_, i) => group.submit(job(`${i}`), { patient: true }))
      group.flush()
      assert.equal(rows.length, 20)
      await Promise.all(all)
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const busy = store(() => 'busy')
      const waiting = told(new GroupCommit(busy.transaction).submit(busy.put('a'), { patient: true }), busy.events)
      await turn()
      for (let ms = 0; ms < 15_100; ms += 2) t.mock.timers.tick(2)
      await waiting
      assert.match(busy.events[0] ?? '', /^refused: Another program/)
    })
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
    const how = fc.constantFrom({}, { patient: true }, { rides: true })
    const job = fc.record({ bad: fc.boolean(), sameTurn: fc.boolean(), how })
    const law = fc.asyncProperty(fc.array(job, { maxLength: 12 }), fc.array(failure), async (jobs, failures) => {
      const { rows, transaction, put } = store((attempt) => failures[attempt])
      let ms = 0
      const group = new GroupCommit(transaction, () => ms++)
      const yes: string[] = []
      const done = { count: 0 }
      for (const [i, { bad, sameTurn, how }] of jobs.entries()) {
        const work = () => {
          put(`${i}`)()
          if (bad) throw new Error('bad')
          return `${i}`
        }
        group.submit(work, how).then(
          (name) => done.count++ >= 0 && yes.push(name),
          () => done.count++,
        )
        if (!sameTurn) await turn()
      }
      t.mock.timers.tick(2500)
      for (let i = 0; i <= failures.length + 2 * jobs.length + 1; i++) {
        await turn()
        t.mock.timers.tick(10)
      }
      assert.equal(done.count, jobs.length)
      assert.deepEqual(rows, yes)
    })
    await fc.assert(law, { numRuns: 300 })
  })
})

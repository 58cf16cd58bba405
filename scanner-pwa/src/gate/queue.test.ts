import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sleep } from '@gatehouse/proto/sleep.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import type { Outcome } from '../box/answers.ts'
import { type Database, openDatabase, type QueueItem } from '../store/database.ts'
import { Queue } from './queue.ts'

function item(scanId: string, payload = scanId): QueueItem {
  const scan = { scan_id: scanId, payload } as QueueItem['scan']
  return { scan, record: { scanId } as QueueItem['record'] }
}

const TAKEN: Outcome = { outcome: 'taken', verdict: { verdict: 'ADMIT' } as Verdict }

interface Box {
  /** Everything that reached it, resends too. */
  received: string[]
  answer: (scanId: string) => Outcome
  /** Number of admissions that it answers at a time. */
  atOnce?: number
}

async function open(db: Database, box: Box, settled: string[] = []): Promise<Queue> {
  return Queue.open({
    db,
    monotonic: () => 0,
    random: () => 0,
    sleep: (_ms, signal) => sleep(0, signal),
    upload: {
      async send(items, signal) {
        await sleep(0, signal)
        const outcomes: Outcome[] = []
        for (const { scan } of items.slice(0, box.atOnce)) {
          const outcome = box.answer(scan.scan_id)
          if (outcome.outcome !== 'later') box.received.push(scan.scan_id)
          outcomes.push(outcome)
          if (outcome.outcome === 'later') break
        }
        return outcomes
      },
      settle({ scan }) {
        settled.push(scan.scan_id)
        return []
      },
    },
  })
}

let databases = 0
const newDatabase = () => openDatabase(`queue ${databases++}`)
const firsts = (ids: readonly string[]) => [...new Set(ids)]

describe('the queue', () => {
  it('sends each at least once, in the order of the gate, and forgets none, wherever the page ends', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('admit' as const) }) },
      // The page goes away so many turns after a drain has begun: before a send, within it, before or after the write.
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), turns: fc.nat(12) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('away' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('busy' as const), times: fc.nat(3) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.constantFrom(1, 2, 100), async (steps, atOnce) => {
        let db = await newDatabase()
        const { name } = db
        let refusals = 0
        let reachable = true
        const box: Box = {
          received: [],
          atOnce,
          answer: (id) => {
            if (!reachable || refusals-- > 0) return { outcome: 'later', waitMs: 1 }
            return Number(id) % 7 === 3 ? { outcome: 'refused', message: 'no' } : TAKEN
          },
        }
        const settled: string[] = []
        let queue = await open(db, box, settled)
        const admitted: string[] = []
        /** The entries that were gone from the disk when the page came back, and the number that the box had received by then. */
        const gone: { ids: Set<string>; received: number }[] = []
        for (const each of steps) {
          if (each.kind === 'admit') {
            const id = String(admitted.length)
            await queue.add(item(id), [])
            admitted.push(id)
          } else if (each.kind === 'busy') refusals = each.times
          else if (each.kind === 'away') reachable = !reachable
          else {
            void queue.drain()
            for (let i = 0; i < each.turns; i++) await sleep(0, new AbortController().signal)
            // A crash: nothing is finished but what the disk was given.
            db.close()
            await queue.close().catch(() => {})
            db = await openDatabase(name)
            const left = new Set((await db.getAll('queue')).map(({ scan }) => scan.scan_id))
            gone.push({ ids: new Set(admitted.filter((id) => !left.has(id))), received: box.received.length })
            queue = await open(db, box, settled)
          }
        }
        reachable = true
        refusals = 0
        await queue.drain()
        assert.equal(queue.unsent.value, 0)
        assert.deepEqual(firsts(box.received), admitted)
        assert.deepEqual(firsts(settled), admitted)
        // A resend is of those that were under way, never of one that had been taken off.
        for (const { ids, received } of gone) assert.ok(box.received.slice(received).every((id) => !ids.has(id)))
        assert.equal((await db.getAll('queue')).length, 0)
        db.close()
      }),
      { numRuns: 60 },
    )
  })

  it('waits where the box says later, and goes on past what it will never take', async () => {
    const db = await newDatabase()
    const settled: string[] = []
    let tries = 0
    const box: Box = {
      received: [],
      answer: (id) =>
        id === 'b' ? { outcome: 'refused', message: 'no' } : tries++ === 0 ? { outcome: 'later' } : TAKEN,
    }
    const queue = await open(db, box, settled)
    for (const id of ['a', 'b', 'c']) await queue.add(item(id), [])
    await queue.drain()
    assert.deepEqual([box.received, settled, queue.unsent.value], [['a', 'b', 'c'], ['a', 'b', 'c'], 0])
  })

  it('tells of nobody out of turn: what follows one that is not settled is sent again', async () => {
    const db = await newDatabase()
    const settled: string[] = []
    const sent: string[][] = []
    const answers: Outcome[][] = [[TAKEN, { outcome: 'later' }, TAKEN], [], [TAKEN, TAKEN]]
    const queue = await Queue.open({
      db,
      monotonic: () => 0,
      random: () => 0,
      sleep: (_ms, signal) => sleep(0, signal),
      upload: {
        async send(items) {
          sent.push(items.map(({ scan }) => scan.scan_id))
          return answers.shift() ?? assert.fail()
        },
        settle({ scan }) {
          settled.push(scan.scan_id)
          return []
        },
      },
    })
    for (const id of ['a', 'b', 'c']) await queue.add(item(id), [])
    await queue.drain()
    assert.deepEqual(sent, [
      ['a', 'b', 'c'],
      ['b', 'c'],
      ['b', 'c'],
    ])
    assert.deepEqual([settled, queue.unsent.value], [['a', 'b', 'c'], 0])
  })

  it('keeps what waits for its ticket, in its order, and goes on with everything else', async () => {
    const db = await newDatabase()
    let now = 0
    let mayTakeAt = 5_000
    const taken: [string, number][] = []
    const sent: string[][] = []
    const queue = await Queue.open({
      db,
      monotonic: () => now,
      random: () => 0,
      sleep: async (ms, signal) => {
        await sleep(0, signal)
        now += ms
      },
      upload: {
        // The box takes one passage of the busy ticket every 5 seconds.
        async send(items) {
          sent.push(items.map(({ scan }) => scan.scan_id))
          return items.map(({ scan }) => {
            if (scan.payload !== 'BUSY') return TAKEN
            if (now < mayTakeAt) return { outcome: 'waits', waitMs: mayTakeAt - now }
            mayTakeAt = now + 5_000
            return TAKEN
          })
        },
        settle({ scan }) {
          taken.push([scan.scan_id, now])
          return []
        },
      },
    })
    const ids = Array.from({ length: 250 }, (_, n) => (n % 100 === 0 ? `busy ${n}` : `${n}`))
    for (const id of ids) await queue.add(item(id, id.startsWith('busy') ? 'BUSY' : id), [])
    await queue.drain()
    assert.equal(queue.unsent.value, 0)
    const others = ids.filter((id) => !id.startsWith('busy'))
    assert.deepEqual(
      taken.slice(0, others.length),
      others.map((id) => [id, 0]),
    )
    assert.deepEqual(taken.slice(others.length), [
      ['busy 0', 5_000],
      ['busy 100', 10_000],
      ['busy 200', 15_000],
    ])
    assert.equal((await db.getAll('queue')).length, 0)
    // A scan whose box was busy is sent again at the time that the box named, and not with every upload meanwhile.
    assert.deepEqual(
      sent.map((each) => each.filter((id) => id.startsWith('busy')).length),
      [1, 0, 0, 1, 1, 1, 1, 1],
    )
  })

  it('keeps everything when the device is no longer the box’s', async () => {
    const db = await newDatabase()
    const queue = await open(db, { received: [], answer: () => ({ outcome: 'ended' }) })
    await queue.add(item('a'), [])
    await queue.drain()
    assert.equal(queue.unsent.value, 1)
    assert.equal((await db.getAll('queue')).length, 1)
  })

  it('has nobody who could not be written down', async () => {
    const db = await newDatabase()
    const queue = await open(db, { received: [], answer: () => TAKEN })
    db.close()
    await assert.rejects(queue.add(item('a'), []))
    assert.equal(queue.unsent.value, 0)
  })
})

import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import { type Database, openDatabase, type QueueItem } from './database.ts'
import { sleep } from './deps.ts'
import { type Outcome, Queue } from './queue.ts'

function item(scanId: string): QueueItem {
  const scan = { scan_id: scanId } as QueueItem['scan']
  return { scan, record: { scanId } as QueueItem['record'] }
}

const TAKEN: Outcome = { outcome: 'taken', verdict: { verdict: 'ADMIT' } as Verdict }

interface Box {
  /** Everything that reached it, resends too. */
  heard: string[]
  answer: (scanId: string) => Outcome
}

async function open(db: Database, box: Box, settled: string[] = []): Promise<Queue> {
  return Queue.open({
    db,
    random: () => 0,
    sleep: (_ms, signal) => sleep(0, signal),
    async send({ scan }, signal) {
      await sleep(0, signal)
      const outcome = box.answer(scan.scan_id)
      if (outcome.outcome !== 'later') box.heard.push(scan.scan_id)
      return outcome
    },
    settle({ scan }) {
      settled.push(scan.scan_id)
      return []
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
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        let db = await newDatabase()
        const { name } = db
        let refusals = 0
        let reachable = true
        const box: Box = {
          heard: [],
          answer: () => (!reachable || refusals-- > 0 ? { outcome: 'later', waitMs: 1 } : TAKEN),
        }
        let queue = await open(db, box)
        const admitted: string[] = []
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
            queue = await open(db, box)
          }
        }
        reachable = true
        refusals = 0
        await queue.drain()
        assert.equal(queue.unsent.value, 0)
        assert.deepEqual(firsts(box.heard), admitted)
        // A resend is of the one that was under way, never of an older one.
        const positions = box.heard.map(Number)
        assert.ok(positions.every((id, i) => i === 0 || id >= (positions[i - 1] ?? 0)))
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
      heard: [],
      answer: (id) =>
        id === 'b' ? { outcome: 'refused', message: 'no' } : tries++ === 0 ? { outcome: 'later' } : TAKEN,
    }
    const queue = await open(db, box, settled)
    for (const id of ['a', 'b', 'c']) await queue.add(item(id), [])
    await queue.drain()
    assert.deepEqual([box.heard, settled, queue.unsent.value], [['a', 'b', 'c'], ['a', 'b', 'c'], 0])
  })

  it('keeps everything when the device is no longer the box’s', async () => {
    const db = await newDatabase()
    const queue = await open(db, { heard: [], answer: () => ({ outcome: 'ended' }) })
    await queue.add(item('a'), [])
    await queue.drain()
    assert.equal(queue.unsent.value, 1)
    assert.equal((await db.getAll('queue')).length, 1)
  })

  it('has nobody who could not be written down', async () => {
    const db = await newDatabase()
    const queue = await open(db, { heard: [], answer: () => TAKEN })
    db.close()
    await assert.rejects(queue.add(item('a'), []))
    assert.equal(queue.unsent.value, 0)
  })
})

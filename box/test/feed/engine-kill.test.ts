/** A change feed that is killed: its receiver, which drops duplicates, has every event in the end. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../world/until.ts'
import { startReceiver } from './grpc-receiver.ts'
import { logOf } from './process.ts'
import { EngineProcess } from './process-run.ts'
import { EngineFolder } from './running.ts'

const KILLS = process.env.GATEHOUSE_TEST_LONG ? 100 : 6

describe('kill -9', () => {
  it('after the receiver has committed a batch, and before it says so: the batch comes again (fault 1)', async () => {
    using folder = new EngineFolder()
    const sizes = [30, 50, 200, 20]
    const calls: string[][] = []
    let killing: Promise<void> | undefined
    let feed: EngineProcess | undefined
    await using receiver = await startReceiver(async (events) => {
      calls.push(events.map(({ id }) => id))
      if (calls.length !== 3) return { ok: true }
      killing = feed?.kill()
      await killing
      return { ok: true }
    })
    feed = new EngineProcess(folder, receiver.address, sizes)
    await feed.exited
    await killing
    const before = calls.length
    await new EngineProcess(folder, receiver.address, sizes).end()
    const expected = logOf(sizes).flatMap(({ events }) => events.map(({ id }) => id))
    assert.deepEqual([...new Set(calls.flat())], expected)
    const again = calls.slice(before).flat()
    assert.ok(
      calls[2]?.every((id) => again.includes(id)),
      'the same ids again',
    )
  })

  it('in the middle of a transaction of 10,000 rows, again and again (fault 2)', async () => {
    using folder = new EngineFolder()
    const sizes = [5, 10_000, 300]
    const expected = logOf(sizes).flatMap(({ events }) => events.map(({ id }) => id))
    const known = new Set<string>()
    let received = 0
    await using receiver = await startReceiver(async (events) => {
      received += events.length
      for (const { id } of events) known.add(id)
      // Slow enough to be killed in time.
      await sleep(2)
      return { ok: true }
    })
    let killed = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      const feed = new EngineProcess(folder, receiver.address, sizes)
      const from = received
      const more = 1 + ((kill * 7919) % Math.ceil((expected.length / KILLS) * 0.8))
      await Promise.race([until(() => received > from + more), feed.exited])
      if (feed.child.exitCode === null) killed++
      await feed.kill()
    }
    assert.ok(killed > 0)
    await new EngineProcess(folder, receiver.address, sizes).end()
    assert.deepEqual([...known], expected, 'each once after dedupe, in order')
  })
})

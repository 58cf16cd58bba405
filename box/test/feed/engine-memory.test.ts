/** A slow receiver and a large backlog: the source is paused, and memory stays bounded. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../world/until.ts'
import { startReceiver } from './grpc-receiver.ts'
import { EngineProcess } from './process-run.ts'
import { EngineFolder } from './running.ts'

const BATCHES = process.env.GATEHOUSE_TEST_LONG ? 1500 : 25
/** 10,000 transactions of 100 rows. */
const MILLION = Array.from({ length: 10_000 }, () => 100)

/** The queue's 10,000 events among them, which is the larger part of it for large rows. */
const LIMITS = [
  [200, 300e6],
  [4000, 450e6],
] as const

for (const [rowBytes, limit] of LIMITS) {
  it(`memory stays bounded with a receiver of 500 rows a second and a million rows of ${rowBytes} bytes (fault 6)`, async (t: TestContext) => {
    if (!existsSync('/proc/self/status')) return t.skip('there is no /proc to read memory from')
    using folder = new EngineFolder()
    let batches = 0
    let events = 0
    await using receiver = await startReceiver(async (batch) => {
      await sleep(200)
      batches++
      events += batch.length
      return { ok: true }
    })
    await using feed = new EngineProcess(folder, receiver.address, MILLION, rowBytes)
    while (batches < BATCHES) {
      const before = batches
      await until(() => batches > before)
    }
    assert.ok(feed.highestMemory < limit, `${feed.highestMemory / 1e6} MB`)
    assert.ok(events <= 100 * batches)
    t.diagnostic(`${Math.round(feed.highestMemory / 1e6)} MB after ${events} events`)
  })
}

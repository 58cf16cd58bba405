import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { compare, format, type Timestamp } from '@gatehouse/proto/hlc.ts'
import { sql } from '../drizzle/core.ts'
import { openLedger } from '../ledger/open.ts'
import { ClockFence } from './fence.ts'

const START = 1_800_000_000_000
const HOUR_MS = 3_600_000

describe('clock fence', () => {
  let folder: string
  let wall: number
  let last: Timestamp
  beforeEach((t) => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-fence-'))
    wall = START
    last = { ms: 0, count: 0 }
    const test = t as TestContext
    test.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
    test.after(() => rmSync(folder, { recursive: true, force: true }))
  })

  /** A box's clock for one life; every reading is checked against every one of all lives before. */
  function boot() {
    const { ledger, clock } = openLedger({ dataDir: folder, eventId: 'test-fair', wallClock: () => wall })
    const fence = new ClockFence(ledger, clock)
    const quality = () => fence.timeQuality()
    return {
      ledger,
      clock,
      quality,
      read() {
        const reading = clock.now()
        assert.ok(compare(reading, last) > 0, `${format(reading)} is after ${format(last)}`)
        last = reading
        return reading
      },
      stop() {
        fence[Symbol.dispose]()
        ledger[Symbol.dispose]()
      },
      /** As SIGKILL or a power cut would have it. */
      crash() {
        ledger.db.drizzle.run(sql`PRAGMA query_only = ON`)
        fence[Symbol.dispose]()
        ledger[Symbol.dispose]()
      },
    }
  }

  type Life = ReturnType<typeof boot>

  async function live(t: TestContext, box: Life, seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      wall += 1_000
      t.mock.timers.tick(1_000)
      await turn()
      box.read()
    }
  }

  for (const end of ['stop', 'crash'] as const) {
    it(`keeps readings growing after a ${end} with the wall clock an hour back, and says so until it is right`, async (t: TestContext) => {
      const first = boot()
      assert.equal(first.quality(), 'synced')
      await live(t, first, 63)
      first[end]()

      wall -= HOUR_MS
      const second = boot()
      assert.equal(second.quality(), 'unsynced')
      const entry = second.ledger.read(0, 10).find(({ kind }) => kind === 'clock_fence')
      assert.equal(JSON.parse(entry?.bytes.toString() ?? '{}').wall, new Date(wall).toISOString())
      await live(t, second, 30)
      assert.equal(second.quality(), 'unsynced')

      wall += HOUR_MS
      assert.equal(second.quality(), 'synced')
      second.read()
      second[end]()
      const third = boot()
      assert.equal(third.quality(), 'synced')
      third.read()
      third.stop()
    })

    it(`notices a wall clock that goes back while it runs, also after a ${end}`, async (t: TestContext) => {
      const first = boot()
      await live(t, first, 2 * 3600)
      wall -= HOUR_MS
      assert.equal(first.quality(), 'unsynced')
      first.read()
      first[end]()
      const second = boot()
      assert.equal(second.quality(), 'unsynced')
      second.read()
      second.stop()
    })

    it(`trusts a wall clock that is right after each ${end}, and stays near it`, () => {
      for (let life = 0; life < 30; life++) {
        const box = boot()
        assert.equal(box.quality(), 'synced')
        const ahead = box.read().ms - wall
        assert.ok(ahead <= 10_100, `${ahead} ms ahead of the wall clock after ${life} lives`)
        wall += 50
        box[end]()
      }
    })

    it(`does not distrust its own clock after a ${end} for a device whose clock is ahead`, () => {
      const first = boot()
      assert.equal(first.clock.receive(format({ ms: wall + 50_000, count: 7 })).merged, true)
      first.ledger.transact(() => first.ledger.append('restart', { actor: 'test', address: '::1' }))
      first.read()
      first[end]()
      wall += 1_000
      const second = boot()
      assert.equal(second.quality(), 'synced')
      second.ledger.transact(() => second.ledger.append('restart', { actor: 'test', address: '::1' }))
      const [before, after] = second.ledger.read(0, 2)
      assert.ok((before?.hlc ?? '') < (after?.hlc ?? ''))
      second.stop()
    })
  }

  it('starts an orderly life where the wall clock is', () => {
    const first = boot()
    first.read()
    first.stop()
    wall += 2_000
    const second = boot()
    assert.equal(second.read().ms, wall)
    second.stop()
  })

  it('starts where the wall clock is, also where a fence was about to be written at the end', async (t: TestContext) => {
    const first = boot()
    await live(t, first, 6)
    first.stop()
    wall += 2_000
    const second = boot()
    assert.equal(second.read().ms, wall)
    second.stop()
  })

  it('takes no notice of a step back that a rotating code would not', () => {
    const first = boot()
    first.read()
    first.stop()
    wall -= 14_000
    const second = boot()
    assert.equal(second.quality(), 'synced')
    second.read()
    assert.equal(second.ledger.size, 0)
    second.stop()
  })

  it('outlives a disk that cannot be written, and goes up when it can again', async (t: TestContext) => {
    const first = boot()
    const readOnly = (on: boolean) => first.ledger.db.drizzle.run(sql.raw(`PRAGMA query_only = ${on ? 'ON' : 'OFF'}`))
    readOnly(true)
    await live(t, first, 60)
    readOnly(false)
    await live(t, first, 10)
    first.crash()
    wall -= HOUR_MS
    const second = boot()
    second.read()
    assert.equal(second.quality(), 'unsynced')
    second.crash()
  })
})

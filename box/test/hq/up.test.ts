/** Events at the gates arrive at HQ: real boxes, real feeds, a real HQ, a real PostgreSQL. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Sqlite from 'better-sqlite3'
import { until } from '../world/until.ts'
import { codes, HqBox, HqWorld, rowsOf } from './world.ts'

describe('a box and HQ', () => {
  it('sends what was there before HQ, and every later admission, as rows', async () => {
    await using world = await HqWorld.start()
    const all = codes(5)
    await using box = await HqBox.open(world, 'Gate North', { tickets: rowsOf(all) })
    assert.equal(await box.scan(all[0] ?? ''), 'ADMIT')
    assert.equal(await box.scan(all[0] ?? ''), 'ALREADY_USED')
    await until(async () => (await world.count('SELECT count(*) FROM gatehouse.movements')) === 1)
    await box.arrived()
    assert.equal(await world.count('SELECT count(*) FROM gatehouse.tickets'), 5)
    const [movement] = await world.query('SELECT * FROM gatehouse.passages')
    assert.equal(movement?.to_zone, 'arena')
    assert.equal(movement?.event, 'test-fair')
    assert.match(String(movement?.shared_ref), /^[0-9a-f]{32}$/)
    assert.deepEqual(await world.query('SELECT zone, people::int FROM gatehouse.inside_by_zone'), [
      { zone: 'arena', people: 1 },
    ])
    assert.deepEqual(await world.alarms(), [])

    // A seal, held against the tree that HQ has grown by itself.
    await box.stop()
    await box.start()
    await box.arrived()
    const status = await world.status()
    const [there] = status.boxes
    assert.equal(there?.connected, true)
    assert.equal(there?.name, 'Gate North')
    const [life] = there?.histories ?? []
    assert.ok((life?.seals.good ?? 0) >= 1, JSON.stringify(status))
    assert.deepEqual([life?.seals.bad, life?.seals.unchecked], [0, 0])
    assert.equal(life?.entries, await world.count('SELECT count(*) FROM gatehouse.journal'))
    assert.deepEqual(status.alarms, [])
    const { up } = await box.links()
    assert.equal(up.peer, world.address)
    assert.deepEqual([up.last_error, up.retained_events], [null, 0])
    assert.equal((await world.stop())?.code, 0)
  })
})

/** Compares a table of the ledger with HQ's copy, by a column with distinct values. */
async function sameRows(world: HqWorld, box: HqBox, table: 'journal' | 'movements' | 'tickets', column: string) {
  const db = new Sqlite(join(box.folder.dataDir, 'ledger.db'), { readonly: true })
  const own = db.prepare(`SELECT CAST(${column} AS TEXT) FROM ${table} ORDER BY ${column}`).pluck().all()
  const id = db.prepare(`SELECT CAST(value AS TEXT) FROM identity WHERE name = 'box_id'`).pluck().get()
  db.close()
  const there = await world.query<{ v: string }>(
    `SELECT ${column}::text AS v FROM gatehouse.${table} WHERE box = $1 ORDER BY ${column} ${column === 'scan_id' ? 'COLLATE "C"' : ''}`,
    [id],
  )
  assert.deepEqual(
    there.map(({ v }) => v),
    own,
  )
  return own.length
}

describe('when something is killed', () => {
  it('every scan arrives once and in order when HQ, the box, its feed or all of them are killed', async () => {
    await using world = await HqWorld.start(15)
    const all = codes(240)
    await using box = await HqBox.open(world, 'Gate North', { tickets: rowsOf(all) })
    // Entries from before HQ are sent between those of now, and so out of order: here, before them.
    await box.process.said(/"event":"feed_snapshot_told"/)
    let next = 0
    /** Scans on while `trouble` happens; one that got no answer is sent again, with its own id, as a scanner does. */
    const scanWhile = async (trouble: () => Promise<void>) => {
      const end = next + 40
      const happening = trouble()
      for (; next < end; next++) {
        const scan = { scan_id: crypto.randomUUID() }
        await until(async () => {
          const verdict = await box.scan(all[next] ?? '', scan).catch((error: Error) => error.message)
          return verdict === 'ADMIT'
        })
      }
      await happening
    }
    const killHq = async () => {
      await world.kill()
      await world.launch()
    }
    const killBox = async () => {
      await box.kill()
      await box.start()
    }
    await scanWhile(async () => {})
    await scanWhile(killHq)
    await scanWhile(killBox)
    await scanWhile(async () => void (await Promise.all([killBox(), killHq()])))
    await world.kill()
    await scanWhile(async () => {})
    await scanWhile(killBox)
    await world.launch()
    await box.arrived()
    assert.equal(next, all.length)
    assert.equal(await sameRows(world, box, 'movements', 'scan_id'), all.length)
    await sameRows(world, box, 'journal', 'idx')
    await sameRows(world, box, 'tickets', 'ref')
    // Once: all of them happened after what was there before HQ had been told.
    const told = (table: string) =>
      world.query<{ idx: string }>(
        `SELECT after->>'idx' AS idx FROM gatehouse.events WHERE table_name = $1 AND op = 'insert' ORDER BY history, sequence, index`,
        [table],
      )
    assert.equal((await told('movements')).length, all.length)
    // In order: as they are stored, so they were committed. What was there before is told once more, behind its first time.
    const firstTimes = [...new Set((await told('journal')).map(({ idx }) => Number(idx)))]
    assert.deepEqual(
      firstTimes,
      firstTimes.toSorted((x, y) => x - y),
    )
    assert.deepEqual(await world.alarms(), [])
  })
})

describe('three boxes', () => {
  it('report to HQ who is inside, and a ticket that two of them admitted is a row within a second', async () => {
    await using world = await HqWorld.start()
    const [shared = '', other = '', third = ''] = codes(3)
    const tickets = [...rowsOf([shared, other]), ...rowsOf([third], 'reentry')]
    await using north = await HqBox.open(world, 'North', { tickets })
    await using south = await HqBox.open(world, 'South', { tickets })
    await using west = await HqBox.open(world, 'West', { tickets })
    const offline = { offline_admitted: true }
    assert.equal(await north.scan(shared, offline), 'ADMIT')
    assert.equal(await west.scan(other), 'ADMIT')
    // In, out, and in again at another gate, by the ticket's own right.
    assert.equal(await north.scan(third), 'ADMIT')
    assert.equal(await north.scan(third, { checkpoint: 'a-out' }), 'EXIT')
    assert.equal(await west.scan(third), 'ADMIT')
    await Promise.all([north, south, west].map((box) => box.arrived()))
    assert.equal(await world.count('SELECT count(*) FROM gatehouse.double_use_between_boxes'), 0)

    assert.equal(await south.scan(shared, offline), 'ADMIT')
    const scanned = performance.now()
    await until(async () => (await world.count('SELECT count(*) FROM gatehouse.double_use_between_boxes')) === 1)
    console.log(
      `# a double use between boxes was a row ${Math.round(performance.now() - scanned)} ms after the verdict`,
    )
    const [row] = await world.query(
      `SELECT n.name AS first, s.name AS second, zone, tier, first_provisional, second_provisional FROM gatehouse.double_use_between_boxes
       JOIN gatehouse.boxes AS n ON n.box = first_box JOIN gatehouse.boxes AS s ON s.box = second_box`,
    )
    assert.deepEqual(row, {
      first: 'North',
      second: 'South',
      zone: 'arena',
      tier: 'once',
      first_provisional: true,
      second_provisional: true,
    })
    // Three tickets are inside, and none is counted at two boxes.
    assert.deepEqual(await world.query('SELECT zone, people::int FROM gatehouse.inside_by_zone'), [
      { zone: 'arena', people: 3 },
    ])
    // Inside at North, and then at South, without having been seen to leave.
    assert.equal(await south.scan(third), 'ADMIT')
    await until(async () => (await world.count('SELECT count(*) FROM gatehouse.double_use_between_boxes')) === 2)
    const refs = await world.query('SELECT DISTINCT ref FROM gatehouse.tickets')
    assert.equal(refs.length, 9, 'each box names its tickets for itself')
  })
})

describe('a ledger that was put back from a backup', () => {
  it('is another history: HQ keeps both apart, and says where they diverge', async () => {
    await using world = await HqWorld.start()
    const all = codes(6)
    await using box = await HqBox.open(world, 'Gate North', { tickets: rowsOf(all) })
    const [a = '', b = '', c = '', d = ''] = all
    assert.equal(await box.scan(a), 'ADMIT')
    await box.arrived()
    await box.stop()
    const data = box.folder.dataDir
    const backup = join(box.folder.path, 'backup')
    mkdirSync(backup)
    const ledger = () => readdirSync(data).filter((name) => name.startsWith('ledger.db'))
    for (const name of ledger()) cpSync(join(data, name), join(backup, name))

    await box.start()
    assert.equal(await box.scan(b), 'ADMIT')
    assert.equal(await box.scan(c), 'ADMIT')
    await box.arrived()
    assert.equal(await world.count('SELECT count(*) FROM gatehouse.movements'), 3)
    await box.stop()
    for (const name of ledger()) rmSync(join(data, name))
    for (const name of readdirSync(backup)) cpSync(join(backup, name), join(data, name))
    await box.start()
    assert.equal(await box.scan(d), 'ADMIT')
    await box.arrived()
    await until(async () => (await world.alarms()).includes('histories_parted'))
    // The views show what the box knows now; the rest is not lost.
    await until(async () => (await world.count('SELECT count(*) FROM gatehouse.movements')) === 2)
    await box.arrived()
    await sameRows(world, box, 'journal', 'idx')
    await sameRows(world, box, 'movements', 'scan_id')
    await sameRows(world, box, 'tickets', 'ref')
    assert.equal(await world.count('SELECT count(DISTINCT scan_id) FROM gatehouse.movements_all'), 4)
    const { boxes, alarms } = await world.status()
    assert.ok((boxes[0]?.histories.length ?? 0) >= 2)
    assert.ok(alarms.some(({ kind }) => kind === 'new_history'))
    assert.match(world.log, /"event":"hq_alarm","alarm":"histories_parted"/)
    assert.deepEqual(
      boxes[0]?.histories.map(({ seals }) => seals.bad),
      boxes[0]?.histories.map(() => 0),
    )
  })
})

describe('HQ that is away for long', () => {
  // GATEHOUSE_TEST_LONG=1: an evening.
  const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
  const scans = LONG ? 100_000 : 300
  /** Up and down in turns, so that other load of the machine slows both alike. */
  const TURNS = LONG ? 4 : 2
  const aTurn = Math.min(2000, scans / TURNS)

  it(`gets ${scans} scans when it is back, and gates were not slowed`, async (t) => {
    await using world = await HqWorld.start()
    const all = codes(scans + 2 * TURNS * aTurn)
    await using box = await HqBox.open(world, 'Gate North', { tickets: rowsOf(all) })
    const queue = [...all]
    const took = { up: [] as number[], down: [] as number[] }
    const scan = async (into: number[], many: number) => {
      const turn = queue.splice(0, many)
      const lane = async () => {
        for (let code = turn.pop(); code; code = turn.pop()) {
          const since = performance.now()
          assert.equal(await box.scan(code), 'ADMIT')
          into.push(performance.now() - since)
        }
      }
      await Promise.all(Array.from({ length: 8 }, lane))
    }
    /** p50 and p99, milliseconds. */
    const summary = (times: number[]) => {
      times.sort((x, y) => x - y)
      return [0.5, 0.99].map((p) => (times[Math.floor(times.length * p)] ?? 0).toFixed(1)).join(' and ')
    }
    for (let turn = 0; turn < TURNS; turn++) {
      if (turn > 0) await world.launch()
      await box.arrived(30)
      await scan(took.up, aTurn)
      await world.kill()
      await scan(took.down, aTurn)
    }
    const turns = `HQ up ${summary(took.up)}, down ${summary(took.down)}, ${TURNS} turns of ${aTurn} scans each`
    // From here on it is away for all of them.
    await world.launch()
    await box.arrived(30)
    await world.kill()
    const rest: number[] = []
    await scan(rest, queue.length)
    const { up: link } = await box.links()
    assert.equal(link.connected, false)
    const since = performance.now()
    await world.launch()
    await box.arrived(30)
    const seconds = (performance.now() - since) / 1000
    t.diagnostic(`scans, p50 and p99 in ms: ${turns}; then ${rest.length} without HQ ${summary(rest)}`)
    t.diagnostic(
      `${link.retained_events} events caught up in ${seconds.toFixed(1)} s; load average ${loadavg()[0]?.toFixed(1)}`,
    )
    assert.equal(await sameRows(world, box, 'movements', 'scan_id'), all.length)
    await sameRows(world, box, 'journal', 'idx')
    assert.deepEqual(await world.alarms(), [])
  })
})

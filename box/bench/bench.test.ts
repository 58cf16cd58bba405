import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { natsServer } from '../test/world/nats-server.ts'
import { stepThrough } from './crowd.ts'
import { latencyOf, median, quantile } from './figures.ts'
import { framesIn } from './frames.ts'
import { type CpuProfile, sharesOf } from './profile.ts'
import { isKept, type Row, table } from './row.ts'

const run = promisify(execFile)
const MAIN = join(import.meta.dirname, 'main.ts')
const LONG = process.env.GATEHOUSE_TEST_LONG === '1'

describe('figures', () => {
  it('takes the smallest value that so many do not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)
    assert.deepEqual(latencyOf(hundred), { p50: 50, p99: 99, max: 100 })
    assert.equal(quantile([7], 0.99), 7)
    assert.equal(median([3, 1, 2]), 2)
    assert.ok(Number.isNaN(median([])))
  })
})

describe('the order of a crowd', () => {
  it('meets each ticket once, and none beside the one before it', () => {
    for (const count of [1, 2, 9, 450, 18_000, 90_000]) {
      const step = stepThrough(count)
      const met = new Set(Array.from({ length: count }, (_, i) => (i * step) % count))
      assert.equal(met.size, count)
      if (count > 100) assert.ok(Math.min(step, count - step) > count / 4, `${step} of ${count}`)
    }
  })
})

describe('the frames of a write-ahead log', () => {
  it('are those since it began anew, with the page of each and the end of each commit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'frames-'))
    const path = join(folder, 'x.db')
    const db = new Sqlite(path)
    after(() => {
      db.close()
      rmSync(folder, { recursive: true })
    })
    db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE a (x); CREATE TABLE b (x)')
    db.exec('INSERT INTO a VALUES (randomblob(9000))')
    db.exec('PRAGMA wal_checkpoint(RESTART)')
    const [a, b] = ['a', 'b'].map((name) =>
      db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(name),
    )
    for (const sql of ['INSERT INTO b VALUES (1)', 'BEGIN; UPDATE a SET x = 1; INSERT INTO b VALUES (2); COMMIT'])
      db.exec(sql)
    const frames = framesIn(readFileSync(`${path}-wal`))
    assert.deepEqual(frames[0], { page: b, isCommit: true })
    assert.deepEqual(
      frames
        .slice(1)
        .map(({ isCommit }) => isCommit)
        .indexOf(true),
      frames.length - 2,
    )
    assert.ok([a, b].every((page) => frames.slice(1).some((frame) => frame.page === page)))
    assert.deepEqual(framesIn(Buffer.alloc(0)), [])
  })
})

describe('a row', () => {
  const row: Row = {
    id: 'x',
    what: 'scans',
    ...{ value: 10, limit: 20, unit: '/s', budget: { ratio: 'at least', of: 0.5 } },
    note: 'limit: echo',
    details: {},
  }

  it('is kept at its budget, and missed beyond it', () => {
    assert.equal(isKept(row), true)
    assert.equal(isKept({ ...row, value: 9 }), false)
    assert.equal(isKept({ ...row, budget: { ratio: 'at most', of: 0.5 } }), true)
    assert.equal(isKept({ ...row, budget: { ratio: 'at most', of: 0.4 } }), false)
    assert.equal(isKept({ ...row, budget: null }), null)
    assert.equal(isKept({ ...row, value: Number.NaN }), false)
  })

  it('says so', () => {
    const [, kept, missed] = table([row, { ...row, value: 9 }]).split('\n')
    assert.match(kept ?? '', /^scans +10\.0 \/s +20\.0 \/s +0\.50 +at least 0\.50 +ok +limit: echo$/)
    assert.match(missed ?? '', /MISSED/)
  })
})

describe('a profile', () => {
  const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber })
  const profile: CpuProfile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 3, 5] },
      { id: 2, callFrame: frame('(idle)') },
      { id: 3, callFrame: frame('transaction', 'file:///home/x/box/src/ledger/db.ts', 41), children: [4] },
      { id: 4, callFrame: frame('run') },
      { id: 5, callFrame: frame('(garbage collector)') },
    ],
    samples: [3, 2, 4, 5, 3],
    timeDeltas: [1_000_000, 500, 300, 100, 100],
  }

  it('counts native code as its caller, and neither what was idle nor what came before', () => {
    const { areas, functions } = sharesOf(profile, 1.0001)
    assert.deepEqual(areas, [
      { what: 'commit: log written and synced, copied back', share: 0.8 },
      { what: 'garbage collection', share: 0.2 },
    ])
    assert.equal(functions[0]?.what, 'transaction box/src/ledger/db.ts:42')
  })
})

describe('npm run bench', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('exits 2 when it cannot measure', async () => {
    await assert.rejects(run(process.execPath, [MAIN, '--only', 'nothing']), { code: 2 })
    await assert.rejects(run(process.execPath, [MAIN, '--tickets', 'many']), { code: 2 })
  })

  it('measures every row and writes it down', { skip: LONG ? false : 'npm run test:long' }, async () => {
    const json = join(folder, 'bench.json')
    const sizes = ['--tickets', '40000', '--seconds', '0.2', '--rounds', '1']
    const { whyNot } = await natsServer()
    const { stdout } = await run(process.execPath, [MAIN, ...sizes, '--json', json])
    const { machine, rows } = JSON.parse(readFileSync(json, 'utf8')) as { machine: { cpu: string }; rows: Row[] }
    assert.ok(machine.cpu)
    assert.deepEqual(
      rows.map(({ id }) => id).filter((id) => id !== 'tickets-memory' && !id.startsWith('slow-')),
      [
        ...['scan-rate', 'scan-rate-p99', 'scan-rate-rotating', 'lane-latency', 'other-gates', 'dashboards-p99'],
        ...['tickets-p99', 'statistics', 'restart'],
        ...['scan-bytes-alone', 'scan-processor-alone', 'scan-calls-alone', 'scan-syncs-alone'],
        ...['scan-bytes-busy', 'scan-processor-busy', 'scan-calls-busy', 'scan-syncs-busy'],
        ...['crowd-claims', 'crowd-nested', 'crowd-topology', 'crowd-openapi', 'crowd-setup-page', 'crowd-uploads'],
        ...['crowd-repeats', 'crowd-backups', 'crowd-exports', 'crowd-queue', 'crowd-queue-flooded'],
        ...['bulk-nothing', 'bulk-import-alone', 'bulk-import-admin', 'bulk-import-command', 'bulk-manifest'],
        ...['bulk-manifests', 'desk-look-up', 'desk-scan', 'pretixscan'],
        ...['seal', 'inclusion-proof', 'attendance', 'verify', 'staff-processor', 'staff-p99'],
        ...[1, 100, 10_000].flatMap((size) => [`feed-drain-${size}`, `feed-processor-${size}`]),
        ...['feed-latency', 'feed-memory-transaction', 'feed-memory-slow', 'feed-sqlite', 'feed-scans'],
        ...(whyNot ? [] : ['mesh-lane-latency', 'mesh-replay']),
      ],
    )
    for (const { id, value, limit } of rows) assert.ok(value > 0 && limit > 0, id)
    for (const { what } of rows) assert.ok(stdout.includes(what))
  })
})

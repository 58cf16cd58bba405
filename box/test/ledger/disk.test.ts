/**
 * A disk that is full, read-only or failing: scans are refused with `ledger_unavailable` and leave nothing behind, the
 * rest of the box goes on, and scans are answered again when the disk can be written again.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import type { Environment } from '../../src/config.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { sql } from '../../src/drizzle/core.ts'
import { FOLD_MS } from '../../src/ledger/transactions.ts'
import type { TestDevice } from '../world/device.ts'
import { BoxFolder, BoxProcess, type Ports } from '../world/process-box.ts'
import { scanOf } from '../world/scan-of.ts'
import { World } from '../world/world.ts'
import { audit } from './crash-audit.ts'

const TICKETS = Array.from({ length: 400 }, (_, i) => `disk-${i},once,,,,,,valid`)
const FAST = { GATEHOUSE_SCANS_PER_SECOND: '1000000', GATEHOUSE_SCAN_BURST: '1000000' }

/** A fold, and the time of a slow machine. */
const MOST_ADMITTING_MS = 3_000

/** Repeatable scans, at a box in this process or another. */
class Gate {
  readonly #client: GatehouseClient
  readonly sent: ScanRequest[] = []
  #next = 0

  constructor(client: GatehouseClient) {
    this.#client = client
  }

  /** Scans a ticket that was not scanned yet. @returns verdict or error code */
  async scan(): Promise<string> {
    const scan = scanOf(`disk-${this.#next++}`)
    this.sent.push(scan)
    return this.ask(scan)
  }

  async ask(body: ScanRequest): Promise<string> {
    const { data, error, response } = await this.#client.POST('/v1/scan', { body })
    if (data) return data.verdict
    assert.equal(response.status, error.code === 'ledger_unavailable' ? 503 : 0, error.message)
    assert.deepEqual(Object.keys(error), ['code', 'message', 'reason'])
    assert.equal(error.reason, 'disk_unwritable')
    assert.match(error.message, /^The box cannot write to its disk\. Nobody was admitted by this answer: .*\.$/)
    return error.code
  }

  scanMany(n: number): Promise<string[]> {
    return Promise.all(Array.from({ length: n }, () => this.scan()))
  }

  /** The first ones may be admitted, because the redo log has its room already; when their fold ends, nobody is admitted any more. */
  async scanUntilRefused(): Promise<void> {
    const began = performance.now()
    while ((await this.scanMany(2)).includes('ADMIT')) {
      assert.ok(performance.now() - began < MOST_ADMITTING_MS)
      await sleep(50)
    }
  }

  /** Once the disk works again: every scan that was ever sent is admitted, by this answer or the one before. */
  async assertAllAdmitted(dataDir: string): Promise<void> {
    for (const scan of this.sent) assert.equal(await this.ask(scan), 'ADMIT')
    // Another connection sees them when their fold has ended.
    await sleep(2 * FOLD_MS)
    const { admissions, movements } = audit(dataDir)
    assert.deepEqual([admissions, movements.length], [this.sent.length, this.sent.length])
  }
}

const refused = (n: number) => Array.from({ length: n }, () => 'ledger_unavailable')
const admitted = (n: number) => Array.from({ length: n }, () => 'ADMIT')

/** Everything that needs no ledger is answered; writes are refused with the reason. */
async function assertTheRestGoesOn(ports: Ports, device: TestDevice): Promise<void> {
  for (const path of ['/healthz', '/v1/meta', '/v1/time', '/v1/venue', '/ca.crt']) {
    assert.equal((await fetch(`http://127.0.0.1:${ports.http}${path}`)).status, 200, path)
  }
  const { response } = await device.client.GET('/v1/manifest')
  assert.equal(response.status, 200)
}

/** A small file system of its own. */
class SmallDisk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
  readonly mounted: boolean

  constructor(megabytes: number) {
    this.mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.path]).status === 0
  }

  remount(how: 'ro' | 'rw'): void {
    assert.equal(spawnSync('mount', ['-o', `remount,${how}`, this.path]).status, 0)
  }

  [Symbol.dispose](): void {
    if (this.mounted) spawnSync('umount', ['--lazy', this.path])
    rmSync(this.path, { recursive: true, force: true })
  }
}

function isFull(error: unknown): boolean {
  const { cause = error } = error as Error
  return (cause as { code?: string }).code === 'SQLITE_FULL'
}

/** Waits until `tracer` is attached to a box. @returns false when it may not */
async function isTraced({ pid }: BoxProcess, tracer: BoxProcess): Promise<boolean> {
  let over = false
  tracer.exited().then(() => {
    over = true
  })
  while (/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) {
    if (over) return false
    await sleep(20)
  }
  return true
}

const NO_TRACE = 'there is no strace, or it may not trace'
const NO_MOUNT = 'this process may not mount a file system'

/** Fills the disk except for `leave` bytes. @returns frees it again */
function fill(folder: string, leave = 0): () => void {
  const path = join(folder, 'filler')
  const file = openSync(path, 'w')
  const { bavail, bsize } = statfsSync(folder)
  let left = bavail * bsize - leave
  try {
    while (left > 0) left -= writeSync(file, Buffer.alloc(Math.min(left, 65_536), 1))
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    closeSync(file)
  }
  return () => unlinkSync(path)
}

async function openWorld(environment: Environment = {}) {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await World.open({ tickets: TICKETS, environment: { ...FAST, ...environment } }))
  const device = await world.device()
  const opened = stack.move()
  return {
    world,
    device,
    gate: new Gate(device.client),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function gateOf(folder: BoxFolder, ports: Ports) {
  const { ca, certificate: cert, key, token } = await folder.pair(ports, 'scanner')
  const fetch = tlsFetch({ ca, cert, key })
  const client = gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.device}`, token, fetch })
  return Object.assign(new Gate(client), { [Symbol.asyncDispose]: () => fetch[Symbol.asyncDispose]() })
}

describe('a disk', () => {
  it('that has no room for another page', async () => {
    await using opened = await openWorld()
    const { world, device, gate } = opened
    const { drizzle } = world.box.ledger.db
    assert.deepEqual(await gate.scanMany(3), admitted(3))
    drizzle.run(sql`PRAGMA max_page_count = 1`)
    // Scans that fit into the existing pages are still admitted: wait for the first that does not.
    let last = ''
    while (last !== 'ledger_unavailable') last = await gate.scan()
    await assertTheRestGoesOn(world.box.ports, device)
    drizzle.run(sql`PRAGMA max_page_count = 1000000`)
    assert.deepEqual(await gate.scanMany(10), admitted(10))
    await gate.assertAllAdmitted(world.environment.GATEHOUSE_DATA_DIR ?? '')
  })

  it('that is full, and then has room again', async (t: TestContext) => {
    using disk = new SmallDisk(4)
    if (!disk.mounted) return t.skip(NO_MOUNT)
    const dataDir = join(disk.path, 'data')
    await using opened = await openWorld({ GATEHOUSE_DATA_DIR: dataDir })
    const { world, device, gate } = opened
    assert.deepEqual(await gate.scanMany(3), admitted(3))
    for (let times = 0; times < 3; times++) {
      const free = fill(disk.path)
      await gate.scanUntilRefused()
      assert.deepEqual(await gate.scanMany(20), refused(20))
      await assertTheRestGoesOn(world.box.ports, device)
      const body = { checkpoints: ['a-in'], expires_in_seconds: 600 }
      const { error, response } = await (await world.admin()).POST('/v1/admin/invite', { body })
      assert.deepEqual([response.status, error?.code], [503, 'ledger_unavailable'])
      free()
      assert.deepEqual(await gate.scanMany(3), admitted(3))
    }
    await gate.assertAllAdmitted(dataDir)
  })

  it('that the ledger itself fills, up to its last page', async (t: TestContext) => {
    using disk = new SmallDisk(8)
    if (!disk.mounted) return t.skip(NO_MOUNT)
    const dataDir = join(disk.path, 'data')
    await using opened = await openWorld({ GATEHOUSE_DATA_DIR: dataDir })
    const { world, device, gate } = opened
    const free = fill(disk.path, 600_000)
    let answers: string[] = []
    while (!answers.includes('ledger_unavailable')) answers = await gate.scanMany(4)
    assert.deepEqual(await gate.scanMany(4), refused(4))
    await assertTheRestGoesOn(world.box.ports, device)
    // Even a checkpoint of the WAL has no room, and the box goes on.
    assert.throws(() => world.box.ledger.db.drizzle.get(sql`PRAGMA wal_checkpoint(TRUNCATE)`), isFull)
    assert.deepEqual(await gate.scanMany(4), refused(4))
    free()
    assert.deepEqual(await gate.scanMany(4), admitted(4))
    await gate.assertAllAdmitted(dataDir)
  })

  it('that is full or read-only when the box starts', async (t: TestContext) => {
    using disk = new SmallDisk(4)
    if (!disk.mounted) return t.skip(NO_MOUNT)
    using folder = new BoxFolder({ environment: { GATEHOUSE_DATA_DIR: join(disk.path, 'data') } })
    const startAndStop = async () => {
      await using box = folder.start()
      await box.opened()
      box.signal('SIGTERM')
      assert.deepEqual(await box.exited(), { code: 0, signal: null })
    }
    const startInVain = async () => {
      await using box = folder.start()
      assert.deepEqual(await box.exited(), { code: 2, signal: null }, box.output)
      // Beside a message that the change feed could not be prepared either.
      assert.match(box.output, /^\S+ cannot be .*(Look at the disk: it may be full|set GATEHOUSE_DATA_DIR)/m)
    }
    await startAndStop()
    const before = audit(folder.dataDir)
    const free = fill(disk.path)
    await startInVain()
    free()
    disk.remount('ro')
    await startInVain()
    disk.remount('rw')
    await startAndStop()
    // Each start prints an invite.
    assert.deepEqual(audit(folder.dataDir), { ...before, entries: before.entries + 1 })
  })

  it('that takes only a part of a write', async (t: TestContext) => {
    if (spawnSync('prlimit', ['--version']).status !== 0) return t.skip('there is no prlimit')
    using folder = new BoxFolder({ tickets: TICKETS })
    await using box = folder.start()
    await using gate = await gateOf(folder, await box.opened())
    const limit = (soft: number | 'unlimited') =>
      assert.equal(spawnSync('prlimit', ['--pid', `${box.pid}`, `--fsize=${soft}:unlimited`]).status, 0)
    // The write-ahead log is the largest of its files, and reaches this in the middle of a page.
    limit(statSync(join(folder.dataDir, 'ledger.db-wal')).size + 50_123)
    let answers: string[] = []
    while (!answers.includes('ledger_unavailable')) answers = await gate.scanMany(4)
    assert.deepEqual(await gate.scanMany(10), refused(10))
    limit('unlimited')
    assert.deepEqual(await gate.scanMany(10), admitted(10))
    await gate.assertAllAdmitted(folder.dataDir)
  })

  it('that fails to sync', async (t: TestContext) => {
    const tried = spawnSync('strace', ['-qqq', '-o', '/dev/null', process.execPath, '--version'])
    if (tried.status !== 0) return t.skip(NO_TRACE)
    using folder = new BoxFolder({ tickets: TICKETS })
    await using box = folder.start()
    await using gate = await gateOf(folder, await box.opened())
    assert.deepEqual(await gate.scanMany(3), admitted(3))
    const inject = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO']
    {
      await using failing = new BoxProcess(['strace', '-f', '-o', '/dev/null', ...inject, '-p', `${box.pid}`], {})
      if (!(await isTraced(box, failing))) return t.skip(NO_TRACE)
      assert.deepEqual(await gate.scanMany(10), refused(10))
      assert.deepEqual(await gate.scanMany(10), refused(10))
      failing.signal('SIGINT')
      await failing.exited()
    }
    assert.deepEqual(await gate.scanMany(10), admitted(10))
    await gate.assertAllAdmitted(folder.dataDir)
  })
})

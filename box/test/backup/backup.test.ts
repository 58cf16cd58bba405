/** Backing up a running box and restoring it elsewhere, by the commands in processes of their own. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { packTar, type TarSource } from 'modern-tar/fs'
import { stageBackup } from '../../src/backup/backup.ts'
import { MANIFEST } from '../../src/backup/manifest.ts'
import { isAnotherIncarnation } from '../../src/feed/sources/sqlite/incarnation.ts'
import { openLedger } from '../../src/ledger/open.ts'
import { secretsBeside } from '../../src/ledger/secrets.ts'
import { BIN, gatehouse } from '../world/command.ts'
import type { TestDevice } from '../world/device.ts'
import { TEST_EVENT, writeEventFolder } from '../world/event.ts'
import { World } from '../world/world.ts'

const NO_OTHER_USER =
  (process.platform !== 'linux' || process.getuid?.() !== 0) &&
  'a file of somebody else is made by root alone, on Linux'
const CODES = ['BACK-UP-A-1', 'BACK-UP-A-2', 'BACK-UP-A-3']

describe('a backup', () => {
  let world: World
  let device: TestDevice
  before(async () => {
    world = await World.open({ tickets: CODES.map((code) => `${code},once,,,,,,valid`) })
    device = await world.device()
    await device.scan(CODES[0] ?? '')
  })
  after(() => world[Symbol.asyncDispose]())

  const run = (environment: object, ...args: string[]) =>
    gatehouse(args, { environment: { ...world.environment, ...environment }, cwd: world.folder })

  /** Folders of a restored box. */
  const place = (name: string) => ({
    GATEHOUSE_DATA_DIR: join(world.folder, name, 'data'),
    GATEHOUSE_EVENT_DIR: join(world.folder, name, 'event'),
  })

  it('restores the box: same authority, same token, same admissions, another incarnation', async () => {
    const before = world.box.ledger.size
    const made = await run({}, 'backup', 'one.tar.gz', '--json')
    assert.deepEqual([made.code, made.err], [0, ''])
    const { file, entries } = JSON.parse(made.out)
    assert.equal(entries, before)
    assert.equal(statSync(join(world.folder, file)).mode & 0o077, 0)
    assert.ok(
      !readdirSync(join(world.folder, 'data')).some((name) => name.startsWith('backup-')),
      'nothing stays behind',
    )
    // After it was made: not in it.
    await device.scan(CODES[1] ?? '')

    const put = await run(place('one'), 'restore', file, '--actor', 'Rui', '--json')
    assert.deepEqual([put.code, put.err], [0, ''])
    for (const name of ['admin-token', 'keys.json', 'ca/authority.pem'])
      assert.deepEqual(
        readFileSync(join(world.folder, 'one/data', name)),
        readFileSync(join(world.folder, 'data', name)),
        name,
      )
    await using restored = await World.open({ environment: place('one') })
    assert.equal(restored.box.boxId, world.box.boxId)
    assert.equal(restored.box.caFingerprint, world.box.caFingerprint)
    const same = restored.deviceOf(device.paired)
    assert.equal((await same.scan(CODES[0] ?? '')).verdict, 'ALREADY_USED')
    assert.equal((await same.scan(CODES[1] ?? '')).verdict, 'ADMIT')
    const entry = restored.box.ledger.read(entries, 1)[0]
    assert.ok(entry?.kind === 'restore')
    assert.equal(entry.fields.actor, 'Rui')
    const verified = await run(place('one'), 'verify')
    assert.equal(verified.code, 0, verified.out + verified.err)
  })

  it('is downloaded over the network by an admin only', async () => {
    const admin = await world.admin()
    const { response } = await admin.GET('/v1/admin/backup', { params: { query: { actor: 'Rui' } }, parseAs: 'stream' })
    assert.equal(response.status, 200)
    assert.match(
      response.headers.get('content-disposition') ?? '',
      /attachment; filename="gatehouse-[\w-]+\.backup\.tar\.gz"/,
    )
    const path = join(world.folder, 'network.tar.gz')
    writeFileSync(path, Buffer.concat(await Array.fromAsync(response.body as AsyncIterable<Uint8Array>)))
    assert.equal((await run(place('network'), 'restore', path)).code, 0)
    const told = world.box.ledger.read(0, world.box.ledger.size).filter(({ kind }) => kind === 'backup')
    assert.partialDeepStrictEqual(
      told.map(({ fields }) => fields),
      [{ actor: 'Rui', to: 'network' }],
    )
    assert.ok(
      (told[0]?.index ?? 0) < JSON.parse((await run(place('network'), 'backup', '--json')).out).entries,
      'it is in it',
    )
    const nobody = await world.admin('nobody')
    assert.equal((await nobody.GET('/v1/admin/backup')).error?.code, 'bad_token')
  })

  it("for a box that joins has the event's keys, and not the key of this box's log", async () => {
    const dataDir = join(world.folder, 'joined')
    const { ledger } = openLedger({ dataDir, eventId: TEST_EVENT.id, wallClock: Date.now })
    const keys = { signing_seed: randomBytes(32), ref_key: randomBytes(32) }
    ledger.db.secrets.set({ ...keys, log_seed: randomBytes(32) })
    const staged = await stageBackup({ dataDir, eventDir: join(world.folder, 'event'), now: Date.now(), shared: true })
    const sent = secretsBeside(join(staged.folder, 'data/ledger.db'))
    assert.deepEqual([sent.get('signing_seed'), sent.get('ref_key')], [keys.signing_seed, keys.ref_key])
    assert.equal(sent.get('log_seed'), undefined)
    ledger[Symbol.dispose]()
  })

  it('is not restored over a ledger or a running box', async () => {
    const { out } = await run({}, 'backup', 'two.tar.gz', '--json')
    const { file } = JSON.parse(out)
    const there = await run({}, 'restore', file)
    assert.deepEqual([there.code, there.out], [2, ''])
    assert.match(there.err, /has a ledger already/)
    const running = await run({}, 'restore', file, '--replace')
    assert.deepEqual([running.code, running.out], [2, ''])
    assert.match(running.err, /is running: stop it first/)
    assert.equal((await device.scan(CODES[2] ?? '')).verdict, 'ADMIT', 'and that box goes on')

    assert.equal((await run(place('two'), 'restore', file)).code, 0)
    const replaced = await run(place('two'), 'restore', file, '--replace', '--json')
    assert.equal(replaced.code, 0, replaced.err)
    const { moved_to, kept_event } = JSON.parse(replaced.out)
    assert.ok(existsSync(join(moved_to, 'ledger.db')))
    assert.equal(kept_event, true)
  })

  it('is not restored beside the folder of another event, with which it would not open', async () => {
    const { file } = JSON.parse((await run({}, 'backup', 'other.tar.gz', '--json')).out)
    const other = place('other')
    for (const [event, said] of [
      [
        { ...TEST_EVENT, id: 'another-fair' },
        /is of the event "test-fair", and \S+ holds "another-fair"\. On the appliance/,
      ],
      [{}, /is of the event "test-fair", and \S+ cannot be used: /],
    ] as const) {
      writeEventFolder(other.GATEHOUSE_EVENT_DIR, { event: event as typeof TEST_EVENT })
      const { code, out, err } = await run(other, 'restore', file)
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, said)
      assert.deepEqual(readdirSync(other.GATEHOUSE_DATA_DIR), [], 'nothing of it is in place')
    }
    writeEventFolder(other.GATEHOUSE_EVENT_DIR)
    assert.equal((await run(other, 'restore', file)).code, 0)
    await using _restored = await World.open({ environment: other })
  })

  it('is refused with advice when this user may not read it', { skip: NO_OTHER_USER }, async () => {
    const { file } = JSON.parse((await run({}, 'backup', 'foreign.tar.gz', '--json')).out)
    const path = join(world.folder, file)
    chownSync(path, 65_534, 65_534)
    // Root that may no more than anybody: files of others are closed to it.
    const dropped = ['--bounding-set=-dac_override,-dac_read_search', process.execPath, BIN]
    const { status, stderr } = spawnSync('setpriv', [...dropped, 'restore', path], {
      env: { PATH: process.env.PATH, ...world.environment, ...place('foreign') },
      encoding: 'utf8',
    })
    assert.equal(status, 2)
    assert.ok(stderr.includes(`"chown gatehouse ${path}"`), stderr)
    assert.doesNotMatch(stderr, /EACCES/)
  })

  it('is refused whole when anything in it was changed', async () => {
    const { out } = await run({}, 'backup', 'three.tar.gz', '--json')
    const whole = readFileSync(join(world.folder, JSON.parse(out).file))
    const tar = gunzipSync(whole)
    const at = (text: string) => tar.indexOf(text)
    const flipped = (offset: number) => {
      const bytes = Buffer.from(tar)
      bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset)
      return gzipSync(bytes)
    }
    const foreign = async (sources: TarSource[]) => gzipSync(Buffer.concat(await packTar(sources).toArray()))
    const tarOf = async (target: string) =>
      Buffer.concat(await packTar([{ type: 'content', content: 'x', target }]).toArray())
    const manifest = JSON.stringify({ format: 'gatehouse-backup/1' })
    const broken: Record<string, Buffer> = {
      empty: Buffer.alloc(0),
      text: Buffer.from('hello'),
      'a bomb': gzipSync(Buffer.alloc(200 * 1024 * 1024)),
      short: whole.subarray(0, Math.floor(whole.length / 2)),
      'no manifest': await foreign([{ type: 'content', content: 'x', target: 'data/ledger.db' }]),
      'a poor manifest': await foreign([{ type: 'content', content: manifest, target: MANIFEST }]),
      'a file outside': gzipSync(renamed(await tarOf('a/b/c/escaped'), '../../escaped')),
      'an absolute file': gzipSync(renamed(await tarOf('a/b/c/escaped/absolutely'), '/tmp/gatehouse-escaped')),
      'another name': await foreign([{ type: 'content', content: 'x', target: 'etc/passwd' }]),
      'a changed manifest': flipped(at('"entries"') + 12),
      'a changed ledger': flipped(at('SQLite format 3') + 5000),
      'a changed key': flipped(at('PRIVATE KEY') + 40),
    }
    for (const [what, bytes] of Object.entries(broken)) {
      const path = join(world.folder, 'broken.tar.gz')
      writeFileSync(path, bytes)
      const data = join(world.folder, 'four', 'data')
      mkdirSync(data, { recursive: true })
      const { code, out, err } = await run(place('four'), 'restore', path)
      assert.deepEqual([code, out], [2, ''], `${what}: ${err}`)
      assert.doesNotMatch(err, /^\s+at /m, what)
      assert.deepEqual(readdirSync(data), [], what)
    }
    assert.ok(!existsSync('/tmp/gatehouse-escaped') && !existsSync(join(world.folder, 'escaped')))
  })

  it('begins another incarnation of the change feed', async () => {
    const memory = { incarnation: 100, seq: 7, tokens: ['t'] }
    assert.equal(isAnotherIncarnation(memory, { incarnation: 100, confirmed: 3, token: 't', lost: false }, 3), true)
    const { out } = await run({}, 'backup', 'five.tar.gz', '--json')
    assert.equal((await run(place('five'), 'restore', JSON.parse(out).file)).code, 0)
    const slot = (folder: string) => lives(join(world.folder, folder, 'ledger.db'))
    assert.ok(slot('five/data') > slot('data'))
  })
})

function lives(path: string): number {
  const db = new Sqlite(path, { readonly: true })
  try {
    return db.prepare('SELECT incarnation FROM changefeed_slot').pluck().get() as number
  } finally {
    db.close()
  }
}

/** A tar whose only file has another name than the library would give it, with the checksum made good. */
function renamed(tar: Buffer, name: string): Buffer {
  const bytes = Buffer.from(tar)
  bytes.fill(0, 0, 100).write(name, 0)
  bytes.fill(' ', 148, 156)
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

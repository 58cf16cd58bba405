/** The appliance over the box's API, with the image's own scripts in root's place (root.ts). */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { UpdateState } from '@gatehouse/proto/wire/appliance.ts'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { openArchive } from '../../src/backup/decryption.ts'
import type { Environment } from '../../src/config.ts'
import { type Answer, ask, assertFailure } from '../world/ask.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'
import { Machine } from './root.ts'

const NOT_LINUX = process.platform !== 'linux' && "root's scripts are for the image, which is Debian"
const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
const BY = { actor: 'Rui' }

interface Site extends AsyncDisposable {
  machine: Machine
  world: World
  admin: GatehouseClient
  /** Sends a bundle, as curl would. */
  send(body: string | Buffer, headers?: Record<string, string>): Promise<Answer>
  update(): Promise<UpdateState>
  /** Waits until the update is in one of these states. */
  settled(...states: string[]): ReturnType<Site['update']>
  kinds(): string[]
}

/** A box on a machine of its own; root's scripts answer its requests unless `silent`. */
async function site({ silent = false, environment = {} as Environment } = {}): Promise<Site> {
  const stack = new AsyncDisposableStack()
  const machine = stack.use(new Machine())
  symlinkSync(machine.updates, join(machine.run, 'updates'))
  await machine.script('slot-report', 'boot')
  if (!silent) machine.answer()
  const world = stack.use(await World.open({ environment: { GATEHOUSE_APPLIANCE: machine.run, ...environment } }))
  const admin = await world.admin()
  const update = async () => {
    const { data } = await admin.GET('/v1/admin/update')
    assert.ok(data)
    return data
  }
  return {
    ...{ machine, world, admin, update },
    send: async (body, headers = {}) =>
      ask(world.box.ports.https, '/v1/admin/update?actor=Rui', {
        ...{ method: 'POST', body, tls: { ca: await world.ca } },
        headers: {
          authorization: `Bearer ${world.box.adminToken}`,
          'content-type': 'application/octet-stream',
          ...headers,
        },
      }),
    async settled(...states) {
      let now = await update()
      await until(async () => {
        now = await update()
        return states.includes(now.state)
      })
      return now
    },
    kinds: () => world.box.ledger.read(0, world.box.ledger.size).map(({ kind }) => kind),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('the appliance', { skip: NOT_LINUX }, () => {
  it('is absent without its settings: its routes answer 404, and its status says so', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const { data } = await admin.GET('/v1/admin/appliance')
    assert.partialDeepStrictEqual(data, { appliance: false, problems: [], stick: false, time_quality: 'synced' })
    assert.ok((data?.free_bytes ?? 0) > 0)
    const answers = await Promise.all([
      admin.GET('/v1/admin/update'),
      admin.POST('/v1/admin/time', { body: { now: new Date().toISOString(), ...BY } }),
      admin.POST('/v1/admin/update/usb', { body: { name: 'a.update', ...BY } }),
      admin.POST('/v1/admin/update/restart', { body: BY }),
      admin.POST('/v1/admin/update/rollback', { body: BY }),
      admin.POST('/v1/admin/backup/usb', { body: BY }),
    ])
    for (const { error, response } of answers) assert.equal(error?.code, 'not_found', response.url)
    const nobody = await world.admin('nobody')
    for (const path of ['/v1/admin/appliance', '/v1/admin/update'] as const)
      assert.equal((await nobody.GET(path)).error?.code, 'bad_token')
  })

  it('admits people when the folder that it shares with root is missing', async () => {
    await using machine = new Machine()
    machine.write('file', '')
    await using world = await World.open({ environment: { GATEHOUSE_APPLIANCE: join(machine.folder, 'file') } })
    await using device = await world.device()
    assert.equal((await device.scan('nothing')).verdict, 'UNKNOWN')
    const admin = await world.admin()
    assert.equal((await admin.GET('/v1/admin/appliance')).data?.appliance, true)
    const { error } = await admin.POST('/v1/admin/update/restart', { body: BY })
    assert.match(error?.message ?? '', /cannot be asked/)
  })

  it('says what is wrong with its settings, and tolerates damaged files there', async () => {
    await using it = await site({ silent: true })
    const problems = async () => (await it.admin.GET('/v1/admin/appliance')).data?.problems
    const unknown = await problems()
    assert.equal(unknown?.[0]?.where, 'gatehouse.toml')
    const file = join(it.machine.run, 'problems.json')
    const hostile = ['', '{', 'null', '[]', '"x"', `{"problems":"${'x'.repeat(100_000)}"}`, '\u0000\uffff', '[[[[']
    for (const text of hostile) {
      writeFileSync(file, text)
      assert.deepEqual(await problems(), unknown, text.slice(0, 20))
    }
    for (const text of [
      '{}',
      '{"problems":7}',
      '{"problems":[1,null,[],{"where":1}]}',
      '{"__proto__":{"problems":[]}}',
    ]) {
      writeFileSync(file, text)
      assert.deepEqual(await problems(), [], text)
    }
    rmSync(file)
    mkdirSync(file)
    assert.deepEqual(await problems(), unknown, 'a folder')
    rmSync(file, { recursive: true })
    const many = Array.from({ length: 60 }, (_, i) => ({ where: `box.${i}`, message: `has ${'y'.repeat(100)}` }))
    writeFileSync(file, JSON.stringify({ problems: [{ where: 'a\u0007b', message: 'line\nline\u202e' }, ...many] }))
    const found = await problems()
    assert.deepEqual([found?.length, found?.[0]], [50, { where: 'ab', message: 'line\nline' }])
  })

  it('trusts its clock once a time source has set it, and takes an admin’s time until then', async () => {
    await using it = await site()
    const quality = async () => (await it.admin.GET('/v1/meta')).data?.time_quality
    const set = (now: string) => it.admin.POST('/v1/admin/time', { body: { now, ...BY } })
    assert.equal(await quality(), 'unsynced')
    const { data, error } = await set('2026-11-20T20:00:00.250+01:00')
    assert.ok(data, error?.message)
    const [done = ''] = it.machine.done
    const seconds = Number(/^date -u -s @([\d.]+)$/.exec(done)?.[1])
    assert.ok(Math.abs(seconds - Date.parse('2026-11-20T19:00:00.250Z') / 1000) < 11, done)
    const entry = it.world.box.ledger.read(0, 100).find(({ kind }) => kind === 'clock_set')?.fields
    assert.partialDeepStrictEqual(entry, { actor: 'Rui', to: '2026-11-20T19:00:00.250Z' })

    for (const now of ['1970-01-01T00:00:00Z', '2400-01-01T00:00:00Z', 'noon', '2026-11-20T19:00:00'])
      assert.equal((await set(now)).error?.code, 'bad_request', now)
    // The network came between the box's last look and the request.
    it.machine.tracking('network')
    const late = await set('2026-11-20T19:00:00Z')
    assert.deepEqual([late.error?.code, it.machine.done.length], ['conflict', 2])
    await it.world.restart()
    const again = await it.world.admin()
    assert.equal((await again.GET('/v1/meta')).data?.time_quality, 'synced')
    const body = { now: '2026-11-20T19:00:00Z', ...BY }
    assert.equal((await again.POST('/v1/admin/time', { body })).error?.code, 'conflict')
  })

  it('installs an uploaded update, reports progress, and starts it on command', async () => {
    await using it = await site()
    assert.partialDeepStrictEqual(await it.update(), {
      state: 'idle',
      slots: [{ name: 'A', running: true, version: '0.1.0' }],
    })
    const answer = await it.send('slow 0.2.0\n')
    assert.equal(answer.status, 200, answer.text)
    const { percent } = await it.settled('installing')
    assert.ok(percent !== null && percent <= 80)
    await until(async () => (await it.update()).percent === 80)
    const restart = () => it.admin.POST('/v1/admin/update/restart', { body: BY })
    // A second request, and one during the installation.
    for (const early of [restart(), it.admin.POST('/v1/admin/update/rollback', { body: BY })])
      assert.equal((await early).error?.code, 'conflict')
    assertFailure(await it.send('good 0.3.0\n'), 'conflict')
    assert.deepEqual(readdirSync(it.machine.updates), [])
    it.machine.write('go', '')
    assert.partialDeepStrictEqual(await it.settled('ready', 'failed'), {
      state: 'ready',
      version: '0.2.0',
      reason: null,
    })

    assert.deepEqual((await restart()).data, { restarting: true })
    await until(async () => it.machine.done.includes('systemctl reboot'))
    const update = it.world.box.ledger.read(0, 100).find(({ kind }) => kind === 'update')?.fields
    assert.partialDeepStrictEqual(update, { actor: 'Rui', source: 'upload', bytes: 11 })
    assert.match((update as { sha256: string }).sha256, /^[0-9a-f]{64}$/)
    assert.deepEqual(
      it.kinds().filter((kind) => ['update', 'restart'].includes(kind)),
      ['update', 'restart'],
    )
  })

  it('refuses a bundle that is not for it, says what to do, and accepts another', async () => {
    await using it = await site()
    const refused: [body: string | Buffer, reason: RegExp][] = [
      ['board 0.2.0\n', /another kind of machine/],
      ['unsigned 0.2.0\n', /not signed by/],
      ['hello\n', /not an update, or it is damaged/],
      [Buffer.alloc(100_000), /not an update, or it is damaged/],
      ['damaged 0.2.0\n', /not an update, or it is damaged/],
    ]
    for (const [body, words] of refused) {
      assert.equal((await it.send(body)).status, 200)
      const { state, reason } = await it.settled('failed', 'ready')
      assert.equal(state, 'failed')
      assert.match(reason ?? '', words)
      await until(() => readdirSync(join(it.machine.folder, 'data/system/updates')).length === 0)
    }
    assert.equal((await it.send('good 0.2.0\n')).status, 200)
    assert.equal((await it.settled('failed', 'ready')).state, 'ready')
    // Installed and not started: going back leaves the running version as it is.
    assert.deepEqual((await it.admin.POST('/v1/admin/update/rollback', { body: BY })).data, { restarting: false })
    await it.settled('idle')
    assert.deepEqual(it.machine.done, [])
    // It never ran, so it is none to go back to.
    const { error } = await it.admin.POST('/v1/admin/update/rollback', { body: BY })
    assert.match(error?.message ?? '', /no older version/)
    assert.equal(error?.reason, 'no_other')
    assert.deepEqual(it.machine.done, [])
  })

  it('goes back to a version that ran, and refuses one that did not', async () => {
    await using it = await site()
    const back = async (admin = it.admin) => admin.POST('/v1/admin/update/rollback', { body: BY })
    assert.equal((await it.send('good 0.2.0\n')).status, 200)
    await it.settled('ready', 'failed')
    for (const attempt of ['unsigned 0.3.0\n', 'board 0.3.0\n', 'hello\n']) {
      assert.equal((await it.send(attempt)).status, 200)
      assert.equal((await it.settled('ready', 'failed')).state, 'failed')
    }
    // The one that was installed waits still.
    assert.deepEqual((await back()).data, { restarting: false })
    await it.settled('idle')
    assert.equal((await back()).error?.code, 'conflict')

    assert.equal((await it.send('good 0.2.0\n')).status, 200)
    await it.settled('ready', 'failed')
    await it.machine.boot('B', '0.2.0')
    await it.machine.script('slots', 'set-state', 'B', 'good')
    await it.machine.script('slot-report', 'good')
    await it.world.restart()
    const again = await it.world.admin()
    assert.deepEqual((await back(again)).data, { restarting: true })
    await until(async () => it.machine.done.includes('systemctl reboot'))
    await it.machine.boot('A', '0.1.0')
    await it.machine.script('slots', 'set-state', 'B', 'bad')
    await it.machine.script('slot-report')
    assert.equal((await back(again)).error?.reason, 'other_failed')
  })

  it('keeps nothing of an incomplete upload, and says so', async () => {
    await using it = await site()
    const { ports, adminToken } = it.world.box
    const cut = httpsRequest({
      ...{ host: '127.0.0.1', port: ports.https, path: '/v1/admin/update?actor=Rui', method: 'POST', agent: false },
      ...{ ca: await it.world.ca, servername: 'localhost' },
      headers: { authorization: `Bearer ${adminToken}`, 'content-length': 10_000_000 },
    })
    cut.on('error', () => {})
    cut.write(Buffer.alloc(1_000_000))
    await until(async () => ((await it.update()).percent ?? 0) >= 10)
    assert.equal((await it.update()).state, 'uploading')
    assert.equal(readdirSync(it.machine.updates).length, 1)
    // One request at a time, of any kind.
    assertFailure(await it.send('good 0.2.0\n'), 'conflict')
    assert.equal((await it.admin.POST('/v1/admin/update/restart', { body: BY })).error?.code, 'conflict')
    cut.destroy()
    const { reason, reason_coded } = await it.settled('failed')
    assert.match(reason ?? '', /did not arrive whole: send it again/)
    assert.deepEqual(reason_coded, { code: 'broke_off' })
    assert.deepEqual(readdirSync(it.machine.updates), [])
    assertFailure(await it.send(''), 'bad_request')
    assertFailure(await it.send('x', { 'content-length': String(2 * 1024 ** 3) }), 'too_large')
    assert.ok(!it.kinds().includes('update'))
  })

  it('starts one update when two requests come at the same time', async () => {
    await using it = await site()
    const answers = await Promise.all([it.send('good 0.2.0\n'), it.send('good 0.2.0\n'), it.send('good 0.2.0\n')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
    assert.equal((await it.settled('ready', 'failed')).state, 'ready')
    assert.equal(it.kinds().filter((kind) => kind === 'update').length, 1)
  })

  it('remembers an installation after a restart, and leaves no part of an upload behind', async () => {
    await using it = await site()
    assert.equal((await it.send('slow 0.2.0\n')).status, 200)
    await it.settled('installing')
    writeFileSync(join(it.machine.updates, 'upload-0.update'), 'half')
    await it.world.restart()
    assert.deepEqual(readdirSync(it.machine.updates), [])
    const admin = await it.world.admin()
    const state = async () => (await admin.GET('/v1/admin/update')).data?.state
    assert.equal(await state(), 'installing')
    assert.equal((await admin.POST('/v1/admin/update/restart', { body: BY })).error?.code, 'conflict')
    it.machine.write('go', '')
    await until(async () => (await state()) === 'ready')
  })

  it("reports a request that root's scripts do not answer, and repeats it", async () => {
    await using it = await site({ silent: true })
    assert.equal((await it.send('good 0.2.0\n')).status, 200)
    assert.equal((await it.update()).state, 'checking')
    it.world.elapsedMs += 61_000
    const { state, reason } = await it.update()
    assert.deepEqual([state, existsSync(join(it.machine.run, 'requests/update'))], ['failed', false])
    assert.match(reason ?? '', /does not answer/)
    it.machine.answer()
    assert.equal((await it.send('good 0.2.0\n')).status, 200)
    assert.equal((await it.settled('ready', 'failed')).state, 'ready')
  })

  it('refuses an older version by both names, until an admin wants that version; the record has it', async () => {
    await using it = await site()
    assert.equal((await it.send('good 0.0.9\n')).status, 200)
    const refused = await it.settled('ready', 'failed')
    assert.partialDeepStrictEqual(refused, { state: 'failed', older: true, version: '0.0.9' })
    assert.match(refused.reason ?? '', /version 0\.0\.9, older than version 0\.1\.0, which runs/)
    await it.machine.plugIn({ 'old.update': 'good 0.0.9\n' })
    const install = (older: string) =>
      it.admin.POST('/v1/admin/update/usb', { body: { name: 'old.update', older, ...BY } })
    assert.equal((await install('0.0.9\nrestart')).error?.code, 'bad_request')
    assert.equal((await install('0.0.8')).response.status, 200)
    assert.partialDeepStrictEqual(await it.settled('ready', 'failed'), { state: 'failed', older: true })
    assert.equal((await install('0.0.9')).response.status, 200)
    assert.partialDeepStrictEqual(await it.settled('ready', 'failed'), {
      state: 'ready',
      older: false,
      version: '0.0.9',
    })
    const { data } = await it.admin.GET('/v1/admin/log', { params: { query: { kind: 'update', limit: 1 } } })
    assert.match(data?.rows[0]?.summary ?? '', /although version 0\.0\.9 is older than the one that ran\.$/)
  })

  it('treats a malformed state file as absent', async () => {
    await using it = await site({ silent: true })
    for (const name of ['update', 'slots', 'usb', 'clock', 'backup'])
      for (const text of [
        '',
        '[]',
        '{"state":{}}',
        '{"state":"<b>"}',
        '{"slots":[{"name":"C"}],"updates":[{"name":1}]}',
        'x'.repeat(99_999),
      ]) {
        it.machine.write(`run/state/${name}.json`, text)
        assert.partialDeepStrictEqual(await it.update(), { state: 'idle', usb: [] }, `${name} ${text.slice(0, 20)}`)
        assert.equal((await it.admin.GET('/v1/admin/appliance')).response.status, 200)
      }
  })

  it('installs from a stick only what the stick offers', async () => {
    await using it = await site()
    const install = (name: string) => it.admin.POST('/v1/admin/update/usb', { body: { name, ...BY } })
    assert.equal((await install('new.update')).error?.code, 'not_found')
    await it.machine.plugIn({ 'new.update': 'good 0.2.0\n' })
    assert.partialDeepStrictEqual(await it.update(), { state: 'idle', usb: [{ name: 'new.update', bytes: 11 }] })
    assert.equal((await it.admin.GET('/v1/admin/appliance')).data?.stick, true)
    for (const name of ['../new.update', '.update', 'new.update;reboot', '`reboot`'])
      assert.equal((await install(name)).error?.code, 'not_found', name)
    for (const name of ['new.update\n', 'a b.update', '', `${'a'.repeat(200)}.update`])
      assert.equal((await install(name)).error?.code, 'bad_request', name)
    const [one, two] = await Promise.all([install('new.update'), install('new.update')])
    assert.deepEqual([one.response.status, two.response.status].sort(), [200, 409])
    assert.partialDeepStrictEqual(await it.settled('ready', 'failed'), { state: 'ready', version: '0.2.0' })
    assert.ok(existsSync(join(it.machine.folder, 'stick/new.update')))
  })

  it('writes a backup to the stick that can be restored', async () => {
    await using it = await site()
    const begin = () => it.admin.POST('/v1/admin/backup/usb', { body: BY })
    const { error } = await begin()
    assert.match(error?.message ?? '', /no stick in the box/)
    assert.equal(error?.reason, 'stick_absent')
    await it.machine.plugIn({})
    const [one, two] = await Promise.all([begin(), begin()])
    assert.deepEqual([one.response.status, two.response.status].sort(), [200, 409])
    const state = async () => (await it.admin.GET('/v1/admin/appliance')).data?.backup
    await until(async () => ['done', 'failed'].includes((await state())?.state ?? ''))
    const { state: end, name } = (await state()) ?? {}
    assert.equal(end, 'done')
    const archive = readFileSync(join(it.machine.folder, 'stick', name ?? ''))
    assert.deepEqual([...archive.subarray(0, 2)], [0x1f, 0x8b])
    assert.deepEqual(readdirSync(it.machine.updates), [], 'no copy of the keys stays behind')
    await until(() => readdirSync(join(it.machine.folder, 'data/system/updates')).length === 0)
    assert.equal(it.kinds().filter((kind) => kind === 'backup').length, 1)
  })

  it('writes an encrypted backup to the stick; what it is encrypted with is in no file of the machine and in no entry', async () => {
    await using it = await site()
    await it.machine.plugIn({})
    const identity = await generateX25519Identity()
    const recipients = [await identityToRecipient(identity)]
    const begin = (keys: object) => it.admin.POST('/v1/admin/backup/usb', { body: { ...BY, ...keys } })
    for (const keys of [{ passphrase: 'short' }, { recipients: [identity] }, { recipients: [`age1${'q'.repeat(58)}`] }])
      assert.equal((await begin(keys)).error?.code, 'bad_request')
    const { error } = await begin({ recipients: [...recipients, `age1${'q'.repeat(58)}`] })
    assert.deepEqual([error?.reason, error?.values], ['recipient_bad', { number: 2 }])
    assert.ok(!it.kinds().includes('backup'), 'refused before it is journalled')
    assert.equal((await begin({ recipients })).response.status, 200)
    const state = async () => (await it.admin.GET('/v1/admin/appliance')).data?.backup
    await until(async () => ['done', 'failed'].includes((await state())?.state ?? ''))
    const { state: end, name } = (await state()) ?? {}
    assert.deepEqual([end, name?.endsWith('.backup.tar.gz.age')], ['done', true])
    const archive = createReadStream(join(it.machine.folder, 'stick', name ?? ''))
    const keys = { passphrase: async () => '', identities: async () => [identity] }
    const [first] = await (await openArchive(archive, 'it', keys)).take(1).toArray()
    assert.deepEqual([...first.subarray(0, 2)], [0x1f, 0x8b])
    const { data } = await it.admin.GET('/v1/admin/log', { params: { query: { kind: 'backup', limit: 1 } } })
    assert.match(data?.rows[0]?.summary ?? '', /had an encrypted backup written to a USB stick\.$/)
    assert.ok(!JSON.stringify(data).includes(recipients[0] ?? ''))
  })

  it('refuses an update that would leave the ledger too little room, and goes on', async (t) => {
    await using it = await site({ silent: true })
    using disk = smallDisk(t, it.machine.updates)
    if (!disk) return
    const device = await it.world.device()
    // 200 MB, of which 128 stay free.
    assertFailure(await it.send('x', { 'content-length': '100000000' }), 'ledger_unavailable')
    const answer = await sendChunks(it, 100)
    assertFailure(answer, 'ledger_unavailable')
    const { reason, reason_coded } = await it.update()
    assert.match(reason ?? '', /not enough free room/)
    assert.deepEqual(reason_coded, { code: 'no_room' })
    assert.deepEqual(readdirSync(it.machine.updates), [])
    assert.equal((await device.scan('nothing')).verdict, 'UNKNOWN')
  })

  it('accepts an upload that takes minutes', { skip: !LONG && 'takes a minute: npm run test:long' }, async () => {
    await using it = await site()
    const answer = await sendChunks(it, 9, 5_000)
    assert.equal(answer.status, 200, answer.text)
  })
})

/** Megabytes without saying beforehand how many. */
async function sendChunks(it: Site, count: number, everyMs = 0): Promise<Answer> {
  const { ports, adminToken } = it.world.box
  const ca = await it.world.ca
  return new Promise((resolve, reject) => {
    const request = httpsRequest({
      ...{ host: '127.0.0.1', port: ports.https, path: '/v1/admin/update?actor=Rui', method: 'POST', agent: false },
      ...{ ca, servername: 'localhost', headers: { authorization: `Bearer ${adminToken}` } },
    })
    let answered = false
    request.on('error', (error) => answered || reject(error))
    request.on('response', async (response) => {
      answered = true
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
    const write = async () => {
      for (let i = 0; i < count && !answered; i++) {
        await new Promise((written) => request.write(Buffer.alloc(1_000_000), written))
        if (everyMs > 0) await sleep(everyMs)
      }
      request.end()
    }
    void write()
  })
}

/** A small file system over a folder; needs root. */
function smallDisk(t: TestContext, path: string): Disposable | undefined {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', path]).status !== 0) {
    t.skip('needs the right to mount a file system')
    return undefined
  }
  return { [Symbol.dispose]: () => void spawnSync('umount', ['--lazy', path]) }
}

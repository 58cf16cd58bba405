/**
 * The control room's actions on the machine (issue 8): through the box's API, with the real RAUC, chrony, sticks and path units. Each test
 * continues from the state that the one before left. They use ssh only to look, unless a test says otherwise.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Board, eventually, report } from './board.ts'
import { Card, SshKey } from './card.ts'
import { type Answered, authorityAt, DAY_TICKETS, Gate } from './gate.ts'
import { Stick } from './stick.ts'
import { nextUpdate, ownUpdate, updateFor } from './updates.ts'

const BY = { actor: 'Rui' }

describe('the machine, from the control room', () => {
  const card = new Card()
  const key = new SshKey()
  const answered: Answered[] = []
  let gate: Gate
  let board: Board
  let stick: Stick
  let update: string

  before(async () => {
    await card.put('gatehouse.toml', '[box]\nshow_admin_token = true\n')
    await card.put('authorized_keys', key.publicKey)
    update = await nextUpdate('0.2.0')
    stick = await Stick.of({ 'next.update': update, 'stranger.update': await ownUpdate({ signedBy: 'stranger' }) })
    board = await Board.start(card, { usb: true })
  })
  after(async () => {
    await board?.[Symbol.asyncDispose]()
    stick?.[Symbol.dispose]()
    key[Symbol.dispose]()
    card[Symbol.dispose]()
  })
  const ssh = (command: string, input?: string) => board.ssh(key, command, input)
  const scanAnother = async () => {
    answered.push(await gate.scan(board.ports, DAY_TICKETS[answered.length] ?? ''))
  }

  test('the box reports its machine', async () => {
    await board.answers()
    gate = await Gate.open(board.ports, (await ssh('head -1 /boot/firmware/admin-token.txt')).trim())
    await scanAnother()
    const { free_bytes, uptime_ms, ...machine } = await appliance()
    assert.partialDeepStrictEqual(machine, { appliance: true, time_quality: 'unsynced', stick: false })
    assert.ok(uptime_ms && free_bytes && free_bytes > 1e9)
    assert.deepEqual(
      machine.problems.map(({ where }) => where),
      ['box.event'],
    )
    assert.deepEqual((await updating()).slots, [
      { name: 'A', running: true, next: true, version: '0.1.0', state: 'good' },
      { name: 'B', running: false, next: false, version: null, state: 'empty' },
    ])
  })

  test('takes the time from an admin’s browser', async () => {
    const ahead = 90_000
    const { data, error } = await gate.asAdmin(board.ports, (admin) =>
      admin.POST('/v1/admin/time', { body: { now: new Date(Date.now() + ahead).toISOString(), ...BY } }),
    )
    assert.equal(data?.time_quality, 'unsynced', error?.message)
    assert.ok(Math.abs(Date.parse((await appliance()).now) - Date.now() - ahead) < 20_000)
    await scanAnother()
  })

  test('writes a backup to a stick', async () => {
    await board.plug(stick.path)
    await eventually(async () => (await appliance()).stick)
    const { usb } = await updating()
    assert.deepEqual(usb.map(({ name }) => name).sort(), ['next.update', 'stranger.update'])
    const { data, error } = await gate.asAdmin(board.ports, (admin) => admin.POST('/v1/admin/backup/usb', { body: BY }))
    assert.ok(data, error?.message)
    await eventually(async () => ['done', 'failed'].includes((await appliance()).backup.state))
    const { state, name, reason } = (await appliance()).backup
    assert.equal(state, 'done', reason ?? '')
    assert.match(await ssh('findmnt --noheadings /run/gatehouse/stick-backup || echo free'), /^free/)

    // Pulled out as soon as the screen says so.
    await board.unplug()
    await eventually(async () => !(await appliance()).stick)
    assert.deepEqual((await updating()).usb, [])
    assert.match(await stick.check(), /^((?!dirty|error)[\s\S])*$/i)
    const file = join(card.folder, 'from-stick.tar.gz')
    await stick.take(name ?? '', file)
    assert.match(
      (await promisify(execFile)('tar', ['-tzf', file])).stdout,
      /^manifest\.json$[\s\S]*^data\/ledger\.db$/m,
    )
  })

  test('refuses a bundle for another machine, or with another signature', async () => {
    assert.equal((await upload(await updateFor('another-board'))).state, 'checking')
    assert.match((await settled('failed')).reason ?? '', /another kind of machine/)
    await board.plug(stick.path)
    await eventually(async () => (await updating()).usb.length === 2)
    await fromStick('stranger.update')
    assert.match((await settled('failed')).reason ?? '', /not signed by/)
    assert.partialDeepStrictEqual((await updating()).slots, [{ next: true }, { state: 'empty' }])
  })

  test('reports an interrupted installation, and starts it again', async () => {
    await upload(update)
    await settled('installing')
    await scanAnother()
    await ssh('systemctl kill --signal=KILL gatehouse-request@update.service')
    const { reason, slots } = await settled('failed')
    assert.match(reason ?? '', /broke off/)
    assert.partialDeepStrictEqual(slots, [{ next: true, running: true }, { next: false }])
    assert.equal(await ssh('ls /data/updates /data/system/updates | grep update$ || true'), '')
  })

  test('installs an upload, and starts it on command', async () => {
    await upload(update)
    const started = performance.now()
    assert.partialDeepStrictEqual(await settled('ready', 'failed'), { state: 'ready', version: '0.2.0', reason: null })
    report('an update is installed in', `${((performance.now() - started) / 1000).toFixed(0)} s`)
    const before = Date.parse((await appliance()).now)
    await restart()
    assert.equal(board.slots, 'AB')
    await gate.recognises(board.ports, answered)
    await scanAnother()
    await eventually(async () => (await updating()).slots[1]?.state === 'good')
    assert.deepEqual((await updating()).slots, [
      { name: 'A', running: false, next: false, version: '0.1.0', state: 'good' },
      { name: 'B', running: true, next: true, version: '0.2.0', state: 'good' },
    ])
    // The emulator's clock was never 90 s ahead: this is the newest file's.
    assert.ok(Date.parse((await appliance()).now) > before)
  })

  test('goes back to the previous version on command', async () => {
    const { data, error } = await gate.asAdmin(board.ports, (admin) =>
      admin.POST('/v1/admin/update/rollback', { body: BY }),
    )
    assert.equal(data?.restarting, true, error?.message)
    await board.answers({ starts: 3 })
    assert.equal(board.slots, 'ABA')
    await gate.recognises(board.ports, answered)
    assert.partialDeepStrictEqual((await updating()).slots, [{ running: true, next: true }, { state: 'good' }])
  })

  test('installs from a stick that was inserted before the start, and leaves it unstarted', async () => {
    await eventually(async () => (await updating()).usb.length === 2)
    await fromStick('next.update')
    assert.partialDeepStrictEqual(await settled('ready', 'failed'), { state: 'ready', version: '0.2.0', reason: null })
    assert.partialDeepStrictEqual((await updating()).slots, [{ next: false }, { next: true }])
    const { data } = await gate.asAdmin(board.ports, (admin) => admin.POST('/v1/admin/update/rollback', { body: BY }))
    assert.equal(data?.restarting, false)
    await settled('idle')
    assert.partialDeepStrictEqual((await updating()).slots, [{ next: true }, { next: false, state: 'empty' }])
  })

  test('records every action in the log, with its actor', async () => {
    const { data } = await gate.asAdmin(board.ports, (admin) =>
      admin.GET('/v1/admin/log', { params: { query: { limit: 500 } } }),
    )
    const done = [
      'clock_set',
      'backup',
      'update',
      'update',
      'update',
      'update',
      'restart',
      'rollback',
      'update',
      'rollback',
    ]
    const rows = (data?.rows ?? []).filter(({ kind }) => done.includes(kind)).reverse()
    assert.deepEqual(
      rows.map(({ kind, actor }) => [kind, actor]),
      done.map((kind) => [kind, BY.actor]),
    )
  })

  test('restores a backup over the network to a fresh card, as a new incarnation', async () => {
    const life = async () =>
      (await gate.asDevice(board.ports, (device) => device.GET('/v1/manifest', { parseAs: 'json' }))).data?.life ?? 0
    const [ca, before, archive] = [await authorityAt(board.ports), await life(), join(card.folder, 'backup.tar.gz')]
    await gate.asAdmin(board.ports, async (admin) => {
      const { response } = await admin.GET('/v1/admin/backup', { params: { query: BY }, parseAs: 'stream' })
      // As `gatehouse backup` makes one: its owner's alone, also where it is copied to.
      writeFileSync(archive, Buffer.from(await response.arrayBuffer()), { mode: 0o600 })
    })
    await board.cut()

    using fresh = new Card()
    await fresh.put('authorized_keys', key.publicKey)
    await using other = await Board.start(fresh)
    board = other
    await board.answers()
    assert.notEqual(await authorityAt(board.ports), ca)
    // As box/docs/appliance.md has it.
    await board.scp(key, archive, '/data/backup.tar.gz')
    await ssh('systemctl stop changefeed gatehouse')
    const early = await ssh('gatehouse restore --replace /data/backup.tar.gz 2>&1 || true')
    assert.match(early, /with "chown gatehouse \/data\/backup\.tar\.gz"/)
    await ssh('chown gatehouse /data/backup.tar.gz')
    assert.match(await ssh('gatehouse restore --replace /data/backup.tar.gz'), /is back as it was/)
    await ssh('systemctl start gatehouse changefeed')
    await ssh('rm /data/backup.tar.gz')
    await board.answers()
    assert.equal(await authorityAt(board.ports), ca)
    await gate.recognises(board.ports, answered)
    await scanAnother()
    assert.ok((await life()) > before)
    assert.equal(await ssh('systemctl --failed --no-legend --plain'), '')
  })

  async function appliance() {
    const { data, error } = await gate.asAdmin(board.ports, (admin) => admin.GET('/v1/admin/appliance'))
    if (!data) throw new Error(String(error))
    return data
  }

  async function updating() {
    const { data, error } = await gate.asAdmin(board.ports, (admin) => admin.GET('/v1/admin/update'))
    if (!data) throw new Error(error.message)
    return data
  }

  /** Waits until the update is in one of these states. */
  async function settled(...states: string[]) {
    let now = await updating()
    await eventually(
      async () => {
        now = await updating()
        return states.includes(now.state)
      },
      () => JSON.stringify(now),
    )
    return now
  }

  /** As box/docs/appliance.md has it, with what curl would send. */
  async function upload(file: string): Promise<{ state: string }> {
    const sent = request(`https://127.0.0.1:${board.ports.https}/v1/admin/update?actor=Rui`, {
      ...{ method: 'POST', ca: gate.paired.ca, agent: false },
      headers: {
        authorization: `Bearer ${gate.token}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': statSync(file).size,
      },
    })
    createReadStream(file)
      .on('error', (error) => sent.destroy(error))
      .pipe(sent)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const said = await text(answer)
    assert.ok(answer.statusCode !== undefined && answer.statusCode < 300, said)
    return JSON.parse(said)
  }

  async function fromStick(name: string): Promise<void> {
    const { data, error } = await gate.asAdmin(board.ports, (admin) =>
      admin.POST('/v1/admin/update/usb', { body: { name, ...BY } }),
    )
    assert.ok(data, error?.message)
  }

  async function restart(): Promise<void> {
    const starts = board.slots.length + 1
    const { data, error } = await gate.asAdmin(board.ports, (admin) =>
      admin.POST('/v1/admin/update/restart', { body: BY }),
    )
    assert.equal(data?.restarting, true, error?.message)
    await board.answers({ starts })
  }
})

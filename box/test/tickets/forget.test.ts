/** The commands for a past event, beside a running box: the log, and the erasure of personal data. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gatehouse as command } from '../world/command.ts'
import { problemsIn } from '../world/problems.ts'
import { World } from '../world/world.ts'

const gatehouse = (world: World, ...args: string[]) =>
  command(args, { environment: world.environment, cwd: world.folder })

describe('erasure and the log, beside a running box', () => {
  it('erases names everywhere for good, and the journal still verifies', async () => {
    await using world = await World.open()
    const data = join(world.folder, 'data')
    const [device, admin] = await Promise.all([world.supervisor(), world.admin()])
    await device.scan('ONCE-1')
    const { scan_id } = await device.scan('ONCE-1')
    const note = 'Ana Reis came twice'
    const body = { actor: 'Rui', reason: 'known' }
    await device.client.POST('/v1/scan/{scan_id}/admit', { params: { path: { scan_id } }, body })
    const { flag = '' } = await device.scan('ONCE-1', { offline_admitted: true })
    const id = { params: { path: { id: flag } } }
    await admin.POST('/v1/admin/flags/{id}/resolve', { ...id, body: { actor: 'Rui', resolution: 'same_person', note } })
    const nameOf = async () => {
      const path = { id: world.ticketIdOf('ONCE-1') }
      const { data } = await admin.GET('/v1/ticket/{id}', { params: { path } })
      return data?.ticket.holder_name
    }
    assert.equal(await nameOf(), 'Ana Reis')

    const early = await gatehouse(world, 'forget', '--names', '--yes', '--json')
    assert.equal(early.code, 1, early.err)
    const counts = { names: 1, emails: 1, incident_notes: 0, flag_notes: 1 }
    assert.deepEqual(JSON.parse(early.out), { forgotten: false, ...counts })
    const unsaid = await gatehouse(world, 'forget', '--names', '--early')
    assert.deepEqual(
      [unsaid.code, unsaid.out],
      [1, 'To forget: 1 names, 1 e-mail addresses, 1 notes. Nothing was changed.\n'],
    )
    assert.equal((await gatehouse(world, 'forget', '--yes')).code, 2)
    assert.equal(await nameOf(), 'Ana Reis')

    const done = await gatehouse(world, 'forget', '--names', '--early', '--yes', '--json', '--actor', 'Eva')
    assert.equal(done.code, 0, done.err)
    assert.deepEqual(JSON.parse(done.out), { forgotten: true, ...counts })
    assert.match(done.err, /tickets\.csv still exists/)
    assert.equal(await nameOf(), undefined)
    const { data: flags } = await admin.GET('/v1/admin/flags')
    assert.equal(flags?.flags[0]?.resolution?.note, null)
    assert.equal((await device.scan('ONCE-2')).verdict, 'ADMIT', 'the box goes on')

    // A start reads the event's folder again, whose file still has the name.
    await admin.POST('/v1/admin/import/tickets', {
      body: readFileSync(join(world.folder, 'event/tickets.csv'), 'utf8') as never,
      bodySerializer: (body) => body,
      headers: { 'content-type': 'application/octet-stream' },
    })
    await world.restart()
    const { data: log } = await (await world.admin()).GET('/v1/admin/log', { params: { query: { kind: 'erasure' } } })
    assert.partialDeepStrictEqual(log?.rows, [{ actor: 'Eva', address: 'command line' }])
    await world.box[Symbol.asyncDispose]()
    const files = readdirSync(data).filter((name) => name.startsWith('ledger.db'))
    const bytes = Buffer.concat(files.map((name) => readFileSync(join(data, name))))
    for (const secret of ['Ana Reis', 'ana@mail.example', note]) assert.ok(!bytes.includes(secret), secret)
    assert.deepEqual(problemsIn(data), [])
  })

  it('prints the log, newest first, filtered by subject', async () => {
    await using world = await World.open()
    const device = await world.device()
    for (const code of ['ONCE-1', 'ONCE-1', 'CREW-1']) await device.scan(code)
    const rows = async (...args: string[]) => {
      const { code, out, err } = await gatehouse(world, 'log', '--json', ...args)
      assert.ok(code === 0 || out === '', err)
      return out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    }
    const about = await rows('--kind', 'scan', '--ticket', 'ONCE-1')
    assert.deepEqual(
      about.map(({ summary }) => summary),
      ['ALREADY_USED at A entry.', 'ADMIT at A entry.'],
    )
    assert.deepEqual(
      about.map(({ device_name }) => device_name),
      ['test device', 'test device'],
    )
    const [first] = await rows('--rows', '1')
    const rest = await rows('--after', String(first.index), '--rows', '1000')
    assert.deepEqual(
      [first, ...rest].map(({ index }) => index),
      Array.from({ length: first.index + 1 }, (_, i) => first.index - i),
    )
    assert.deepEqual(await rows('--device', 'nobody'), [])
    const text = await gatehouse(world, 'log', '--kind', 'invite')
    assert.match(text.out, /^ +\d+ {2}2\S+Z {2}invite {2,}admin made an invite for a scanner\. \(command line\)\n$/)
    assert.equal((await gatehouse(world, 'log', '--kind', 'gossip')).code, 2)
    const params = { path: { id: 'a' } }
    const body = { actor: 'Rui\u009b2J', reason: 'full\n       1  2026-07-04T12:00:00.000Z  scan               forged' }
    await (await world.admin()).POST('/v1/admin/gates/{id}/hold', { params, body })
    const held = await gatehouse(world, 'log', '--kind', 'hold')
    assert.match(held.out, /^ *\d+ .* Rui\?2J held Gate A: full\? .*forged \(127\.0\.0\.1\)\n$/)
    const unknown = await gatehouse(world, 'log', '--ticket', 'SECRET-9')
    assert.deepEqual([unknown.code, unknown.err.includes('SECRET')], [2, false])
  })
})

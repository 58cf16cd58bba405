/** The admin token as the key under the glass, and tokens of other programs. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { eq } from '../../src/drizzle/core.ts'
import { adminTokens, apiTokens, people } from '../../src/ledger/staff-schema.ts'
import { ask, assertFailure, closedSoon, openStream } from '../world/ask.ts'
import { cli } from '../world/programs.ts'
import { World } from '../world/world.ts'
import { addPerson, isOnDisk, signIn } from './world.ts'

let world: World
let ca: string
/** For one suite. */
function openWorld(): void {
  before(async () => {
    world = await World.open()
    ca = await world.ca
  })
  after(() => world[Symbol.asyncDispose]())
}

describe('the admin token', () => {
  openWorld()
  const get = (token: string, path = '/v1/admin/stats') =>
    ask(world.box.ports.https, path, { tls: { ca }, headers: { authorization: `Bearer ${token}` } })
  const file = () => join(world.environment.GATEHOUSE_DATA_DIR ?? '', 'admin-token')
  const uses = () =>
    world.box.ledger.read(0, 10_000).filter(({ kind, fields }) => kind === 'admin_token' && fields.action === 'used')

  it('is the usual way in, and no incident, for as long as nobody is on the list', async () => {
    const { status, text } = await get(world.box.adminToken)
    assert.equal(status, 200)
    assert.equal(JSON.parse(text).admin_token_used, undefined)
    assert.equal(uses().length, 0)
  })

  it('is an entry and shown once people sign in with their names: once for each address in ten minutes', async () => {
    await addPerson(await world.admin(), 'Ada', 'admin')
    for (let i = 0; i < 5; i++) await get(world.box.adminToken)
    assert.equal(uses().length, 1)
    const ada = await signIn(world, 'Ada')
    const { data } = await ada.client.GET('/v1/admin/stats')
    assert.partialDeepStrictEqual(data?.admin_token_used, { count: 1, last_address: '127.0.0.1' })
    world.offsetMs += 11 * 60_000
    await get(world.box.adminToken)
    assert.equal(uses().length, 2)
    const { data: log } = await ada.client.GET('/v1/admin/log', { params: { query: { kind: 'admin_token' } } })
    assert.match(log?.rows[0]?.summary ?? '', /The admin token was used/)
  })

  it('is a warning until a person has seen it: over a restart, not by the token itself, and shown anew when it is used again', async () => {
    const { client } = await signIn(world, 'Ada')
    const shown = async () => (await client.GET('/v1/admin/stats')).data?.admin_token_used?.count
    assert.equal(await shown(), 2)
    await world.restart()
    const ada = await signIn(world, 'Ada')
    const { data: after } = await ada.client.GET('/v1/admin/stats')
    assert.equal(after?.admin_token_used?.count, 2, 'no restart takes it away')
    const { data: made } = await ada.client.POST('/v1/admin/tokens', {
      body: { name: 'x', role: 'admin', days: 1, operations: ['acknowledgeAdminToken'] },
    })
    for (const token of [world.box.adminToken, made?.token ?? assert.fail()]) {
      const { error } = await (await world.admin(token)).POST('/v1/admin/token/seen', { body: {} })
      assert.equal(error?.code, 'not_allowed')
    }
    const from = world.box.ledger.size
    for (let i = 0; i < 2; i++) {
      const { response } = await ada.client.POST('/v1/admin/token/seen', { body: { actor: 'Somebody Else' } })
      assert.equal(response.status, 204)
    }
    const entries = world.box.ledger.read(from, 10)
    assert.deepEqual(
      entries.map(({ kind, fields }) => [kind, (fields as { actor: string }).actor, (fields as { via: string }).via]),
      [['admin_token', 'Ada', ada.session]],
      'there was nothing to see the second time',
    )
    const stats = async () => (await ada.client.GET('/v1/admin/stats')).data?.admin_token_used?.count
    assert.equal(await stats(), undefined)
    const { data: log } = await ada.client.GET('/v1/admin/log', { params: { query: { kind: 'admin_token' } } })
    assert.match(log?.rows[0]?.summary ?? '', /^Ada has seen that the admin token was used/)
    // Within ten minutes, and from the same address.
    await get(world.box.adminToken)
    assert.equal(await stats(), 1)
  })

  it('is replaced at once by the dashboard: the old one opens nothing, its streams end, sessions go on', async () => {
    const old = world.box.adminToken
    const headers = { authorization: `Bearer ${old}` }
    const stream = await openStream(world.box.ports.https, '/v1/admin/stream', { headers, tls: { ca } })
    const ada = await signIn(world, 'Ada')
    const { data } = await ada.client.POST('/v1/admin/token/rotate', { body: {} })
    const token = data?.token ?? assert.fail()
    assert.notEqual(token, old)
    await closedSoon(stream)
    assertFailure(await get(old), 'bad_token')
    assert.equal((await get(token)).status, 200)
    assert.equal((await get(ada.token)).status, 200)
    assert.equal(readFileSync(file(), 'utf8').trim(), token)
    assert.equal(statSync(file()).mode & 0o777, 0o600)
    assert.ok(!isOnDisk(world, token, 'admin-token'))
    await world.restart()
    assert.equal(world.box.adminToken, token)
    assert.equal((await get(token)).status, 200)
    assertFailure(await get(old), 'bad_token')
  })

  it('is replaced by the command beside the box that runs', async () => {
    const old = world.box.adminToken
    const { stdout } = await promisify(execFile)(process.execPath, [cli(), 'token', 'rotate', '--json'], {
      env: world.environment,
    })
    const { token } = JSON.parse(stdout)
    world.box.ledger.transact(() => undefined)
    assertFailure(await get(old), 'bad_token')
    assert.equal((await get(token)).status, 200)
  })

  it('is another one when its file was removed, as before', async () => {
    const old = readFileSync(file(), 'utf8').trim()
    await world.restart(async () => rmSync(file()))
    assert.notEqual(world.box.adminToken, old)
    assert.equal((await get(world.box.adminToken)).status, 200)
    assertFailure(await get(old), 'bad_token')
  })
})

describe('the token of a program', () => {
  openWorld()
  const get = (token: string) =>
    ask(world.box.ports.https, '/v1/admin/holds', { tls: { ca }, headers: { authorization: `Bearer ${token}` } })
  const make = async (name: string, days = 1) => {
    const { data } = await (await world.admin()).POST('/v1/admin/tokens', { body: { name, role: 'operator', days } })
    return data ?? assert.fail()
  }

  it('is shown once, stored as its hash, and seen with last use and address', async () => {
    const { token, api_token } = await make('Lights')
    assert.equal(api_token.last_used_at, null)
    assert.equal((await get(token)).status, 200)
    const { data } = await (await world.admin()).GET('/v1/admin/tokens')
    const listed = data?.tokens.find(({ id }) => id === api_token.id)
    assert.equal(listed?.last_address, '127.0.0.1')
    assert.ok(Math.abs(Date.parse(listed?.last_used_at ?? '') - world.now()) < 60_000)
    assert.ok(!JSON.stringify(data).includes(token))
    assert.ok(!isOnDisk(world, token))
  })

  it('acts under its own name, and not under the one of a field', async () => {
    const { token, api_token } = await make('Big Screen')
    const client = await world.admin(token)
    await client.POST('/v1/admin/announce', { body: { text: 'Hi', severity: 'info', actor: 'Ada' } })
    const entry = world.box.ledger.read(0, 10_000).findLast(({ kind }) => kind === 'announcement')
    assert.partialDeepStrictEqual(entry?.fields, { actor: 'Big Screen', via: api_token.id })
  })

  it('ends when it expires, and when it is revoked, with its streams', async () => {
    const [brief, revoked] = [await make('Brief'), await make('Revoked', 30)]
    const headers = { authorization: `Bearer ${revoked.token}` }
    const stream = await openStream(world.box.ports.https, '/v1/admin/stream', { headers, tls: { ca } })
    const params = { path: { id: revoked.api_token.id } }
    await (await world.admin()).POST('/v1/admin/tokens/{id}/revoke', { params, body: {} })
    await closedSoon(stream)
    assertFailure(await get(revoked.token), 'bad_token')
    assert.equal((await get(brief.token)).status, 200)
    world.offsetMs += 86_400_001
    assertFailure(await get(brief.token), 'bad_token')
  })
})

describe('a way in that somebody writes into the file', () => {
  it('is named by verify: a person, a role, a PIN, a token of a program, an admin token', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const id = await addPerson(admin, 'Ada', 'viewer')
    await admin.POST('/v1/admin/tokens', { body: { name: 'Lights', role: 'viewer', days: 1 } })
    await admin.POST('/v1/admin/token/rotate', { body: {} })
    await world.restart()
    const kinds = async () => {
      const { data } = await (await world.admin()).GET('/v1/admin/verify')
      return data?.problems.map(({ kind }) => kind).sort() ?? assert.fail()
    }
    assert.deepEqual(await kinds(), [])
    const { drizzle } = world.box.ledger.db
    const row = drizzle.select().from(people).get() ?? assert.fail()
    world.box.ledger.transact(() => {
      drizzle
        .insert(people)
        .values({ ...row, id: 'per-forged', name: 'Forged' })
        .run()
      drizzle.update(people).set({ role: 'admin' }).where(eq(people.id, id)).run()
      drizzle.update(apiTokens).set({ role: 'admin' }).run()
      drizzle
        .insert(adminTokens)
        .values({ hash: '00'.repeat(32), hlc: row.hlc, entry: 0 })
        .run()
    })
    const forged = ['admin_token_unexplained', 'api_token_differs', 'person_differs', 'person_unexplained']
    assert.deepEqual(await kinds(), forged)
    world.box.ledger.transact(() =>
      drizzle.update(people).set({ role: 'viewer', secret: 'another' }).where(eq(people.id, id)).run(),
    )
    assert.deepEqual(await kinds(), forged)
  })
})

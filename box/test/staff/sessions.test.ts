/** People sign in as themselves: what a guesser, a thief and a removed person get, and what the record says. */
import assert from 'node:assert/strict'
import { platform } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { ask, assertFailure, closedSoon, openStream } from '../world/ask.ts'
import { World } from '../world/world.ts'
import { addPerson, isOnDisk, PIN, signIn, trySignIn } from './world.ts'

const TRIES = { wrong: '999998' }
const OTHER_ADDRESS = platform() !== 'linux' && 'needs a second address of loopback, which Linux has'

describe('signing in', () => {
  let world: World
  let ca: string
  before(async () => {
    world = await World.open()
    ca = await world.ca
    const admin = await world.admin()
    await addPerson(admin, 'Ada Admin', 'admin')
    await addPerson(admin, 'Otto Pérez', 'operator')
  })
  after(() => world[Symbol.asyncDispose]())
  const get = (path: string, token?: string, headers: Record<string, string> = {}) =>
    ask(world.box.ports.https, path, {
      tls: { ca },
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    })
  /** Rates begin anew. */
  const later = () => {
    world.elapsedMs += 2 * 3_600_000
  }

  it('takes name and PIN, the name in any case and with any blanks, and says who it is', async () => {
    for (const name of ['Otto Pérez', '  otto   PÉREZ ']) {
      const { client } = await signIn(world, name)
      const { data } = await client.GET('/v1/admin/session')
      assert.partialDeepStrictEqual(data, { way: 'session', role: 'operator', name: 'Otto Pérez', people: true })
    }
  })

  it('answers in one way to a wrong PIN, an unknown name, and somebody who was removed', async () => {
    later()
    const admin = await world.admin()
    const id = await addPerson(admin, 'Gone Soon', 'desk')
    await admin.POST('/v1/admin/staff/{id}/remove', { params: { path: { id } }, body: {} })
    const answers = [
      await trySignIn(world, 'Otto Pérez', TRIES.wrong),
      await trySignIn(world, 'Nobody Known', PIN),
      await trySignIn(world, 'Gone Soon', PIN),
      await trySignIn(world, 'Otto Pérez', 'x'.repeat(500)),
      await trySignIn(world, '__proto__', PIN),
    ]
    for (const answer of answers) assertFailure(answer, 'bad_token')
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    for (const { headers } of answers)
      assert.equal(headers['www-authenticate'], 'Bearer', 'no browser asks for a password')
  })

  it('slows down and locks by name and network together: after that the right PIN is refused from there too', async () => {
    later()
    world.holdRates()
    const codes: string[] = []
    for (let i = 0; i < 40; i++) {
      const { status, headers } = await trySignIn(world, 'Otto Pérez', TRIES.wrong)
      codes.push(String(status))
      if (status === 429) world.elapsedMs += Number(headers['retry-after']) * 1000
      if (Number(headers['retry-after'] ?? 0) > 600) break
    }
    assert.deepEqual(codes.slice(0, 5), ['401', '401', '401', '401', '401'])
    assert.ok(codes.includes('429') && codes.filter((code) => code === '401').length === 10, codes.join(' '))
    world.elapsedMs -= 60_000
    assertFailure(await trySignIn(world, 'Otto Pérez', PIN), 'rate_limited')
    // Somebody else, behind the same address.
    await signIn(world, 'Ada Admin')
    const { data } = await (await world.admin()).GET('/v1/admin/stats')
    assert.ok((data?.failed_sign_ins?.count ?? 0) >= 10)
    assert.equal(data?.failed_sign_ins?.last_address, '127.0.0.1')
    later()
    await signIn(world, 'Otto Pérez')
  })

  it('lets people in while another network tries hundreds of names', { skip: OTHER_ADDRESS }, async () => {
    later()
    world.holdRates()
    const flood = Array.from({ length: 100 }, (_, i) => trySignIn(world, `Nobody ${i}`, TRIES.wrong, {}, '127.0.0.2'))
    assert.equal((await trySignIn(world, 'Otto Pérez')).status, 201)
    const codes = (await Promise.all(flood)).map(({ status }) => status)
    assert.equal(codes.filter((code) => code === 401).length, 20, 'computed; the others cost nothing')
    assert.equal(codes.filter((code) => code === 429).length, 80)
    const fromThere = () => trySignIn(world, 'Ada Admin', PIN, {}, '127.0.0.2')
    assertFailure(await fromThere(), 'rate_limited')
    world.elapsedMs += 1000
    assert.equal((await fromThere()).status, 201)
    await Promise.all([1, 2, 3].map((i) => trySignIn(world, `Nobody ${i}`, TRIES.wrong, {}, '127.0.0.2')))
    assert.equal((await fromThere()).status, 201, 'has signed in there')
  })

  it('makes a new token each time, takes none from a request, and stores none', async () => {
    later()
    const planted = `gs_${'A'.repeat(43)}`
    const one = await trySignIn(world, 'Ada Admin', PIN, { cookie: `session=${planted}`, 'x-session': planted })
    const [first, second] = [JSON.parse(one.text).token, (await signIn(world, 'Ada Admin')).token]
    assert.ok(first !== planted && first !== second && /^gs_[A-Za-z0-9_-]{43}$/.test(first))
    assert.equal(one.headers['set-cookie'], undefined)
    assert.equal(one.headers['cache-control'], 'no-store')
    assertFailure(await get('/v1/admin/stats', planted), 'bad_token')
    for (const secret of [first, second, PIN]) assert.ok(!isOnDisk(world, secret))
  })

  it('needs a header that no other page can send: no cookie counts, and no page of another site is answered', async () => {
    const { token } = await signIn(world, 'Ada Admin')
    assertFailure(await get('/v1/admin/stats', undefined, { cookie: `token=${token}` }), 'bad_token')
    assertFailure(await get(`/v1/admin/stats?token=${token}`), 'bad_token')
    const crossed = await get('/v1/admin/stats', token, { origin: 'https://evil.example' })
    assert.equal(crossed.headers['access-control-allow-origin'], undefined)
    const preflight = await ask(world.box.ports.https, '/v1/admin/stats', {
      method: 'OPTIONS',
      tls: { ca },
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    assert.equal(preflight.headers['access-control-allow-origin'], undefined)
  })

  it('is over when the person signs out, after 16 hours, and after 4 hours without a request', async () => {
    const out = await signIn(world, 'Otto Pérez')
    await out.client.POST('/v1/admin/session/end')
    assertFailure(await get('/v1/admin/stats', out.token), 'bad_token')
    const idle = await signIn(world, 'Otto Pérez')
    world.offsetMs += 3.9 * 3_600_000
    assert.equal((await get('/v1/admin/holds', idle.token)).status, 200)
    world.offsetMs += 4.1 * 3_600_000
    assertFailure(await get('/v1/admin/holds', idle.token), 'bad_token')
    const long = await signIn(world, 'Otto Pérez')
    for (let hour = 0; hour < 16; hour += 2) {
      assert.equal((await get('/v1/admin/holds', long.token)).status, 200, `${hour} h`)
      world.offsetMs += 2 * 3_600_000
    }
    assertFailure(await get('/v1/admin/holds', long.token), 'bad_token')
  })

  it('goes on after a restart of the box, and what had ended stays ended', async () => {
    const [kept, ended] = [await signIn(world, 'Otto Pérez'), await signIn(world, 'Otto Pérez')]
    await ended.client.POST('/v1/admin/session/end')
    await world.restart()
    assert.equal((await get('/v1/admin/holds', kept.token)).status, 200)
    assertFailure(await get('/v1/admin/holds', ended.token), 'bad_token')
  })

  it('ends with the person: streams close within a second, and the next request is refused', async () => {
    for (const how of ['removed', 'role', 'PIN', 'session'] as const) {
      later()
      const admin = await signIn(world, 'Ada Admin')
      const id = await addPerson(admin.client, `Short ${how}`, 'operator')
      const short = await signIn(world, `Short ${how}`)
      const headers = { authorization: `Bearer ${short.token}` }
      const stream = await openStream(world.box.ports.https, '/v1/admin/stream', { headers, tls: { ca } })
      const params = { path: { id } }
      if (how === 'removed') await admin.client.POST('/v1/admin/staff/{id}/remove', { params, body: {} })
      if (how === 'role') await admin.client.POST('/v1/admin/staff/{id}', { params, body: { role: 'viewer' } })
      if (how === 'PIN') await admin.client.POST('/v1/admin/staff/{id}', { params, body: { secret: '862405' } })
      if (how === 'session')
        await admin.client.POST('/v1/admin/sessions/{id}/end', { params: { path: { id: short.session } }, body: {} })
      await closedSoon(stream)
      assertFailure(await get('/v1/admin/holds', short.token), 'bad_token', how)
    }
  })

  it('writes into each act the person and the session, whatever the field says', async () => {
    later()
    const otto = await signIn(world, 'Otto Pérez')
    const { data: me } = await otto.client.GET('/v1/admin/session')
    const from = world.box.ledger.size
    const said = { actor: 'Ada Admin', reason: 'a crush' }
    const { gate } = world.box.event.checkpoints[0] ?? assert.fail()
    const path = { id: gate }
    await otto.client.POST('/v1/admin/gates/{id}/hold', { params: { path }, body: said })
    await otto.client.POST('/v1/admin/gates/{id}/release', { params: { path }, body: { actor: 'Ada Admin' } })
    await otto.client.POST('/v1/admin/announce', { body: { text: 'Hello', severity: 'info', actor: 'Ada Admin' } })
    await otto.client.PUT('/v1/admin/mode', { body: { mode: 'DEGRADED', ...said } })
    const device = await world.device()
    const entriesOfPairing = world.box.ledger.size
    await otto.client.POST('/v1/admin/devices/{id}/revoke', {
      params: { path: { id: device.paired.id } },
      body: said,
    })
    const acts = world.box.ledger
      .read(from, 100)
      .filter(({ kind, index }) => index < entriesOfPairing - 2 || kind === 'device_revoked')
    assert.deepEqual(
      acts.map(({ kind }) => kind),
      ['hold', 'hold_released', 'announcement', 'mode', 'device_revoked'],
    )
    for (const { kind, fields } of acts) {
      const { actor, person, via } = fields as unknown as Record<string, string>
      assert.deepEqual([actor, person, via], ['Otto Pérez', me?.person, otto.session], kind)
    }
    const { data: log } = await otto.client.GET('/v1/admin/log', { params: { query: { kind: 'hold' } } })
    assert.equal(log?.rows[0]?.actor, 'Otto Pérez')
  })

  it('refuses weak PINs and passwords, a second person of one name, and the end of the last admin', async () => {
    later()
    const { client } = await signIn(world, 'Ada Admin')
    const weak = [
      '12345',
      '000000',
      '123456',
      '987654',
      '121212',
      '123123',
      '159753',
      'short',
      'password',
      'starwars',
      'aaaaaaaa',
      'adminadmin',
    ]
    for (const secret of weak) {
      const { error } = await client.POST('/v1/admin/staff', { body: { name: 'New Admin', role: 'viewer', secret } })
      assert.equal(error?.code, 'bad_request', secret)
    }
    const twice = await client.POST('/v1/admin/staff', { body: { name: 'OTTO  pérez', role: 'viewer', secret: PIN } })
    assert.equal(twice.error?.code, 'conflict')
    const { data } = await client.GET('/v1/admin/staff')
    const params = { path: { id: data?.people.find(({ name }) => name === 'Ada Admin')?.id ?? '' } }
    const last = await client.POST('/v1/admin/staff/{id}/remove', { params, body: {} })
    const demoted = await client.POST('/v1/admin/staff/{id}', { params, body: { role: 'viewer' } })
    assert.deepEqual([last.error?.code, demoted.error?.code], ['conflict', 'conflict'])
  })

  it('lets people change their own PIN, with the one before', async () => {
    later()
    await addPerson(await world.admin(), 'Own Pin', 'viewer')
    const { client, token } = await signIn(world, 'Own Pin')
    const wrong = await client.POST('/v1/admin/session/secret', { body: { current: '111222', secret: '862405' } })
    assert.equal(wrong.error?.code, 'not_allowed')
    await client.POST('/v1/admin/session/secret', { body: { current: PIN, secret: '862405' } })
    assertFailure(await get('/v1/admin/holds', token), 'bad_token')
    assertFailure(await trySignIn(world, 'Own Pin'), 'bad_token')
    await signIn(world, 'Own Pin', '862405')
  })
})

/**
 * Pages of other sites, and sessions that an attacker has planted. No cookie is set and none is read, so nothing that a browser adds by
 * itself opens anything; what a page has to add, its browser asks the box about first, and the box allows no other site.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { grantOf } from '@gatehouse/proto/operations.ts'
import { type Ask, ask, assertFailure } from '../world/ask.ts'
import { operationsOf } from '../world/operations.ts'
import { World } from '../world/world.ts'
import { invite, newKey, publicKeyOf } from './tablet.ts'
import { addPerson, PIN, signIn, trySignIn } from './world.ts'

const EVIL = 'https://evil.example'
/** Types of body that a form or a script of another site may send without being asked about first (Fetch, 4.10). */
const SIMPLE = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']

describe('a page of another site', () => {
  let world: World
  let ca: string
  before(async () => {
    world = await World.open()
    ca = await world.ca
    const admin = await world.admin()
    await addPerson(admin, 'Ada Admin', 'admin')
    await addPerson(admin, 'Otto', 'operator')
  })
  after(() => world[Symbol.asyncDispose]())
  const send = (path: string, options: Ask = {}) => ask(world.box.ports.https, path, { ...options, tls: { ca } })
  const admins = () => operationsOf(world.box).filter(({ tier }) => tier === 'admin')

  it('is told of no operation of the control room that its browser may ask, with no method and no header', async () => {
    for (const { path, method, operation } of admins()) {
      const { headers } = await send(path, {
        method: 'OPTIONS',
        headers: {
          origin: EVIL,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization, content-type',
        },
      })
      for (const name of Object.keys(headers)) assert.ok(!name.startsWith('access-control-'), operation.operationId)
    }
  })

  it('does nothing with what a browser sends without asking: cookies, forms, text', async () => {
    const { token } = await signIn(world, 'Ada Admin')
    const from = world.box.ledger.size
    const cookie = `token=${token}; session=${token}; authorization=Bearer ${token}`
    for (const { path, method, operation } of admins()) {
      for (const type of SIMPLE) {
        world.elapsedMs += 15 * 60_000
        const { status, headers } = await send(path, {
          method,
          headers: { origin: EVIL, cookie, 'content-type': type },
          ...(method !== 'GET' && { body: '{}' }),
        })
        const id = operation.operationId ?? ''
        const isOpen = grantOf(id)?.role === 'signing_in'
        assert.ok(isOpen ? status < 300 || status >= 400 : status === 401, `${id}: ${status}`)
        assert.equal(headers['set-cookie'], undefined, id)
        assert.equal(headers['access-control-allow-origin'], undefined, id)
      }
    }
    assert.equal(world.box.ledger.size, from, 'nothing was recorded, and nobody is signed in')
  })

  it('signs nobody in by a form: what opens a session takes JSON alone, which a browser asks about first', async () => {
    const id = await addPerson(await world.admin(), 'Tilda', 'viewer')
    const code = await invite(world, id)
    const body = JSON.stringify({ code, public_key: publicKeyOf(newKey()) })
    const pairing = (type: string) =>
      send('/v1/admin/session/pair', { method: 'POST', headers: { origin: EVIL, 'content-type': type }, body })
    for (const type of SIMPLE) assertFailure(await pairing(type), 'bad_request', type)
    assert.equal((await pairing('application/json')).status, 201, 'the same bytes, from a page that may send them')
  })

  it('takes over no session that was there before: signing in makes another token, for whoever gave the PIN', async () => {
    const planted = (await signIn(world, 'Otto')).token
    const { status, text, headers } = await trySignIn(world, 'Ada Admin', PIN, {
      cookie: `token=${planted}; session=${planted}`,
      'x-session': planted,
      'x-token': planted,
    })
    assert.equal(status, 201)
    assert.equal(headers['set-cookie'], undefined)
    const own = JSON.parse(text)
    assert.notEqual(own.token, planted)
    const whose = async (token: string) =>
      JSON.parse((await send('/v1/admin/session', { headers: { authorization: `Bearer ${token}` } })).text).name
    assert.deepEqual([await whose(planted), await whose(own.token)], ['Otto', 'Ada Admin'])
  })

  it('is of no use once the person has signed out, and neither is the session that was open before another sign-in', async () => {
    const [first, second] = [await signIn(world, 'Otto'), await signIn(world, 'Otto')]
    assert.ok(first.token !== second.token && first.session !== second.session)
    await first.client.POST('/v1/admin/session/end')
    const get = (token: string) => send('/v1/admin/holds', { headers: { authorization: `Bearer ${token}` } })
    assertFailure(await get(first.token), 'bad_token')
    assert.equal((await get(second.token)).status, 200, 'the other one is another session')
    await second.client.POST('/v1/admin/session/end')
    assertFailure(await get(second.token), 'bad_token')
  })

  it('has what was confirmed with a PIN in one session confirmed in no other', async () => {
    const old = await signIn(world, 'Ada Admin')
    world.offsetMs += 3 * 60_000
    await signIn(world, 'Ada Admin')
    const { error } = await old.client.POST('/v1/admin/token/rotate', { body: {} })
    assert.equal(error?.code, 'confirm_needed')
  })
})

/**
 * Issue 4, "what must be seen", 6: whoever has not the admin token is told so, on every admin route of the route table,
 * and nothing else, whatever they send.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, type Ask, ask } from './ask.ts'
import { operationsOf, type Walked } from './operations.ts'
import { type TestDevice, World } from './world.ts'

describe('an admin route', () => {
  let world: World
  let device: TestDevice
  let ca: string
  let routes: Walked[]
  before(async () => {
    world = await World.open()
    device = await world.supervisor()
    ca = await world.ca
    routes = operationsOf(world.box).filter(({ tier }) => tier === 'admin')
  })
  after(() => world[Symbol.asyncDispose]())

  const at = (path: string, options: Ask) => ask(world.box.ports.https, path, { ...options, tls: { ca } })
  const bodyFor = (method: string) => (method === 'GET' || method === 'HEAD' ? {} : { body: '{}' })

  function assertTurnedAway({ status, headers, text }: Answer, what: string): void {
    assert.equal(status, 401, what)
    const { code, message, ...more } = JSON.parse(text)
    assert.deepEqual([code, typeof message, more], ['bad_token', 'string', {}], what)
    assert.equal(headers.etag, undefined, what)
  }

  it('is one of many, and every one of them is walked', () => {
    const paths = routes.map(({ template }) => template)
    for (const path of ['/v1/admin/invite', '/v1/admin/tickets/{id}/revoke', '/v1/admin/import/tickets']) {
      assert.ok(paths.includes(path), path)
    }
    assert.ok(routes.every(({ template }) => template.startsWith('/v1/admin/')))
    const others = operationsOf(world.box).filter(({ tier }) => tier !== 'admin')
    assert.ok(others.every(({ template }) => !template.startsWith('/v1/admin')))
  })

  it('answers 401 bad_token to everybody without its token', async () => {
    const { adminToken } = world.box
    const { token } = device.paired
    const flipped = `${adminToken.slice(0, -1)}${adminToken.endsWith('A') ? 'B' : 'A'}`
    assert.equal(flipped.length, adminToken.length)
    const credentials: Record<string, string | string[] | undefined> = {
      nothing: undefined,
      'an empty header': '',
      'an empty Bearer': 'Bearer',
      'a Bearer of blanks': 'Bearer   ',
      "a device's token": `Bearer ${token}`,
      'another token of the same length': `Bearer ${flipped}`,
      'the token, one character short': `Bearer ${adminToken.slice(0, -1)}`,
      'the token, with more behind it': `Bearer ${adminToken}A`,
      'the token in another case': `Bearer ${adminToken.toUpperCase()}`,
      'the token alone': adminToken,
      'the token in Basic': `Basic ${Buffer.from(`admin:${adminToken}`).toString('base64')}`,
      'the token twice in one header': `Bearer ${adminToken}, Bearer ${adminToken}`,
      'the token in two headers': [`Bearer ${adminToken}`, `Bearer ${adminToken}`],
      'the token in the second header': [`Bearer ${flipped}`, `Bearer ${adminToken}`],
    }
    for (const [who, authorization] of Object.entries(credentials)) {
      for (const { method, path } of routes) {
        const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) }
        const answer = await at(path, { method, headers, ...bodyFor(method) })
        assertTurnedAway(answer, `${method} ${path} with ${who}`)
      }
    }
  })

  it('does so whatever else is wrong with the request', async () => {
    for (const { method, path } of routes) {
      const requests: [what: string, path: string, Ask][] = [
        ['a token in the query', `${path}?token=${world.box.adminToken}`, {}],
        ['a query it does not know', `${path}?limit=-1&x=y`, {}],
        ['an id that is none', path.replace('some-id', '%00'), {}],
        ['no JSON', path, { headers: { 'content-type': 'application/json' }, body: '{' }],
        ['another type', path, { headers: { 'content-type': 'text/x-unknown' }, body: 'x' }],
      ]
      for (const [what, target, options] of requests) {
        if (options.body !== undefined && method === 'GET') continue
        assertTurnedAway(await at(target, { method, ...options }), `${method} ${path} with ${what}`)
      }
    }
  })

  it('tells a HEAD or a wrong method nothing either', async () => {
    const known = new Set(routes.map(({ method, path }) => `${method} ${path}`))
    const stranger = await at('/v1/admin/no-such-route', { headers: { authorization: 'Bearer x' } })
    for (const path of new Set(routes.map(({ path }) => path))) {
      const head = await at(path, { method: 'HEAD' })
      assert.deepEqual([head.text, head.headers.etag, head.status >= 400], ['', undefined, true], path)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (known.has(`${method} ${path}`)) continue
        const { status, text } = await at(path, { method })
        assert.deepEqual([status, text], [stranger.status, stranger.text], `${method} ${path}`)
      }
    }
  })

  it('is on no other port', async () => {
    const { paired } = device
    const authorization = `Bearer ${world.box.adminToken}`
    for (const { method, path } of routes) {
      const open = await ask(world.box.ports.http, path, { method, headers: { authorization } })
      const tls = { ca, cert: paired.certificate, key: paired.key }
      const onDevicePort = await ask(world.box.ports.device, path, { method, headers: { authorization }, tls })
      for (const { status } of [open, onDevicePort]) assert.equal(status, 404, `${method} ${path}`)
    }
  })
})

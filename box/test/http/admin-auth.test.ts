/**
 * Issue 4, "what must be seen", 6: without the admin token, every admin route of the route table answers so,
 * and nothing else, whatever they send.
 */
import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { type Answer, type Ask, ask, assertFailure } from '../world/ask.ts'
import type { TestDevice } from '../world/device.ts'
import { operationsOf, type Walked } from '../world/operations.ts'
import { World } from '../world/world.ts'

describe('an admin route', () => {
  let world: World
  let device: TestDevice
  let ca: string
  let routes: Walked[]
  let asked = 0
  const agent = new Agent({ keepAlive: true })
  before(async () => {
    world = await World.open()
    device = await world.supervisor()
    ca = await world.ca
    // Somebody who is signing in has the proof in the body.
    routes = operationsOf(world.box).filter(
      ({ tier, operation }) => tier === 'admin' && operation['x-role'] !== 'signing_in',
    )
  })
  after(async () => {
    agent.destroy()
    await world[Symbol.asyncDispose]()
  })

  const at = (path: string, options: Ask) => {
    // Wrong tokens are slowed down by address after the tenth: then the next one comes a quarter of an hour later.
    if (++asked % 10 === 0) world.elapsedMs += 15 * 60_000
    return ask(world.box.ports.https, path, { ...options, tls: { ca }, agent: agent as never })
  }
  const bodyFor = (method: string) => (method === 'GET' || method === 'HEAD' ? {} : { body: '{}' })

  function assertTurnedAway({ status, headers, text }: Answer, what: string): void {
    assert.equal(status, 401, what)
    const { code, message, ...more } = JSON.parse(text)
    assert.deepEqual([code, typeof message, more], ['bad_token', 'string', {}], what)
    assert.equal(headers.etag, undefined, what)
  }

  it('is covered: every one of them is tried here', () => {
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

  it('answers so whatever else is wrong with the request', async () => {
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

  it('answers HEAD and wrong methods in the same way', async () => {
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

  it('is slow for an address that tries wrong tokens, counts and shows them, and stays open for the right one', async () => {
    const lines: string[] = []
    await using own = await World.open({ log: { write: (line) => void lines.push(line) } })
    own.holdRates()
    const tls = { ca: await own.ca }
    const withToken = (token: string) =>
      ask(own.box.ports.https, '/v1/admin/stats', { tls, headers: { authorization: `Bearer ${token}` } })
    const bare = await ask(own.box.ports.https, '/v1/admin/stats', { tls })
    assert.equal(bare.status, 401)
    assert.equal(JSON.parse((await withToken(own.box.adminToken)).text).wrong_tokens, undefined, 'no token is no guess')

    const guess = 'SECRET-GUESS-of-43-characters-or-about-that'
    const answers: Answer[] = []
    for (let i = 0; i < 30; i++) answers.push(await withToken(guess))
    assert.deepEqual([...new Set(answers.slice(0, 11).map(({ status }) => status))], [401])
    const limited = answers.filter(({ status }) => status === 429)
    assert.ok(limited.length >= 10, `${limited.length} of 30`)
    for (const answer of limited) {
      assertFailure(answer, 'rate_limited')
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    }
    const right = await withToken(own.box.adminToken)
    assert.equal(right.status, 200, 'at once, from the same address')
    const { count, last_at, last_address } = JSON.parse(right.text).wrong_tokens
    assert.deepEqual([count, last_address], [30, '127.0.0.1'])
    assert.ok(Math.abs(Date.parse(last_at) - own.now()) < 60_000)
    const logged = lines.filter((line) => line.includes('wrong_admin_token'))
    assert.ok(logged.length >= 1 && logged.length <= 3, `${logged.length} lines`)
    assert.ok(!lines.join('').includes('SECRET-GUESS'))
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

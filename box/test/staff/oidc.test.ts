/** Signing in with the organiser's OpenID provider: what it takes, what a liar and a thief get, and the provider gone. */
import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { type Answer, ask, assertFailure, openStream } from '../world/ask.ts'
import { World } from '../world/world.ts'
import { rsaKey, TestProvider } from './provider.ts'
import { askAs, invite, pair } from './tablet.ts'
import { addPerson, isOnDisk, PIN, signIn, trySignIn } from './world.ts'

interface Begun {
  url: string
  state: string
  secret: string
}

/** A box, and the pages of its dashboard as they go through a sign-in. */
class Way implements AsyncDisposable {
  readonly provider: TestProvider
  readonly world: World
  readonly #ca: string

  constructor(provider: TestProvider, world: World, ca: string) {
    this.provider = provider
    this.world = world
    this.#ca = ca
  }

  static async open(more: Parameters<typeof World.open>[0] = {}, how: { inUserinfo?: boolean } = {}): Promise<Way> {
    const provider = await TestProvider.open()
    const environment = { ...provider.environment, ...more.environment }
    const world = await World.open({ ...more, environment })
    provider.serve(`${world.box.baseUrl}/dashboard/`, how)
    return new Way(provider, world, await world.ca)
  }

  post(path: string, body?: object): Promise<Answer> {
    return ask(this.world.box.ports.https, path, {
      method: 'POST',
      tls: { ca: this.#ca },
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  }

  get(path: string, token: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}` }
    return ask(this.world.box.ports.https, path, { tls: { ca: this.#ca }, headers })
  }

  async begin(): Promise<Begun> {
    const { status, text } = await this.post('/v1/admin/session/provider')
    assert.equal(status, 201, text)
    return JSON.parse(text)
  }

  /** @param query of the address to which the provider sent the browser */
  finish({ state, secret }: Begun, query: string): Promise<Answer> {
    return this.post('/v1/admin/session/provider/finish', { state, secret, answer: query })
  }

  async through(account: string): Promise<Answer> {
    const begun = await this.begin()
    return this.finish(begun, (await this.provider.walk(begun.url, account)).search)
  }

  async enter(account: string): Promise<NewSession> {
    const { status, text } = await this.through(account)
    assert.equal(status, 201, text)
    return JSON.parse(text)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]()
    await this.provider[Symbol.asyncDispose]()
  }
}

describe("signing in with the organiser's provider", () => {
  let way: Way
  before(async () => {
    way = await Way.open()
    const { accounts } = way.provider
    accounts.set('ada-1', { name: 'Ada Lovelace', groups: ['staff', 'crew'] })
    accounts.set('tom-2', { name: 'Tom', groups: 'doors' })
    accounts.set('ann-3', { name: 'Ann', groups: ['staff'] })
    accounts.set('bob-4', { name: 'Bob' })
    await addPerson(await way.world.admin(), 'Boss', 'admin')
  })
  beforeEach(() => {
    way.world.elapsedMs += 2 * 60_000
  })
  after(() => way[Symbol.asyncDispose]())

  it('asks for state, nonce and PKCE, and takes the answer back at one address', async () => {
    const { url, state } = await way.begin()
    const { searchParams } = new URL(url)
    const asked = Object.fromEntries(searchParams)
    assert.partialDeepStrictEqual(asked, {
      response_type: 'code',
      client_id: 'gatehouse',
      redirect_uri: `${way.world.box.baseUrl}/dashboard/`,
      code_challenge_method: 'S256',
      prompt: 'login',
      state,
    })
    assert.match(asked.nonce ?? '', /^[\w-]{43}$/)
    assert.match(asked.code_challenge ?? '', /^[\w-]{43}$/)
    const { data } = await (await way.world.admin()).GET('/v1/admin/session/ways')
    assert.deepEqual(data, {
      address: `${way.world.box.baseUrl}/dashboard/`,
      provider: new URL(way.provider.issuer).host,
      passkeys: null,
    })
  })

  it('opens a session like any other, with the role of the group, and records the person', async () => {
    const { token, person, session } = await way.enter('ada-1')
    assert.partialDeepStrictEqual(person, { name: 'Ada Lovelace', role: 'operator' })
    const own = JSON.parse((await way.get('/v1/admin/session', token)).text)
    assert.partialDeepStrictEqual(own, { way: 'session', name: 'Ada Lovelace', person: person.id, session })
    const entries = way.world.box.ledger.read(0, 1_000)
    const opened = entries.find(
      ({ kind, fields }) => kind === 'session' && 'session' in fields && fields.session === session,
    )
    assert.partialDeepStrictEqual(opened?.fields, { person: person.id, issuer: way.provider.issuer })
    const client = await way.world.admin(token)
    const { gate } = way.world.box.event.checkpoints[0] ?? assert.fail()
    await client.POST('/v1/admin/gates/{id}/hold', {
      params: { path: { id: gate } },
      body: { reason: 'x', actor: 'Boss' },
    })
    const hold = way.world.box.ledger.read(0, 1_000).find(({ kind }) => kind === 'hold')
    assert.partialDeepStrictEqual(hold?.fields, { actor: 'Ada Lovelace', person: person.id, via: session })
    for (const secret of [token, 'ada-1', 'a-secret-of-the-test']) assert.ok(!isOnDisk(way.world, secret), secret)
  })

  it('lets somebody who has just given a password do what cannot be undone, and then asks them to sign in again', async () => {
    way.provider.accounts.set('eve-9', { name: 'Eve', groups: ['gate admins'] })
    const { token } = await way.enter('eve-9')
    const body = { name: 'New', role: 'viewer', secret: PIN } as const
    const client = await way.world.admin(token)
    assert.equal((await client.POST('/v1/admin/staff', { body })).response.status, 201)
    way.world.offsetMs += 3 * 60_000
    const later = await client.POST('/v1/admin/staff', { body: { ...body, name: 'Newer' } })
    assert.equal(later.error?.code, 'not_allowed')
    assert.match(later.error?.message ?? '', /sign in again/)
    way.world.offsetMs = 0
  })

  it('is one person by issuer and subject: no name and no address makes two accounts one, or an account a person of the list', async () => {
    const admin = await way.world.admin()
    const boss = await addPerson(admin, 'Grace Hopper', 'viewer')
    way.provider.accounts.set('grace-5', { name: 'Grace Hopper', email: 'g@example.org', groups: ['crew'] })
    way.provider.accounts.set('grace-6', { name: 'Grace  HOPPER', email: 'g@example.org', groups: ['guests'] })
    const [one, two, again] = [await way.enter('grace-5'), await way.enter('grace-6'), await way.enter('grace-5')]
    assert.equal(new Set([boss, one.person.id, two.person.id]).size, 3)
    assert.equal(one.person.id, again.person.id)
    assert.deepEqual([one.person.name, two.person.name], ['Grace Hopper (2)', 'Grace HOPPER (3)'])
    assert.equal((await trySignIn(way.world, 'Grace Hopper')).status, 201)
    assertFailure(await trySignIn(way.world, 'Grace Hopper (2)'), 'bad_token')
  })

  it('refuses whoever has no group with a role, and ends what they had open', async () => {
    for (const account of ['ann-3', 'bob-4']) assertFailure(await way.through(account), 'not_allowed')
    const { token } = await way.enter('tom-2')
    way.provider.accounts.set('tom-2', { name: 'Tom', groups: [] })
    assertFailure(await way.through('tom-2'), 'not_allowed')
    assertFailure(await way.get('/v1/admin/holds', token), 'bad_token')
    way.provider.accounts.set('tom-2', { name: 'Tom', groups: 'doors' })
  })

  it('takes the role anew at each sign-in; sessions with the one before end', async () => {
    way.provider.accounts.set('max-7', { name: 'Max', groups: ['gate admins'] })
    const before = await way.enter('max-7')
    assert.equal(before.person.role, 'admin')
    way.provider.accounts.set('max-7', { name: 'Maxine', groups: ['guests', 'doors'] })
    const now = await way.enter('max-7')
    assert.deepEqual(now.person, { id: before.person.id, name: 'Maxine', role: 'desk' })
    assertFailure(await way.get('/v1/admin/holds', before.token), 'bad_token')
    assertFailure(await way.get('/v1/admin/staff', now.token), 'not_allowed')
  })

  it('keeps out whoever was removed here, whatever the provider says, and closes their streams', async () => {
    way.provider.accounts.set('zoe-8', { name: 'Zoe', groups: ['crew'] })
    const { token, person } = await way.enter('zoe-8')
    const headers = { authorization: `Bearer ${token}` }
    const stream = await openStream(way.world.box.ports.https, '/v1/admin/stream', {
      headers,
      tls: { ca: await way.world.ca },
    })
    const boss = await signIn(way.world, 'Boss')
    await boss.client.POST('/v1/admin/staff/{id}/remove', { params: { path: { id: person.id } }, body: {} })
    await stream.closed
    assertFailure(await way.get('/v1/admin/holds', token), 'bad_token')
    assertFailure(await way.through('zoe-8'), 'not_allowed')
  })

  it('takes an answer once', async () => {
    const begun = await way.begin()
    const { search } = await way.provider.walk(begun.url, 'ada-1')
    assert.equal((await way.finish(begun, search)).status, 201)
    const asked = way.provider.asked.length
    assertFailure(await way.finish(begun, search), 'bad_token')
    assert.equal(way.provider.asked.length, asked, 'refused here, without a request')
    const other = await way.begin()
    const planted = new URLSearchParams(search)
    planted.set('state', other.state)
    assertFailure(await way.finish(other, `?${planted}`), 'bad_token', 'the code of another sign-in')
  })

  it('refuses an answer that was begun in another browser, with another state, nonce or issuer', async () => {
    const change = async (
      how: (begun: Begun, query: URLSearchParams) => Begun | undefined,
      url = (text: string) => text,
    ) => {
      const begun = await way.begin()
      const query = new URLSearchParams((await way.provider.walk(url(begun.url), 'ada-1')).search)
      const other = how(begun, query) ?? begun
      return way.finish(other, `?${query}`)
    }
    const mine = await way.begin()
    const nothing = () => undefined
    const wrong: Record<string, Promise<Answer>> = {
      secret: change((begun) => ({ ...begun, secret: mine.secret })),
      'state of another': change((begun) => ({ ...begun, state: mine.state, secret: mine.secret })),
      'state unknown': change((begun) => ({ ...begun, state: 'A'.repeat(43) })),
      'state in the answer': change((_, query) => void query.set('state', 'B'.repeat(43))),
      'no state in the answer': change((_, query) => query.delete('state') as undefined),
      'state twice': change((begun, query) => void query.append('state', begun.state)),
      issuer: change((_, query) => void query.set('iss', 'https://evil.example')),
      'no issuer': change((_, query) => query.delete('iss') as undefined),
      nonce: change(nothing, (url) => url.replace(/nonce=[\w-]{43}/, `nonce=${'C'.repeat(43)}`)),
      challenge: change(nothing, (url) => url.replace(/code_challenge=[\w-]{43}/, `code_challenge=${'D'.repeat(43)}`)),
      code: change((_, query) => void query.set('code', 'E'.repeat(43))),
      error: change((_, query) => void query.set('error', 'access_denied')),
    }
    for (const [what, answer] of Object.entries(wrong)) assertFailure(await answer, 'bad_token', what)
  })

  it('forgets one after ten minutes', async () => {
    const begun = await way.begin()
    const { search } = await way.provider.walk(begun.url, 'ada-1')
    way.world.elapsedMs += 10 * 60_000
    assertFailure(await way.finish(begun, search), 'bad_token')
  })

  it('begins so many from one network, and counts what fails', async () => {
    way.world.holdRates()
    way.world.elapsedMs += 60_000
    const codes: number[] = []
    for (let i = 0; i < 22; i++) codes.push((await way.post('/v1/admin/session/provider')).status)
    assert.deepEqual([codes.filter((code) => code === 201).length, codes.at(-1)], [20, 429])
    const { data } = await (await way.world.admin()).GET('/v1/admin/stats')
    assert.ok((data?.failed_sign_ins?.count ?? 0) > 10)
  })
})

describe('a provider that is away, or lies', () => {
  it('stops nobody but those who come by it, and is asked again when it is back', async () => {
    await using way = await Way.open()
    const { provider, world } = way
    provider.accounts.set('ada-1', { name: 'Ada', groups: ['crew'] })
    await addPerson(await world.admin(), 'Boss', 'admin')
    const { token } = await way.enter('ada-1')
    const otto = await addPerson(await world.admin(), 'Otto', 'operator')
    const tablet = await pair(world, await invite(world, otto))
    const begun = await way.begin()
    const { search } = await provider.walk(begun.url, 'ada-1')
    await provider.stop()
    assertFailure(await way.finish(begun, search), 'provider_unavailable', 'gone midway')
    assertFailure(await way.post('/v1/admin/session/provider'), 'provider_unavailable', 'nobody is sent to a dead page')
    await world.restart()
    assert.equal((await way.get('/v1/admin/holds', token)).status, 200, 'sessions go on')
    const { client } = await signIn(world, 'Boss')
    assert.equal((await client.GET('/v1/admin/holds')).response.status, 200)
    for (const one of [tablet, await pair(world, await invite(world, otto))])
      assert.equal(
        (await askAs(world, one, '/v1/admin/holds')).status,
        200,
        'a paired tablet, and one that is paired now',
      )
    const away = await way.post('/v1/admin/session/provider')
    assertFailure(away, 'provider_unavailable')
    assert.match(away.text, /PIN/)
    await provider.start()
    provider.serve(`${world.box.baseUrl}/dashboard/`)
    world.elapsedMs += 60_000
    await way.enter('ada-1')
  })

  it('is refused where it signs with a key that it does not show', async () => {
    await using way = await Way.open()
    way.provider.accounts.set('ada-1', { name: 'Ada', groups: ['crew'] })
    way.provider.shownKey = rsaKey()
    assertFailure(await way.through('ada-1'), 'bad_token')
    assert.ok(way.provider.asked.includes('/jwks'))
  })

  it('is refused where its tokens are over by the clock of the box', async () => {
    await using way = await Way.open({ offsetMs: 4 * 60_000 })
    way.provider.accounts.set('ada-1', { name: 'Ada', groups: ['crew'] })
    assertFailure(await way.through('ada-1'), 'bad_token')
  })

  it('is heard where it says groups and names by its userinfo endpoint alone', async () => {
    await using way = await Way.open({}, { inUserinfo: true })
    way.provider.accounts.set('ada-1', { name: 'Ada', groups: ['crew'] })
    assert.partialDeepStrictEqual((await way.enter('ada-1')).person, { name: 'Ada', role: 'operator' })
    assert.ok(way.provider.asked.includes('/me'))
  })

  it('costs no more than a request when it says too much, redirects, names another issuer, or an address without TLS', async () => {
    await using way = await Way.open()
    const { provider } = way
    const document = (fields: object) => JSON.stringify({ issuer: provider.issuer, ...fields })
    const answers: [string, (text: string) => { status?: number; location?: string; text: string }][] = [
      ['too much', () => ({ text: document({ more: 'x'.repeat(300 * 1024) }) })],
      ['redirect', () => ({ status: 302, location: 'https://127.0.0.1:1/', text: '' })],
      ['issuer', () => ({ text: document({ issuer: 'https://evil.example' }) })],
      ['pattern', () => ({ text: document({ issuer: `${provider.issuer}/{tenantid}` }) })],
      ['no JSON', () => ({ text: '<html>' })],
      ['no page', () => ({ text: document({}) })],
      ['busy', () => ({ status: 503, text: '' })],
    ]
    for (const [what, answerOf] of answers) {
      provider.answerWith((request, response) => {
        const { status = 200, location, text } = answerOf(request.url ?? '')
        response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) }).end(text)
      })
      const { status, text } = await way.post('/v1/admin/session/provider')
      assert.ok(status === 401 || status === 503, `${what}: ${status} ${text}`)
      way.world.elapsedMs += 60_000
    }
  })

  it('is not asked with a secret that others may read: the box says so and does not start', async () => {
    const provider = await TestProvider.open()
    await using _ = provider
    chmodSync(provider.environment.GATEHOUSE_OIDC_SECRET_FILE ?? '', 0o644)
    await assert.rejects(World.open({ environment: provider.environment }), /chmod 600/)
  })

  it('is none where the box has none', async () => {
    await using world = await World.open()
    const { error } = await (await world.admin()).POST('/v1/admin/session/provider')
    assert.equal(error?.code, 'not_found')
  })
})

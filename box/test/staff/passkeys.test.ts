/** Issue 23, way in (c): passkeys where the box has a public name. What a liar, a thief and a flood get, and how a passkey ends. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { platform } from 'node:os'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eq } from '../../src/drizzle/core.ts'
import { passkeys, staffSessions } from '../../src/ledger/staff-schema.ts'
import { assertFailure, closedSoon, openStream } from '../world/ask.ts'
import { World } from '../world/world.ts'
import type { Cbor, Lie } from './authenticator.ts'
import { NAME, PasskeyWorld } from './passkey-world.ts'
import { addPerson, isOnDisk, signIn, trySignIn } from './world.ts'

const MINUTE = 60_000
const OTHER_ADDRESS = platform() !== 'linux' && 'needs a second address of loopback, which Linux has'

describe('a box without a public name', () => {
  it('says so, and has no passkeys', async () => {
    await using world = await World.open()
    await addPerson(await world.admin(), 'Ada Admin', 'admin')
    const { client } = await signIn(world, 'Ada Admin')
    assert.equal((await client.GET('/v1/admin/session/ways')).data?.passkeys, null)
    const answers = [
      await client.POST('/v1/admin/session/passkey'),
      await client.POST('/v1/admin/session/passkeys/begin'),
    ]
    for (const { error } of answers) assert.equal(error?.code, 'not_found')
  })
})

describe('passkeys', () => {
  let box: PasskeyWorld
  let ada: string
  let otto: string
  before(async () => {
    box = await PasskeyWorld.open()
    const admin = box.admin
    ada = await addPerson(admin, 'Ada Admin', 'admin')
    otto = await addPerson(admin, 'Otto Operator', 'operator')
  })
  beforeEach(() => box.later())
  after(() => box[Symbol.asyncDispose]())

  const entries = () =>
    box.world.box.ledger.read(0, 5_000).flatMap((entry) => (entry.kind === 'passkey' ? [entry.fields] : []))

  it('are added with the PIN, and open a session like any other; the record has the passkey', async () => {
    const pin = await box.enter('Otto Operator')
    const { id, authenticator } = await box.added(pin)
    const token = await box.enterWith(authenticator)
    const own = JSON.parse((await box.get('/v1/admin/session', token)).text)
    assert.partialDeepStrictEqual(own, { way: 'session', role: 'operator', name: 'Otto Operator', person: otto })
    const opened = box.world.box.ledger
      .read(0, 5_000)
      .find(({ kind, fields }) => kind === 'session' && 'session' in fields && fields.session === own.session)
    assert.partialDeepStrictEqual(opened?.fields, { actor: 'Otto Operator', person: otto, passkey: id })
    assert.partialDeepStrictEqual(entries().at(-1), {
      action: 'added',
      passkey: id,
      of: otto,
      site: NAME,
      person: otto,
    })
    assert.ok(!JSON.stringify(entries()).includes('My phone'), 'what it is called is in no entry')
    const list = JSON.parse((await box.get('/v1/admin/session/passkeys', token)).text).passkeys
    assert.partialDeepStrictEqual(list, [
      { id, person: otto, owner: 'Otto Operator', name: 'My phone', site: NAME, last_address: '127.0.0.1' },
    ])
    assert.ok(!isOnDisk(box.world, token))
    const { text } = await box.get('/v1/admin/session/ways', token)
    assert.partialDeepStrictEqual(JSON.parse(text), { address: `${box.origin}/dashboard/`, passkeys: NAME })
  })

  it('ask for a key that stays with the person, for user verification, and for no second one on one device', async () => {
    const token = await box.enter('Ada Admin')
    const { authenticator } = await box.added(token)
    const { rp, user, excludeCredentials, authenticatorSelection, attestation } = await box.creation(token)
    assert.deepEqual([rp.id, attestation], [NAME, 'none'])
    assert.deepEqual(authenticatorSelection, {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    })
    assert.equal(Buffer.from(user.id, 'base64url').toString(), ada)
    assert.ok(excludeCredentials.some(({ id }) => id === authenticator.id.toString('base64url')))
    const again = await box.add(token, authenticator.make(await box.creation(token)))
    assertFailure(again, 'conflict')
  })

  it('are begun within two minutes of the PIN, by the person, in the session that goes on', async () => {
    const token = await box.enter('Otto Operator')
    box.world.offsetMs += 3 * MINUTE
    assertFailure(await box.send('/v1/admin/session/passkeys/begin', { token }), 'confirm_needed')
    box.world.offsetMs -= 3 * MINUTE
    const options = await box.creation(token)
    const other = await box.enter('Otto Operator')
    assertFailure(await box.add(other, box.authenticator().make(options)), 'bad_request', 'of another session')
    const mine = await box.creation(token)
    assertFailure(await box.add(await box.enter('Ada Admin'), box.authenticator().make(mine)), 'bad_request')
    const late = await box.creation(token)
    box.world.elapsedMs += 5 * MINUTE
    assertFailure(await box.add(token, box.authenticator().make(late)), 'bad_request', 'after five minutes')
    const once = await box.creation(token)
    assert.equal((await box.add(token, box.authenticator().make(once))).status, 201)
    assertFailure(await box.add(token, box.authenticator().make(once)), 'bad_request', 'good once')
    const question = await box.question()
    const wrong = { ...(await box.creation(token)), challenge: question.challenge }
    assertFailure(await box.add(token, box.authenticator().make(wrong)), 'bad_request', 'asked for a sign-in')
    const { adminToken } = box.world.box
    assertFailure(await box.send('/v1/admin/session/passkeys/begin', { token: adminToken }), 'conflict')
  })

  it('are refused in one way, whatever is wrong', async () => {
    const token = await box.enter('Otto Operator')
    const { authenticator } = await box.added(token)
    const { authenticator: other } = await box.added(await box.enter('Ada Admin'))
    const stranger = box.authenticator()
    const refused: string[] = []
    const wrong = async (what: string, answer: ReturnType<typeof authenticator.answer>) => {
      box.later()
      const said = await box.finish(answer)
      assertFailure(said, 'bad_token', what)
      refused.push(said.text)
    }
    const lies: Record<string, Lie> = {
      'another RP ID': { rpId: 'example.org' },
      'another origin': { origin: 'https://evil.example' },
      'another port': { origin: `https://${NAME}` },
      'a frame of another page': { crossOrigin: true },
      'no user verification': { isVerified: false },
      'another challenge': { challenge: 'x'.repeat(43) },
      'somebody else as its owner': { userHandle: Buffer.from(ada).toString('base64url') },
      'no owner': { userHandle: 'AAAA' },
    }
    for (const [what, lie] of Object.entries(lies)) await wrong(what, authenticator.answer(await box.question(), lie))
    const id = authenticator.id.toString('base64url')
    await wrong('the key of somebody else', { ...other.answer(await box.question()), id })
    const options = await box.creation(token)
    stranger.make(options)
    await wrong('one that is on no list', stranger.answer(await box.question()))
    const { challenge } = options
    await wrong('the challenge of an addition', authenticator.answer({ ...(await box.question()), challenge }))
    const question = await box.question()
    assert.equal((await box.finish(authenticator.answer(question))).status, 201)
    await wrong('a challenge that was used', authenticator.answer(question))
    const late = authenticator.answer(await box.question())
    box.world.elapsedMs += 5 * MINUTE
    await wrong('a challenge of five minutes ago', late)
    assert.equal(new Set(refused).size, 1)
    box.later()
    await box.enterWith(authenticator)
  })

  it('are refused when their count goes back, which is recorded and shown; the one that goes on is taken', async () => {
    const token = await box.enter('Otto Operator')
    const { id, authenticator } = await box.added(token, box.authenticator({ counts: true }))
    await box.enterWith(authenticator)
    await box.enterWith(authenticator)
    const seen = async () => (await box.admin.GET('/v1/admin/stats')).data?.failed_sign_ins?.count ?? 0
    const before = await seen()
    for (const counter of [1, authenticator.counter, 0])
      assertFailure(await box.tryWith(authenticator, { counter }), 'bad_token')
    assert.equal(await seen(), before + 3)
    const told = entries().filter(({ action, passkey }) => action === 'refused' && passkey === id)
    assert.equal(told.length, 1, 'once in ten minutes')
    assert.partialDeepStrictEqual(told[0], { actor: 'Otto Operator', address: '127.0.0.1' })
    const { data } = await box.admin.GET('/v1/admin/log', { params: { query: { kind: 'passkey' } } })
    assert.match(data?.rows[0]?.summary ?? '', /refused .* there may be a copy/)
    await box.world.restart()
    box.later()
    assertFailure(await box.tryWith(authenticator, { counter: 3 }), 'bad_token', 'the count was on disk')
    authenticator.counter += 20
    await box.enterWith(authenticator)
    box.world.offsetMs += 11 * MINUTE
    const good = authenticator.answer(await box.question(), { counter: 0 })
    const { signature } = authenticator.answer(await box.question(), { key: otherKey() }).response
    assertFailure(await box.finish({ ...good, response: { ...good.response, signature } }), 'bad_token')
    const now = entries().filter(({ action, passkey }) => action === 'refused' && passkey === id)
    assert.equal(now.length, 2, 'without the key nobody makes it look as if there were a copy')
    box.world.offsetMs = 0
  })

  it('lock by person and network together, as a PIN does: whoever guesses elsewhere locks out nobody', {
    skip: OTHER_ADDRESS,
  }, async () => {
    box.world.holdRates()
    const { authenticator } = await box.added(await box.enter('Otto Operator'))
    const codes: number[] = []
    for (let i = 0; i < 12; i++) codes.push((await box.tryWith(authenticator, { key: otherKey() }, '127.0.0.2')).status)
    assert.deepEqual(codes, [401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429])
    const question = await box.question('127.0.0.2')
    assertFailure(
      await box.finish(authenticator.answer(question), '127.0.0.2'),
      'rate_limited',
      'the right one from there',
    )
    assertFailure(await trySignIn(box.world, 'Otto Operator', undefined, {}, '127.0.0.2'), 'rate_limited', 'one lock')
    await box.enterWith(authenticator)
  })

  it('have a bounded number of challenges, each network its own share', { skip: OTHER_ADDRESS }, async () => {
    box.world.holdRates()
    box.later()
    const mine = await box.question()
    const { authenticator } = await box.added(await box.enter('Otto Operator'))
    const flood = await Promise.all(
      Array.from({ length: 60 }, () => box.send('/v1/admin/session/passkey', { from: '127.0.0.2' })),
    )
    assert.equal(flood.filter(({ status }) => status === 201).length, 20)
    assert.equal(flood.filter(({ status }) => status === 429).length, 40)
    assert.ok(Number(flood.at(-1)?.headers['retry-after']) > 0)
    assert.equal((await box.finish(authenticator.answer(mine))).status, 201, 'whoever waited elsewhere goes on')
  })

  it('take nothing that is larger or of another form, and nothing that a route does not document', async () => {
    const token = await box.enter('Otto Operator')
    const made = box.authenticator().make(await box.creation(token))
    const wrong: object[] = [
      { ...made, name: 'x', response: { ...made.response, attestationObject: 'A'.repeat(4_097) } },
      { ...made, name: ' ' },
      { ...made, name: 'x', id: '+/' },
      { ...made, name: 'x', response: { ...made.response, transports: ['telepathy'] } },
      { ...made, name: 'x', response: { ...made.response, clientDataJSON: '' } },
      { ...made, name: 'x', more: 1 },
    ]
    for (const body of wrong)
      assertFailure(await box.send('/v1/admin/session/passkeys', { token, body }), 'bad_request')
    const large = { ...made, name: 'x'.repeat(20_000) }
    assertFailure(await box.send('/v1/admin/session/passkeys', { token, body: large }), 'too_large')
    const answer = box.authenticator().answer(await box.question(), { userHandle: 'AAAA' })
    const { response } = answer
    for (const body of [
      { ...answer, id: 'A'.repeat(1_365) },
      { ...answer, response: { ...response, signature: 'A'.repeat(1_025) } },
      { ...answer, response: { ...response, userHandle: '' } },
      {},
    ])
      assertFailure(await box.send('/v1/admin/session/passkey/finish', { body }), 'bad_request')
    for (const clientDataJSON of ['AAAA', 'e30', Buffer.from('null').toString('base64url')])
      assertFailure(await box.finish({ ...answer, response: { ...response, clientDataJSON } }), 'bad_token')
  })

  it('end with the person and with themselves: streams close within a second, and nothing opens any more', async () => {
    for (const how of ['removed by an admin', 'removed by oneself', 'person removed', 'role changed'] as const) {
      box.later()
      const name = `Short ${how}`
      const person = await addPerson(box.admin, name, 'viewer')
      const pin = await box.enter(name)
      const { id, authenticator } = await box.added(pin)
      const token = await box.enterWith(authenticator)
      const headers = { authorization: `Bearer ${token}` }
      const stream = await openStream(box.world.box.ports.https, '/v1/admin/stream', { headers, tls: box.tls })
      assert.equal(stream.status, 200)
      const params = { path: { id } }
      const ofPerson = { path: { id: person } }
      if (how === 'removed by an admin') await box.admin.POST('/v1/admin/passkeys/{id}/remove', { params, body: {} })
      if (how === 'removed by oneself')
        assert.equal((await box.send(`/v1/admin/session/passkeys/${id}/remove`, { token: pin })).status, 204)
      if (how === 'person removed') await box.admin.POST('/v1/admin/staff/{id}/remove', { params: ofPerson, body: {} })
      if (how === 'role changed')
        await box.admin.POST('/v1/admin/staff/{id}', { params: ofPerson, body: { role: 'desk' } })
      await closedSoon(stream)
      assertFailure(await box.get('/v1/admin/holds', token), 'bad_token', how)
      const again = await box.tryWith(authenticator)
      if (how === 'role changed') assert.equal(again.status, 201, 'the passkey stays, with the new role')
      else assertFailure(again, 'bad_token', how)
      const stays = how.startsWith('removed')
      assert.equal((await box.get('/v1/admin/holds', pin)).status, stays ? 200 : 401, 'what the PIN has opened')
    }
    const { data } = await box.admin.GET('/v1/admin/passkeys')
    assert.deepEqual(
      data?.passkeys.filter(({ owner }) => owner.startsWith('Short')).map(({ owner }) => owner),
      ['Short role changed'],
    )
  })

  it('stay ended when the box starts again, and the others stay', async () => {
    const token = await box.enter('Otto Operator')
    const [kept, gone] = [await box.added(token), await box.added(token)]
    const [keptToken, goneToken] = [await box.enterWith(kept.authenticator), await box.enterWith(gone.authenticator)]
    await box.admin.POST('/v1/admin/passkeys/{id}/remove', { params: { path: { id: gone.id } }, body: {} })
    // As if the box had lost its power before it could write that the session has ended.
    const { ledger } = box.world.box
    ledger.transact(() =>
      ledger.db.drizzle.update(staffSessions).set({ endedAt: null }).where(eq(staffSessions.passkey, gone.id)).run(),
    )
    await box.world.restart()
    assert.equal((await box.get('/v1/admin/holds', keptToken)).status, 200)
    assertFailure(await box.get('/v1/admin/holds', goneToken), 'bad_token')
    box.later()
    await box.enterWith(kept.authenticator)
    assertFailure(await box.tryWith(gone.authenticator), 'bad_token')
  })

  it('are removed by their person and by an admin alone, in their own name', async () => {
    const { id } = await box.added(await box.enter('Ada Admin'))
    const token = await box.enter('Otto Operator')
    assertFailure(await box.send(`/v1/admin/session/passkeys/${id}/remove`, { token }), 'not_found')
    assertFailure(await box.send(`/v1/admin/passkeys/${id}/remove`, { token, body: {} }), 'not_allowed')
    assertFailure(await box.get('/v1/admin/passkeys', token), 'not_allowed')
    const asAda = await box.enter('Ada Admin')
    const said = { token: asAda, body: { actor: 'Otto Operator' } }
    assert.equal((await box.send(`/v1/admin/passkeys/${id}/remove`, said)).status, 204)
    assert.partialDeepStrictEqual(entries().at(-1), { action: 'removed', passkey: id, actor: 'Ada Admin', person: ada })
    assertFailure(await box.send(`/v1/admin/passkeys/${id}/remove`, said), 'not_found', 'once')
  })

  it('are at most thirty of a person, with those that were removed', async () => {
    await addPerson(box.admin, 'Many Keys', 'viewer')
    const token = await box.enter('Many Keys')
    for (let i = 0; i < 30; i++) {
      box.later()
      const { id } = await box.added(token)
      if (i % 2 === 0) await box.send(`/v1/admin/session/passkeys/${id}/remove`, { token })
    }
    assertFailure(await box.add(token, box.authenticator().make(await box.creation(token))), 'conflict')
  })

  it('need no internet: the box opens no connection for them', async () => {
    const opened: (string | undefined)[] = []
    const note = (message: unknown) => {
      const { socket } = message as { socket: Socket }
      socket.once('connect', () => opened.push(socket.remoteAddress))
    }
    subscribe('net.client.socket', note)
    try {
      const { authenticator } = await box.added(await box.enter('Otto Operator'))
      await box.enterWith(authenticator)
      const made = box.authenticator().make(await box.creation(await box.enter('Otto Operator')), {
        attestation: [
          'packed',
          new Map<string, Cbor>([
            ['alg', -7],
            ['sig', Buffer.alloc(70)],
            ['x5c', [Buffer.alloc(300)]],
          ]),
        ],
      })
      assertFailure(await box.add(await box.enter('Otto Operator'), made), 'bad_request')
    } finally {
      unsubscribe('net.client.socket', note)
    }
    assert.ok(opened.length > 0, 'the requests of the test itself')
    assert.deepEqual(new Set(opened), new Set(['127.0.0.1']))
  })

  it('are nowhere once the certificate of the name has expired, and PINs go on', async () => {
    const { authenticator } = await box.added(await box.enter('Otto Operator'))
    const question = await box.question()
    box.world.offsetMs = 40 * 86_400_000
    assertFailure(await box.finish(authenticator.answer(question)), 'not_found')
    assertFailure(await box.send('/v1/admin/session/passkey'), 'not_found')
    const token = await box.enter('Otto Operator')
    assert.equal(JSON.parse((await box.get('/v1/admin/session/ways', token)).text).passkeys, null)
    box.world.offsetMs = 0
  })

  it('that somebody writes into the file are named by verify, and so is a key in the place of another', async () => {
    const { id } = await box.added(await box.enter('Otto Operator'))
    const kinds = async () => (await box.admin.GET('/v1/admin/verify')).data?.problems.map(({ kind }) => kind).sort()
    assert.deepEqual(await kinds(), [])
    const { ledger } = box.world.box
    const { drizzle } = ledger.db
    const row = drizzle.select().from(passkeys).where(eq(passkeys.id, id)).get() ?? assert.fail()
    const { publicKey } = box.authenticator()
    ledger.transact(() => {
      drizzle
        .insert(passkeys)
        .values({ ...row, id: 'pky-forged' })
        .run()
      drizzle.update(passkeys).set({ publicKey }).where(eq(passkeys.id, id)).run()
    })
    assert.deepEqual(await kinds(), ['passkey_differs', 'passkey_unexplained'])
    ledger.transact(() =>
      drizzle.update(passkeys).set({ publicKey: row.publicKey, person: ada }).where(eq(passkeys.id, id)).run(),
    )
    assert.deepEqual(await kinds(), ['passkey_differs', 'passkey_unexplained'])
  })
})

function otherKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

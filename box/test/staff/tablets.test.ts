/** Tablets of the staff: paired by a link, known by a key, gone within a second. What a thief has with less than the key. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { staffSessions } from '../../src/ledger/staff-schema.ts'
import { assertFailure, closedSoon } from '../world/ask.ts'
import { World } from '../world/world.ts'
import { askAs, invite, newKey, pair, publicKeyOf, send, signed, streamOf, tryToPair } from './tablet.ts'
import { addPerson, isOnDisk, PIN, signIn } from './world.ts'

describe('a tablet of the staff', () => {
  let world: World
  let otto: string
  let ada: string
  before(async () => {
    world = await World.open()
    const admin = await world.admin()
    ada = await addPerson(admin, 'Ada Admin', 'admin')
    otto = await addPerson(admin, 'Otto Operator', 'operator')
  })
  after(() => world[Symbol.asyncDispose]())
  const HOLDS = '/v1/admin/holds'
  const paired = async (person = otto, device?: string) => pair(world, await invite(world, person, device))
  /** Rates begin anew. */
  const later = () => {
    world.elapsedMs += 2 * 3_600_000
  }
  const sessionsNow = async () => (await (await world.admin()).GET('/v1/admin/staff')).data?.sessions ?? assert.fail()

  it('is paired by a link, signs what it asks, and acts as the person it is paired with', async () => {
    const tablet = await paired(otto, 'Tablet at the north gate')
    const own = JSON.parse((await askAs(world, tablet, '/v1/admin/session')).text)
    assert.partialDeepStrictEqual(own, { way: 'tablet', role: 'operator', name: 'Otto Operator', session: tablet.id })
    const { gate } = world.box.event.checkpoints[0] ?? assert.fail()
    const path = `/v1/admin/gates/${gate}/hold`
    const body = JSON.stringify({ reason: 'a crush', actor: 'Ada Admin' })
    assert.equal((await askAs(world, tablet, path, { method: 'POST', body })).status, 201)
    const entries = world.box.ledger.read(0, 10_000)
    const held = entries.findLast(({ kind }) => kind === 'hold')
    assert.partialDeepStrictEqual(held?.fields, { actor: 'Otto Operator', person: otto, via: tablet.id })
    const acts = entries.flatMap(({ kind, fields }) =>
      kind === 'session' && fields.session === tablet.id ? [fields] : [],
    )
    assert.deepEqual(
      acts.map(({ action, of, device }) => [action, of, device]),
      ['invited', 'opened'].map((action) => [action, otto, tablet.id]),
    )
    const { data } = await (await world.admin()).GET('/v1/admin/log', { params: { query: { kind: 'hold' } } })
    assert.equal(data?.rows[0]?.device_name, 'Tablet at the north gate')
    const listed = (await sessionsNow()).find(({ session }) => session === tablet.id)
    assert.partialDeepStrictEqual(listed, { name: 'Otto Operator', device: 'Tablet at the north gate' })
    const expiry = Date.parse(world.box.event.ends_at) + 86_400_000
    assert.equal(Date.parse(listed?.expires_at ?? ''), expiry)
    assert.ok(!isOnDisk(world, tablet.token))
  })

  it('has its link by HTTPS alone, and beside it the page with the steps to trust the box', async () => {
    const { data } = await (await world.admin()).POST('/v1/admin/staff/{id}/invite', {
      ...{ params: { path: { id: otto } }, body: { device: 'A new one' } },
    })
    assert.match(data?.link ?? '', /^https:\/\/.*\/dashboard\/#pair=/)
    assert.equal(data?.trust_page, `http://127.0.0.1:${world.box.ports.http}/trust/#room`)
  })

  it('is no use to whoever has copied its token: without a signature, and with one of another key', async () => {
    const [tablet, other] = [await paired(), await paired(ada)]
    const authorization = `Bearer ${tablet.token}`
    const was = (await sessionsNow()).find(({ session }) => session === tablet.id)?.used_at
    world.offsetMs += 60_000
    assertFailure(await send(world, HOLDS, { headers: { authorization } }), 'bad_signature')
    assertFailure(await send(world, '/v1/admin/stream', { headers: { authorization } }), 'bad_signature')
    const thief = { ...tablet, key: newKey() }
    assertFailure(await askAs(world, thief, HOLDS), 'bad_signature')
    assertFailure(await askAs(world, { ...tablet, key: other.key }, HOLDS), 'bad_signature')
    assertFailure(await askAs(world, { ...tablet, key: other.key }, HOLDS, { keyId: other.id }), 'bad_signature')
    assertFailure(await askAs(world, { ...other, key: tablet.key }, HOLDS, { keyId: tablet.id }), 'bad_signature')
    assert.equal((await sessionsNow()).find(({ session }) => session === tablet.id)?.used_at, was, 'no use of it')
    assert.equal((await askAs(world, tablet, HOLDS)).status, 200)
  })

  it('is asked once: what was recorded is refused, and so is what was changed, moved or is old', async () => {
    const tablet = await paired()
    const headers = await signed(world, tablet, HOLDS)
    assert.equal((await send(world, HOLDS, { headers })).status, 200)
    assertFailure(await send(world, HOLDS, { headers }), 'bad_signature')
    const elsewhere = await signed(world, tablet, '/v1/admin/log')
    assertFailure(await send(world, HOLDS, { headers: elsewhere }), 'bad_signature')
    const body = JSON.stringify({ text: 'Hello', severity: 'info' })
    const path = '/v1/admin/announce'
    const announced = await signed(world, tablet, path, { method: 'POST', body })
    const other = JSON.stringify({ text: 'Leave', severity: 'info' })
    assertFailure(await send(world, path, { method: 'POST', headers: announced, body: other }), 'bad_signature')
    const { 'content-digest': _, ...bare } = announced
    assertFailure(await send(world, path, { method: 'POST', headers: bare, body: other }), 'bad_signature')
    for (const seconds of [-62, 62]) {
      const created = Math.floor(world.now() / 1000) + seconds
      assertFailure(await askAs(world, tablet, HOLDS, { created }), 'bad_signature')
    }
  })

  it('stays paired when the box starts again, and what was recorded before stays refused', async () => {
    const tablet = await paired()
    const recorded = await signed(world, tablet, HOLDS)
    assert.equal((await send(world, HOLDS, { headers: recorded })).status, 200)
    world.offsetMs += 5_000
    await world.restart()
    assertFailure(
      await send(world, HOLDS, { headers: { ...recorded, host: `localhost:${world.box.ports.https}` } }),
      'bad_signature',
    )
    assert.equal((await askAs(world, tablet, HOLDS)).status, 200)
  })

  it('ends within a second: its stream closes, its next request is refused, and another tablet goes on', async () => {
    for (const how of ['session', 'PIN', 'role', 'removed'] as const) {
      const admin = await world.admin()
      const id = await addPerson(admin, `Ends by ${how}`, 'operator')
      const [tablet, other] = [await paired(id), await paired()]
      const [stream, streamOfOther] = [await streamOf(world, tablet), await streamOf(world, other)]
      assert.equal(stream.status, 200)
      const params = { path: { id } }
      if (how === 'session')
        await admin.POST('/v1/admin/sessions/{id}/end', { params: { path: { id: tablet.id } }, body: {} })
      if (how === 'PIN') await admin.POST('/v1/admin/staff/{id}', { params, body: { secret: '862405' } })
      if (how === 'role') await admin.POST('/v1/admin/staff/{id}', { params, body: { role: 'viewer' } })
      if (how === 'removed') await admin.POST('/v1/admin/staff/{id}/remove', { params, body: {} })
      await closedSoon(stream)
      assertFailure(await askAs(world, tablet, HOLDS), 'bad_token', how)
      assert.equal((await askAs(world, other, HOLDS)).status, 200)
      streamOfOther.close()
    }
  })

  it('asks for the PIN before what cannot be undone, and being paired counts as none', async () => {
    const tablet = await paired(ada)
    const make = () =>
      askAs(world, tablet, '/v1/admin/staff', {
        method: 'POST',
        body: JSON.stringify({ name: 'New Hand', role: 'viewer', secret: PIN }),
      })
    assertFailure(await make(), 'confirm_needed')
    const confirm = (secret: string) =>
      askAs(world, tablet, '/v1/admin/session/confirm', { method: 'POST', body: JSON.stringify({ secret }) })
    assertFailure(await confirm('999998'), 'not_allowed')
    assert.equal((await confirm(PIN)).status, 204)
    assert.equal((await make()).status, 201)
  })

  it('goes on through the nights of the event, and not a day longer than the event', async () => {
    const tablet = await paired()
    const start = world.offsetMs
    world.offsetMs += 20 * 3_600_000
    assert.equal((await askAs(world, tablet, HOLDS)).status, 200, 'after 20 hours without a request')
    world.offsetMs = start + Date.parse(world.box.event.ends_at) + 86_400_000 - world.now() + (world.offsetMs - start)
    assertFailure(await askAs(world, tablet, HOLDS), 'bad_token')
    const body = { device: 'Too late' }
    const late = await (await world.admin()).POST('/v1/admin/staff/{id}/invite', {
      params: { path: { id: otto } },
      body,
    })
    assert.equal(late.error?.code, 'conflict')
    world.offsetMs = start
  })

  it('that somebody writes into the file without a key opens nothing', async () => {
    const tablet = await paired()
    world.box.ledger.transact(() => world.box.ledger.db.drizzle.update(staffSessions).set({ publicKey: null }).run())
    await world.restart()
    const authorization = `Bearer ${tablet.token}`
    assertFailure(await send(world, HOLDS, { headers: { authorization } }), 'bad_token')
    assertFailure(await askAs(world, tablet, HOLDS), 'bad_token')
  })

  it('has a link that is good once, for ten minutes, and not after the person has changed', async () => {
    later()
    const key = publicKeyOf(newKey())
    const code = await invite(world, otto)
    const [one, two] = await Promise.all([tryToPair(world, code, key), tryToPair(world, code, publicKeyOf(newKey()))])
    assert.deepEqual([one.status, two.status].sort(), [201, 410])
    assertFailure(await tryToPair(world, code, key), 'invite_used')
    const old = await invite(world, otto)
    world.offsetMs += 10 * 60_000
    assertFailure(await tryToPair(world, old, key), 'invite_expired')
    const changed = await addPerson(await world.admin(), 'Changed Soon', 'viewer')
    const stale = await invite(world, changed)
    await (await world.admin()).POST('/v1/admin/staff/{id}', {
      params: { path: { id: changed } },
      body: { role: 'admin' },
    })
    assertFailure(await tryToPair(world, stale, key), 'invite_expired')
    const gone = await (await world.admin()).POST('/v1/admin/staff/{id}/invite', {
      params: { path: { id: 'per-nobody' } },
      body: { device: 'x' },
    })
    assert.equal(gone.error?.code, 'not_found')
  })

  it('is refused with anything but a key on P-256, and its link stays good', async () => {
    later()
    const code = await invite(world, otto)
    const spki = (key: { export: (as: { type: 'spki'; format: 'der' }) => Buffer }) =>
      key.export({ type: 'spki', format: 'der' }).toString('base64url')
    const good = publicKeyOf(newKey())
    const offCurve = Buffer.from(good, 'base64url')
    offCurve[90] = (offCurve[90] ?? 0) ^ 1
    const wrong = [
      spki(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey),
      spki(generateKeyPairSync('ed25519').publicKey),
      offCurve.toString('base64url'),
      'AAAA',
      '',
      'A'.repeat(400),
      '__proto__',
    ]
    for (const key of wrong) assertFailure(await tryToPair(world, code, key), 'bad_request', key)
    assertFailure(await tryToPair(world, code, 'A'.repeat(5_000)), 'too_large')
    assert.equal((await tryToPair(world, code, good)).status, 201)
  })

  it('cannot be got by guessing codes: wrong ones are counted, and slowed down by network; a right one is answered', async () => {
    later()
    world.holdRates()
    const seen = async () => (await (await world.admin()).GET('/v1/admin/stats')).data?.failed_sign_ins?.count ?? 0
    const before = await seen()
    const code = await invite(world, otto)
    const key = publicKeyOf(newKey())
    const answers = []
    for (let i = 0; i < 30; i++) answers.push(await tryToPair(world, `${i}`.padStart(22, 'A'), key))
    assert.equal(answers.filter(({ status }) => status === 404).length, 20)
    assertFailure(answers.at(-1) ?? assert.fail(), 'rate_limited')
    assert.equal(await seen(), before + 30)
    assert.equal((await tryToPair(world, code, key)).status, 201)
  })

  it('has at most fifty links that wait to be used', async () => {
    later()
    world.offsetMs += 10 * 60_000
    const admin = await world.admin()
    const make = () =>
      admin.POST('/v1/admin/staff/{id}/invite', { params: { path: { id: otto } }, body: { device: 'x' } })
    for (let i = 0; i < 50; i++) assert.equal((await make()).response.status, 201)
    assert.equal((await make()).error?.code, 'conflict')
    world.offsetMs += 10 * 60_000
    assert.equal((await make()).response.status, 201)
  })

  it('is invited by an admin alone, who gives the PIN again', async () => {
    later()
    const params = { path: { id: ada } }
    const body = { device: 'x' }
    const asOtto = await signIn(world, 'Otto Operator')
    const refused = await asOtto.client.POST('/v1/admin/staff/{id}/invite', { params, body })
    assert.equal(refused.error?.code, 'not_allowed')
    const asAda = await signIn(world, 'Ada Admin')
    world.offsetMs += 3 * 60_000
    const unsure = await asAda.client.POST('/v1/admin/staff/{id}/invite', { params, body })
    assert.equal(unsure.error?.code, 'confirm_needed')
  })

  it('is not pushed out by the sign-ins of its person', async () => {
    later()
    const tablet = await paired()
    for (let i = 0; i < 21; i++) {
      world.offsetMs += 1
      await signIn(world, 'Otto Operator')
    }
    assert.equal((await askAs(world, tablet, HOLDS)).status, 200)
  })
})

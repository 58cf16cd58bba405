/** The staff of boxes that are processes of their own, over a real network between them: what one box does counts at the others within a second. */
import assert from 'node:assert/strict'
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { signRequest } from '@gatehouse/proto/signature/sign.ts'
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { type MeshBox, MeshWorld } from '../mesh/world.ts'
import { type Answer, type Ask, ask, openStream, type Stream } from '../world/ask.ts'
import { TEST_EVENT } from '../world/event.ts'
import { natsServer } from '../world/nats-server.ts'
import { SOON_MS, until } from '../world/until.ts'
import { TestProvider } from './provider.ts'
import { newKey, publicKeyOf } from './tablet.ts'

const PIN = '274951'
const { whyNot } = await natsServer()

interface Holder {
  token: string
  /** Of a paired tablet: signs each request. */
  key?: KeyObject
  id?: string
}

function send(box: MeshBox, path: string, options: Ask = {}): Promise<Answer> {
  return ask(box.ports.https, path, { ...options, tls: { ca: box.folder.ca } })
}

async function headersOf(box: MeshBox, path: string, { token, key, id = '' }: Holder): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${token}`, host: `localhost:${box.ports.https}` }
  if (!key) return headers
  const how = {
    keyId: id,
    alg: 'ecdsa-p256-sha256' as const,
    created: Math.floor(Date.now() / 1000),
    nonce: crypto.randomUUID(),
  }
  const signing = { ...how, sign: async (base: Uint8Array) => sign('sha256', base, { key, dsaEncoding: 'ieee-p1363' }) }
  return {
    ...headers,
    ...(await signRequest({ method: 'GET', url: `https://${headers.host}${path}`, headers }, signing)),
  }
}

const statusAt = async (box: MeshBox, holder: Holder) =>
  (await send(box, '/v1/admin/holds', { headers: await headersOf(box, '/v1/admin/holds', holder) })).status

async function streamAt(box: MeshBox, holder: Holder): Promise<Stream> {
  const path = '/v1/admin/stream'
  const stream = await openStream(box.ports.https, path, {
    headers: await headersOf(box, path, holder),
    tls: { ca: box.folder.ca },
  })
  assert.equal(stream.status, 200)
  return stream
}

async function trySignIn(box: MeshBox, name: string): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${name}:${PIN}`).toString('base64')}`
  return send(box, '/v1/admin/session', { method: 'POST', headers: { authorization } })
}

async function signIn(box: MeshBox, name: string): Promise<NewSession> {
  const { status, text } = await trySignIn(box, name)
  assert.equal(status, 201, text)
  return JSON.parse(text)
}

async function addPerson(box: MeshBox, name: string): Promise<string> {
  const { data, error } = await box.admin().POST('/v1/admin/staff', { body: { name, role: 'operator', secret: PIN } })
  return data?.id ?? assert.fail(JSON.stringify(error))
}

const remove = (box: MeshBox, id: string) =>
  box.admin().POST('/v1/admin/staff/{id}/remove', { params: { path: { id } }, body: {} })

/** @returns the ms that it took */
async function within(ended: Promise<unknown>, since: number): Promise<number> {
  await ended
  const took = performance.now() - since
  assert.ok(took < SOON_MS, `after ${took.toFixed(0)} ms`)
  return took
}

async function pair(box: MeshBox, person: string): Promise<Required<Holder>> {
  const params = { path: { id: person } }
  const { data, error } = await box
    .admin()
    .POST('/v1/admin/staff/{id}/invite', { params, body: { device: 'Tablet 7' } })
  assert.ok(data, JSON.stringify(error))
  const key = newKey()
  const { status, text } = await send(box, '/v1/admin/session/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: data.link.split('#pair=')[1], public_key: publicKeyOf(key) }),
  })
  assert.equal(status, 201, text)
  const { session, token } = JSON.parse(text)
  return { id: session, token, key: createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' })) }
}

describe('the staff of several real boxes', { skip: whyNot }, () => {
  let world: MeshWorld
  let provider: TestProvider
  let boxes: [MeshBox, MeshBox, MeshBox]
  before(async () => {
    provider = await TestProvider.open()
    world = await MeshWorld.open({
      boxes: 3,
      event: { ...TEST_EVENT, scanners_sign_on: {} },
      environment: provider.environment,
    })
    boxes = world.boxes as unknown as typeof boxes
    provider.serve(`${boxes[0].baseUrl}/dashboard/`)
    provider.accounts.set('ada-1', { name: 'Ada of the provider', groups: ['crew'] })
    // Boxes that have just started look for each other first: what is measured begins when they have.
    for (const box of boxes) {
      const id = await addPerson(box, `Of ${box.id}`)
      for (const other of boxes) await until(async () => (await peopleAt(other)).has(id), 'the boxes know each other')
    }
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  it('a person who was added at one box signs in at the others; removed at a third, every stream of theirs ends', async () => {
    const [a, b, c] = boxes
    const id = await addPerson(a, 'Otto')
    const added = performance.now()
    const known = Promise.all([b, c].map((box) => until(async () => (await peopleAt(box)).has(id), 'is known there')))
    await within(known, added)
    const [atA, atB] = [await signIn(a, 'Otto'), await signIn(b, 'Otto')]
    const streams = [await streamAt(a, atA), await streamAt(b, atB)]
    await remove(c, id)
    const removed = performance.now()
    await within(Promise.all(streams.map(({ closed }) => closed)), removed)
    assert.deepEqual([await statusAt(a, atA), await statusAt(b, atB)], [401, 401])
    for (const box of [a, b, c]) assert.equal((await trySignIn(box, 'Otto')).status, 401)
  })

  it('a tablet that is paired at one box is revoked at another while its stream is open', async () => {
    const [a, b] = boxes
    const id = await addPerson(a, 'Tilda')
    const tablet = await pair(a, id)
    const stream = await streamAt(a, tablet)
    assert.equal(await statusAt(a, tablet), 200)
    await until(async () => (await peopleAt(b)).has(id), 'b knows her')
    await b.admin().POST('/v1/admin/staff/{id}', { params: { path: { id } }, body: { secret: '862405' } })
    const revoked = performance.now()
    await within(stream.closed, revoked)
    assert.equal(await statusAt(a, tablet), 401)
  })

  it("somebody who signed in at one box with the organiser's provider is removed at another", async () => {
    const [a, b] = boxes
    const begun = JSON.parse((await send(a, '/v1/admin/session/provider', { method: 'POST' })).text)
    const { search } = await provider.walk(begun.url, 'ada-1')
    const { status, text } = await send(a, '/v1/admin/session/provider/finish', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ state: begun.state, secret: begun.secret, answer: search }),
    })
    assert.equal(status, 201, text)
    const session: NewSession = JSON.parse(text)
    const stream = await streamAt(a, session)
    await until(async () => (await peopleAt(b)).has(session.person.id), 'b knows her')
    await remove(b, session.person.id)
    const removed = performance.now()
    await within(stream.closed, removed)
    assert.equal(await statusAt(a, session), 401)
  })

  it('the token of a program works everywhere, and nowhere once one box has revoked it', async () => {
    const [a, b, c] = boxes
    const { data } = await a.admin().POST('/v1/admin/tokens', { body: { name: 'Lights', role: 'operator', days: 1 } })
    const { token, api_token } = data ?? assert.fail()
    const made = performance.now()
    const isAt = (box: MeshBox, status: number) => until(async () => (await statusAt(box, { token })) === status)
    await within(Promise.all([b, c].map((box) => isAt(box, 200))), made)
    const stream = await streamAt(b, { token })
    await c.admin().POST('/v1/admin/tokens/{id}/revoke', { params: { path: { id: api_token.id } }, body: {} })
    const revoked = performance.now()
    await within(Promise.all([stream.closed, ...[a, b, c].map((box) => isAt(box, 401))]), revoked)
  })

  it('somebody who signed on at a scanner is known where the scanner goes on, and signed off everywhere at once', async () => {
    const [a, b, c] = boxes
    const id = await addPerson(a, 'Sina')
    const here = await a.device()
    const there = b.deviceOf(here.paired)
    const { data: on } = await here.client.POST('/v1/sign-on', { body: { name: 'Sina', secret: PIN } })
    assert.ok(on)
    const signedOn = performance.now()
    await until(async () => (await scanAt(there)) !== 'sign_on_needed', 'b knows who is on')
    await within(Promise.resolve(), signedOn)
    const { data: log } = await b.admin().GET('/v1/admin/log', { params: { query: { person: id, kind: 'scan' } } })
    assert.equal(log?.rows[0]?.actor, 'Sina')
    await remove(c, id)
    const removed = performance.now()
    for (const device of [here, there]) await until(async () => (await scanAt(device)) === 'sign_on_needed', 'is off')
    await within(Promise.resolve(), removed)
  })

  it('a box that is alone goes on with what it knew, and learns the rest when it is back', async (context) => {
    if (!world.hasCables) return context.skip('cables are cut on Linux alone')
    const [a, b] = boxes
    const id = await addPerson(a, 'Nora')
    await until(async () => (await peopleAt(b)).has(id), 'b knows her')
    const session = await signIn(b, 'Nora')
    for (const other of [0, 2]) world.cables.cut(1, other)
    await remove(a, id)
    assert.equal((await trySignIn(a, 'Nora')).status, 401)
    assert.equal(await statusAt(b, session), 200)
    assert.equal((await trySignIn(b, 'Nora')).status, 201, 'b has not heard of it')
    for (const other of [0, 2]) world.cables.mend(1, other)
    await until(async () => (await statusAt(b, session)) === 401, 'b has heard of it')
  })
})

async function peopleAt(box: MeshBox): Promise<Set<string>> {
  const { data } = await box.admin().GET('/v1/admin/staff')
  return new Set(data?.people.map(({ id }) => id))
}

/** @returns the error's code, or the verdict */
async function scanAt(device: Awaited<ReturnType<MeshBox['device']>>): Promise<string> {
  try {
    return (await device.scan('NOBODY')).verdict
  } catch (error) {
    return (error as Error).message.split(':')[0] ?? ''
  }
}

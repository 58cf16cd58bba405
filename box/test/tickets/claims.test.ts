/** The effects of a claim on others: offline gates, the forwarded link, an attacker on the network. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { codeHash, eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { type TlsFetch, tlsFetch } from '../../src/device/tls-fetch.ts'
import { eq } from '../../src/drizzle/core.ts'
import { tickets } from '../../src/ledger/schema.ts'
import { Mirror } from '../scanner/mirror.ts'
import type { TestDevice } from '../world/device.ts'
import { TEST_EVENT } from '../world/event.ts'
import { Phone } from '../world/phone.ts'
import { StreamReader } from '../world/stream-reader.ts'
import { World } from '../world/world.ts'

const json = { 'content-type': 'application/json' }

async function claim(world: World, fetch: TlsFetch, id: string, phone: Phone): Promise<Response> {
  const body = JSON.stringify(phone.claim(id))
  return fetch(new Request(`${world.box.baseUrl}/v1/ticket/${id}/claim`, { method: 'POST', headers: json, body }))
}

async function release(world: World, code: string): Promise<void> {
  const params = { path: { id: code } }
  const body = { actor: 'desk', reason: 'lost phone' }
  const { response } = await (await world.admin()).POST('/v1/admin/tickets/{id}/release', { params, body })
  assert.equal(response.status, 200)
}

describe('a claim, at offline gates', () => {
  let world: World
  let gate: TestDevice
  let fetch: TlsFetch
  /** Fed by the stream alone, and by deltas alone. */
  const mirrors = { stream: new Mirror(), delta: new Mirror() }
  let reader: StreamReader
  let salt: Uint8Array

  before(async () => {
    world = await World.open({
      tickets: ['UNTIL,once', 'ALWAYS,crew', 'NEVER,phone', 'USED,once'].map((row) => `${row},,,,,,valid`),
    })
    fetch = tlsFetch({ ca: await world.ca })
    gate = await world.device()
    const mirrored = await world.device()
    reader = new StreamReader(world, mirrored, {
      onEvent({ event, data }) {
        if (event === 'redemption') mirrors.stream.redeemed(data)
        if (event === 'ticket') mirrors.stream.rekeyed(data)
      },
    })
    const admin = await world.admin()
    for (let tries = 0; tries < 100; tries++) {
      await admin.PUT('/v1/admin/mode', { body: { mode: 'STRICT', actor: 'a', reason: 'r' } })
      if (await reader.event(() => true, 20).catch(() => undefined)) break
    }
    const { data } = await gate.client.GET('/v1/manifest')
    assert.ok(data && 'filter' in data)
    mirrors.stream.take(data)
    mirrors.delta.take(data)
    salt = Buffer.from(data.filter.salt, 'base64')
  })
  after(async () => {
    await reader[Symbol.asyncDispose]()
    await fetch[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const keyOf = (code: string) => {
    const row = world.box.ledger.db.drizzle.select().from(tickets).where(eq(tickets.code, code)).get()
    return row?.publicKey ?? assert.fail(code)
  }

  /** The state of both mirrors, once the last event and the delta have arrived. */
  async function says(credential: Uint8Array | string): Promise<string> {
    const last = world.box.ledger.size
    await reader.event(({ data }) => data.version === last)
    // A manifest a second is what a scanner may ask for.
    world.elapsedMs += 1000
    const { data } = await gate.client.GET('/v1/manifest', { params: { query: { since: mirrors.delta.version } } })
    assert.ok(data && 'since' in data)
    mirrors.delta.take(data)
    const hash = await codeHash(salt, credential)
    const said = [mirrors.stream, mirrors.delta].map((mirror) => mirror.verdict(hash, 'arena'))
    assert.equal(said[0], said[1], 'stream and delta')
    return said[0] ?? ''
  }

  for (const [code, policy, printed] of [
    ['UNTIL', 'until_claimed', { claimed: 'revoked', released: 'fine' }],
    ['ALWAYS', 'always', { claimed: 'fine', released: 'fine' }],
    ['NEVER', 'never', { claimed: 'revoked', released: 'revoked' }],
  ] as const) {
    it(`of a ticket with static_code "${policy}" is known by stream and by delta, and so is its release`, async () => {
      const phone = new Phone()
      const seed = Buffer.from(keyOf(code))
      assert.equal((await claim(world, fetch, world.ticketIdOf(code), phone)).status, 200)
      assert.deepEqual(
        [await says(seed), await says(phone.publicKey), await says(code)],
        ['revoked', 'fine', printed.claimed],
      )
      assert.equal((await gate.scan(code)).verdict, printed.claimed === 'fine' ? 'ADMIT' : 'BLOCKED', 'as the box says')

      await release(world, code)
      assert.deepEqual(
        [await says(seed), await says(phone.publicKey), await says(keyOf(code)), await says(code)],
        ['revoked', 'revoked', 'fine', printed.released],
      )
    })
  }

  it('of a ticket that is inside does not admit it again', async () => {
    const phone = new Phone()
    assert.equal((await gate.scan('USED')).verdict, 'ADMIT')
    await claim(world, fetch, world.ticketIdOf('USED'), phone)
    assert.equal(await says(phone.publicKey), 'used')
    const shown = phone.code(await eventTag(TEST_EVENT.id), slotAt(world.now()))
    assert.equal((await gate.scan(shown)).verdict, 'ALREADY_USED')
  })
})

describe('a claimed ticket', () => {
  let world: World
  let fetch: TlsFetch
  const phone = new Phone()
  const other = new Phone()
  let id: string
  let otherId: string

  before(async () => {
    world = await World.open({ environment: { GATEHOUSE_WALLET_OVER_HTTP: '1' } })
    fetch = tlsFetch({ ca: await world.ca })
    id = world.ticketIdOf('ONCE-1')
    otherId = world.ticketIdOf('ONCE-2')
    await claim(world, fetch, id, phone)
    await claim(world, fetch, otherId, other)
  })
  after(async () => {
    await fetch[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const viewOf = (ticket: string, base = world.box.baseUrl) => new Request(`${base}/v1/ticket/${ticket}`)
  const refused = async (request: Request) => {
    const answer = await (request.url.startsWith('https:') ? fetch(request) : globalThis.fetch(request))
    assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [403, 'not_allowed'])
  }

  it('is shown to its phone over HTTPS and, when the operator allows it, over plain HTTP', async () => {
    const plain = `http://127.0.0.1:${world.box.ports.http}`
    for (const answer of [
      await fetch(await phone.sign(viewOf(id), world.now())),
      await globalThis.fetch(await phone.sign(viewOf(id, plain), world.now())),
    ]) {
      assert.equal(answer.status, 200)
      const view = (await answer.json()) as TicketView
      assert.deepEqual([view.claimed, 'secret' in view], [true, false])
    }
  })

  it('is refused to forwarded links, other phones, and signatures of another time, place or ticket', async () => {
    const now = world.now()
    const signed = await phone.sign(viewOf(id), now)
    const again = signed.clone()
    assert.equal((await fetch(signed)).status, 200)
    await refused(again)
    await refused(viewOf(id))
    await refused(await other.sign(viewOf(id), now))
    await refused(await phone.sign(viewOf(otherId), now))
    await refused(await phone.sign(viewOf(id), now - 120_000))
    await refused(await phone.sign(viewOf(id), now + 120_000))
    await refused(new Request(viewOf(otherId), { headers: (await phone.sign(viewOf(id), now)).headers }))
    const plain = viewOf(id, `http://127.0.0.1:${world.box.ports.http}`)
    await refused(new Request(plain, { headers: (await phone.sign(viewOf(id), now)).headers }))
  })

  it('is no longer the phone’s once released, and its old secret stays invalid', async () => {
    const code = 'FLEX-1'
    const mine = new Phone()
    const ticket = world.ticketIdOf(code)
    const tag = await eventTag(TEST_EVENT.id)
    const secret = async () =>
      Buffer.from(((await (await fetch(viewOf(ticket))).json()) as TicketView).secret ?? '', 'base64')
    const first = await secret()
    assert.equal((await claim(world, fetch, ticket, mine)).status, 200)
    await release(world, code)
    const second = await secret()
    assert.notDeepEqual(second, first)
    const gate = await world.device()
    const slot = slotAt(world.now())
    const said: Verdict[] = []
    for (const shown of [await signCode(await keyFromSeed(first), tag, slot), mine.code(tag, slot)])
      said.push(await gate.scan(shown))
    said.push(await gate.scan(await signCode(await keyFromSeed(second), tag, slot)))
    assert.deepEqual(
      said.map(({ verdict }) => verdict),
      ['BLOCKED', 'BLOCKED', 'ADMIT'],
    )
    // Nobody has claimed the ticket now: its holder is not sent looking for another phone.
    assert.match(said[1]?.reason ?? '', /ask for its link to be opened again/)
    assert.equal((await claim(world, fetch, ticket, other)).status, 409, 'the key of another ticket')
    assert.equal((await claim(world, fetch, ticket, new Phone())).status, 200)
  })

  it('stays claimed when the organiser imports the tickets again, changed or not', async () => {
    const admin = await world.admin()
    for (const holder of ['Ana Reis', 'Ana Maria Reis']) {
      const { data } = await admin.POST('/v1/admin/import/tickets', {
        body: `code,tier,holder_name\nONCE-1,once,${holder}\n` as never,
        bodySerializer: (body) => body,
        headers: { 'content-type': 'application/octet-stream' },
      })
      assert.deepEqual(data?.rejected, [])
      await refused(viewOf(id))
      const own = (await (await fetch(await phone.sign(viewOf(id), world.now()))).json()) as TicketView
      assert.deepEqual([own.ticket.holder_name, own.claimed, 'secret' in own], [holder, true, false])
    }
  })

  it('records in the journal who released it and why', async () => {
    const entries = world.box.ledger.read(0, 10_000).map(({ bytes }) => JSON.parse(bytes.toString()))
    const releases = entries.filter(({ kind }) => kind === 'release')
    assert.deepEqual(
      releases.map(({ actor, reason }) => [actor, reason]),
      [['desk', 'lost phone']],
    )
    const admin = await world.admin()
    const params = { path: { id: 'CREW-1' } }
    const unclaimed = { params, body: { actor: 'desk', reason: 'r' } }
    assert.equal((await admin.POST('/v1/admin/tickets/{id}/release', unclaimed)).error?.code, 'conflict')
    const nameless = { params, body: { reason: 'r' } as never }
    assert.equal((await admin.POST('/v1/admin/tickets/{id}/release', nameless)).error?.code, 'bad_request')
  })
})

describe('plain HTTP', () => {
  it('has no attendee tier unless the operator says so', async () => {
    await using world = await World.open()
    await using fetch = tlsFetch({ ca: await world.ca })
    const id = world.ticketIdOf('ONCE-1')
    const body = JSON.stringify(new Phone().claim(id))
    for (const [path, init] of [
      [`/v1/ticket/${id}`, {}],
      [`/v1/ticket/${id}/nearby`, {}],
      [`/v1/ticket/${id}/claim`, { method: 'POST', headers: json, body }],
      ['/v1/announcements', {}],
    ] as const) {
      const answer = await globalThis.fetch(`http://127.0.0.1:${world.box.ports.http}${path}`, init)
      assert.equal(answer.status, 404, path)
    }
    assert.equal((await fetch(new Request(`${world.box.baseUrl}/v1/ticket/${id}`))).status, 200)
  })
})

/** The attendee's side, from the ticket link to the gate, against a real box. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { verifyAnnouncement } from '@gatehouse/proto/announcement.ts'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import { type TlsFetch, tlsFetch } from '../../src/device/tls-fetch.ts'
import type { TestDevice } from '../world/device.ts'
import { TEST_EVENT } from '../world/event.ts'
import { Phone } from '../world/phone.ts'
import { cli } from '../world/programs.ts'
import { World } from '../world/world.ts'

describe('an attendee', () => {
  let world: World
  let device: TestDevice
  let wallet: GatehouseClient
  const phone = new Phone()
  let phoneWallet: GatehouseClient
  let tag: Uint8Array
  let fetch: TlsFetch

  before(async () => {
    world = await World.open()
    device = await world.device()
    fetch = tlsFetch({ ca: await world.ca })
    const { baseUrl } = world.box
    wallet = gatehouseClient({ baseUrl, fetch })
    phoneWallet = gatehouseClient({ baseUrl, fetch: async (request) => fetch(await phone.sign(request, world.now())) })
    tag = await eventTag(TEST_EVENT.id)
  })
  after(async () => {
    await fetch[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  /** The link that `gatehouse links` prints, typed beside the running box. */
  const linkOf = async (code: string): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [cli(), 'links', '--json'], {
      env: { PATH: process.env.PATH, ...world.environment, GATEHOUSE_WALLET_URL: 'https://tickets.example/wallet/' },
    })
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { code: string; link: string })
    return rows.find((row) => row.code === code)?.link ?? assert.fail(code)
  }
  const idOf = (code: string) => world.ticketIdOf(code)
  const view = async (client: GatehouseClient, id: string) =>
    client.GET('/v1/ticket/{id}', { params: { path: { id } } })

  it('opens the link, claims the ticket and enters; the forwarded link then opens nothing', async () => {
    const link = await linkOf('DAILY-1')
    assert.ok(!link.slice(0, link.indexOf('#')).includes(idOf('DAILY-1')), 'nothing of it is sent')
    const id = new URLSearchParams(new URL(link).hash.slice(1)).get('t') ?? assert.fail()
    const opened = await view(wallet, id)
    assert.ok(opened.data)
    assert.deepEqual(
      { tier: opened.data.ticket.tier_name, claimed: opened.data.claimed, history: opened.data.history },
      { tier: 'Pass', claimed: false, history: [] },
    )
    const seed = await keyFromSeed(Buffer.from(opened.data.secret ?? '', 'base64'))
    const codeOf = () => signCode(seed, tag, slotAt(world.now()))

    const shown = await codeOf()
    assert.equal((await device.scan(shown)).verdict, 'ADMIT')
    world.offsetMs += 60_000
    const stale = await device.scan(shown)
    assert.equal(stale.verdict, 'STALE_CODE')
    assert.deepEqual(stale.evidence, { code_age_seconds: 60, phone_clock: false })

    const claimed = await wallet.POST('/v1/ticket/{id}/claim', { params: { path: { id } }, body: phone.claim(id) })
    assert.equal(claimed.data?.claimed, true)

    world.offsetMs += 24 * 3_600_000
    const old = await device.scan(await codeOf())
    assert.equal(old.verdict, 'BLOCKED')
    assert.match(old.reason, /claimed on another phone/)
    assert.equal((await device.scan('DAILY-1')).verdict, 'BLOCKED', 'the printed code too, until_claimed')
    assert.equal((await device.scan(phone.code(tag, slotAt(world.now())))).verdict, 'ADMIT', 'on another day')

    const forwarded = await view(wallet, id)
    assert.equal(forwarded.error?.code, 'not_allowed')
    const own = await view(phoneWallet, id)
    assert.equal(own.data?.claimed, true)
    assert.equal(own.data?.secret, undefined)
    assert.deepEqual(
      own.data?.history.map(({ checkpoint_name, direction }) => [checkpoint_name, direction]),
      [
        ['A entry', 'in'],
        ['A entry', 'in'],
      ],
    )
  })

  it('is told that the phone’s clock is wrong and the ticket valid; a picture of a code is never blamed on the clock', async () => {
    const opened = await view(wallet, idOf('PHONE-1'))
    const seed = await keyFromSeed(Buffer.from(opened.data?.secret ?? '', 'base64'))
    const behind = () => signCode(seed, tag, slotAt(world.now()) - 40)
    const picture = await behind()
    const seen = async (code: string) => {
      const { verdict, evidence, reason } = await device.scan(code)
      assert.equal(verdict, 'STALE_CODE')
      return { phoneClock: evidence && 'phone_clock' in evidence && evidence.phone_clock, reason }
    }
    for (let i = 0; i < 3; i++) {
      const shown = await seen(picture)
      assert.equal(shown.phoneClock, false)
      assert.match(shown.reason, /^This code is 1[01] minutes old: /)
      world.offsetMs += 15_000
    }
    await seen(await behind())
    world.offsetMs += 30_000
    const steady = await seen(await behind())
    assert.equal(steady.phoneClock, true)
    assert.match(steady.reason, /^That phone's clock is 10 minutes behind: set its time to automatic/)
    assert.equal(
      (await device.scan(await signCode(seed, tag, slotAt(world.now())))).verdict,
      'ADMIT',
      'once it is right',
    )
  })

  it('claims once: of two phones at the same instant one wins, and may ask again', async () => {
    const id = idOf('FLEX-1')
    const phones = [new Phone(), new Phone(), new Phone()]
    const answers = await Promise.all(
      phones.map((one) => wallet.POST('/v1/ticket/{id}/claim', { params: { path: { id } }, body: one.claim(id) })),
    )
    const winners = answers.flatMap(({ data }, i) => (data ? [i] : []))
    assert.equal(winners.length, 1)
    for (const { error } of answers) if (error) assert.equal(error.code, 'conflict')
    const winner = phones[winners[0] ?? 0]
    const again = await wallet.POST('/v1/ticket/{id}/claim', {
      params: { path: { id } },
      body: winner?.claim(id) ?? assert.fail(),
    })
    assert.equal(again.data?.claimed, true)
  })

  it('loses the claim when the organiser releases it: the link works again with a new secret, and the phone’s code stops working', async () => {
    const id = idOf('FLEX-1')
    const admin = await world.admin()
    const released = await admin.POST('/v1/admin/tickets/{id}/release', {
      params: { path: { id: 'FLEX-1' } },
      body: { actor: 'desk 2', reason: 'lost phone' },
    })
    assert.equal(released.data?.released, true)
    const opened = await view(wallet, id)
    const seed = await keyFromSeed(Buffer.from(opened.data?.secret ?? '', 'base64'))
    assert.equal((await device.scan(await signCode(seed, tag, slotAt(world.now())))).verdict, 'ADMIT')
  })

  it('cannot claim with a key that is not theirs, or with one that every signature fits', async () => {
    const id = idOf('ONCE-2')
    const thief = new Phone()
    const claim = (body: { public_key: string; proof: string }) =>
      wallet.POST('/v1/ticket/{id}/claim', { params: { path: { id } }, body })
    for (const body of [
      { ...thief.claim(id), public_key: new Phone().publicKey.toString('base64') },
      thief.claim(idOf('ONCE-1')),
      { public_key: Buffer.alloc(32).toString('base64'), proof: Buffer.alloc(64).toString('base64') },
      { public_key: 'AA==', proof: 'AA==' },
      { public_key: '!', proof: '!' },
    ]) {
      const { error } = await claim(body)
      assert.equal(error?.code, 'bad_request')
    }
    // Of small order, as it should be written and otherwise; and a number above the prime.
    for (const key of ['01'.padEnd(64, '0'), 'ec'.padEnd(64, 'f'), `${'f0'.padEnd(62, 'f')}7f`]) {
      const { error } = await claim({ ...thief.claim(id), public_key: Buffer.from(key, 'hex').toString('base64') })
      assert.match(error?.message ?? '', /^The field "public_key" is not an Ed25519 key: make a new key/)
    }
    assert.equal((await view(wallet, id)).data?.claimed, false)
  })

  it('reads announcements, newest first and signed', async () => {
    const admin = await world.admin()
    const say = (text: string, zones?: string[]) =>
      admin.POST('/v1/admin/announce', {
        body: { text, severity: 'info', actor: 'control', ...(zones && { zones }) },
      })
    await say('Doors are open.')
    await say('The lounge closes at midnight.', ['lounge'])
    const { data } = await wallet.GET('/v1/announcements', {})
    assert.deepEqual(
      data?.announcements.map(({ text }) => text),
      ['The lounge closes at midnight.', 'Doors are open.'],
    )
    const arena = await wallet.GET('/v1/announcements', { params: { query: { zone: 'arena' } } })
    assert.equal(arena.data?.announcements.length, 1)
    const meta = await wallet.GET('/v1/meta', {})
    const [first] = data?.announcements ?? []
    assert.ok(first && meta.data)
    assert.equal(await verifyAnnouncement(first, meta.data.verifier_key), true)
    assert.equal(await verifyAnnouncement({ ...first, text: 'Go home.' }, meta.data.verifier_key), false)
  })
})

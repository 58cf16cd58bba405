/** The wallet against a real box: over HTTPS with WebCrypto, over plain HTTP with tweetnacl, and with answers that get lost. */
import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { slotAt } from '@gatehouse/proto/code.ts'
import { tlsFetch } from '../../../box/src/device/tls-fetch.ts'
import type { TestDevice } from '../../../box/test/world/device.ts'
import { World } from '../../../box/test/world/world.ts'
import { type Kept, keptIn } from '../store/kept.ts'
import { type KeyRing, keyRing } from '../store/key-ring.ts'
import { bestEd25519, type Ed25519 } from './ed25519.ts'
import { openWallet, type Wallet } from './wallet.ts'

interface Phone {
  wallet: Wallet
  kept: Kept
  keys: KeyRing
  /** The wallet closed and opened again. */
  reopened: () => Wallet
  network: {
    up: boolean
    /** Requests reach the box, their answers nobody. */
    losesAnswers: boolean
    sent: Request[]
  }
  clock: { offMs: number }
}

const engines: Record<Ed25519['name'], () => Promise<Ed25519>> = {
  webcrypto: () => bestEd25519(),
  tweetnacl: async () => (await import('./nacl.ts')).naclEd25519(),
}

describe('the wallet', () => {
  let world: World
  let gate: TestDevice
  let https: (request: Request) => Promise<Response>
  let verifierKey: string
  const stack = new AsyncDisposableStack()
  const demo = (file: string) => readFileSync(new URL(`../../../box/demo/${file}`, import.meta.url), 'utf8')
  const codes = Array.from({ length: 40 }, (_, i) => `T${i}`)

  before(async () => {
    world = stack.use(
      await World.open({
        event: JSON.parse(demo('event.json')),
        venue: demo('venue.geojson'),
        tickets: codes.map((code) => `${code},day,,,,,,valid`),
        environment: { GATEHOUSE_WALLET_OVER_HTTP: '1' },
      }),
    )
    gate = stack.use(await world.device())
    https = stack.use(tlsFetch({ ca: await world.ca }))
    const meta = await fetch(`http://127.0.0.1:${world.box.ports.http}/v1/meta`)
    verifierKey = ((await meta.json()) as { verifier_key: string }).verifier_key
  })
  after(() => stack.disposeAsync())

  const nextCode = () => codes.pop() ?? assert.fail('more tickets, please')

  function phone(by: Ed25519['name'] = 'webcrypto'): Phone {
    const map = new Map<string, string>()
    const kept = keptIn({
      getItem: (name) => map.get(name) ?? null,
      setItem: (name, text) => void map.set(name, text),
      removeItem: (name) => void map.delete(name),
    })
    const keys = keyRing(`phone-${randomUUID()}`)
    const network: Phone['network'] = { up: true, losesAnswers: false, sent: [] }
    const clock = { offMs: 0 }
    const secure = by === 'webcrypto'
    const open = () =>
      openWallet({
        kept,
        keys,
        nonce: randomUUID,
        engine: engines[by],
        baseUrl: secure ? world.box.baseUrl : `http://127.0.0.1:${world.box.ports.http}`,
        clock: () => ({ wall: world.now() + clock.offMs, steady: performance.now() }),
        async fetch(request) {
          if (!network.up) throw new TypeError('no network')
          network.sent.push(request)
          const answer = await (secure ? https(request) : globalThis.fetch(request))
          if (network.losesAnswers) throw new TypeError('connection reset')
          return answer
        },
      })
    return { wallet: open(), kept, keys, reopened: open, network, clock }
  }

  async function opened(code: string, by?: Ed25519['name']) {
    const made = phone(by)
    const id = world.ticketIdOf(code)
    made.wallet.open({ id, verifierKey })
    assert.ok(await made.wallet.refresh())
    return { ...made, id }
  }

  const shown = async ({ wallet, id }: { wallet: Wallet; id: string }) => wallet.codeOf(id, slotAt(wallet.now()))
  const verdictOf = async (code: string | null, checkpoint = 'north-in') =>
    (await gate.scan(code ?? assert.fail('no code'), { checkpoint })).verdict
  const ticketOf = (wallet: Wallet) => wallet.current.value ?? assert.fail('no ticket')

  for (const by of ['webcrypto', 'tweetnacl'] as const) {
    describe(`with ${by}`, () => {
      it('shows a code that the gate admits, also without network, after it was closed', async () => {
        const { reopened, network, id } = await opened(nextCode(), by)
        network.up = false
        const later = reopened()
        assert.equal(await later.refresh(), false)
        assert.equal(ticketOf(later).view?.ticket.tier_name, 'Day ticket')
        assert.equal(later.reachable.value, false)
        assert.equal(await verdictOf(await shown({ wallet: later, id })), 'ADMIT')
      })

      it('claims: codes by the phone’s key admit, the link’s do not, and the box shows it to nobody else', async () => {
        const code = nextCode()
        const mine = await opened(code, by)
        const other = await opened(code, by)
        assert.equal(await mine.wallet.claim(mine.id), null)
        assert.equal(ticketOf(mine.wallet).claim, 'mine')
        assert.equal(ticketOf(mine.wallet).weak, by === 'tweetnacl')
        assert.ok(!('secret' in (ticketOf(mine.wallet).view ?? {})))

        assert.equal(await verdictOf(await shown(other)), 'BLOCKED')
        assert.equal(await verdictOf(await shown(mine)), 'ADMIT')
        assert.ok(await mine.wallet.refresh())
        assert.equal(ticketOf(mine.wallet).trouble, null)
        assert.equal(ticketOf(mine.wallet).view?.history.length, 1)
        const near = await mine.wallet.nearby(mine.id, { stepFree: true, from: 'south-in' })
        assert.ok(near.ok && near.value.value.length > 0)

        await other.wallet.refresh()
        assert.equal(ticketOf(other.wallet).trouble, 'elsewhere')
        assert.equal(await shown(other), null, 'the dead code is not shown any more')
        assert.equal(await other.wallet.claim(other.id), 'elsewhere')
        assert.equal(await other.keys.of(other.id), undefined)
      })

      it('a claim whose answer was lost is sent again, and is this phone’s after all', async () => {
        const { wallet, reopened, network, keys, id } = await opened(nextCode(), by)
        network.losesAnswers = true
        assert.equal(await wallet.claim(id), 'unreachable')
        assert.equal(ticketOf(wallet).claim, 'unsure')
        const held = await keys.of(id)
        network.losesAnswers = false

        const later = reopened()
        assert.ok(await later.refresh())
        assert.equal(ticketOf(later).claim, 'mine')
        assert.deepEqual((await keys.of(id))?.key.publicKey, held?.key.publicKey)
        assert.equal(await verdictOf(await shown({ wallet: later, id })), 'ADMIT')
      })

      it('a claim that never arrived leaves the link’s code until it does', async () => {
        const { wallet, network, id } = await opened(nextCode(), by)
        network.up = false
        assert.equal(await wallet.claim(id), 'unreachable')
        assert.equal(await verdictOf(await shown({ wallet, id })), 'ADMIT')
        network.up = true
        assert.ok(await wallet.refresh())
        assert.equal(ticketOf(wallet).claim, 'mine')
      })

      it('shows what the organiser signed, and counts what they did not', async () => {
        const { wallet } = await opened(nextCode(), by)
        const admin = await world.admin()
        const body = { text: `By ${by}`, severity: 'warning' as const, actor: 'desk' }
        assert.equal((await admin.POST('/v1/admin/announce', { body })).response.status, 201)
        await wallet.refresh()
        assert.ok(wallet.news.value.signed.some(({ text }) => text === `By ${by}`))
        assert.equal(wallet.news.value.hidden, 0)
        const count = wallet.unread.value
        assert.ok(count > 0)
        wallet.markRead()
        assert.equal(wallet.unread.value, 0)

        const strange = phone(by)
        const other = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
        for (const key of [other, null]) {
          strange.wallet.open({ id: world.ticketIdOf(nextCode()), verifierKey: key })
          await strange.wallet.refresh()
          assert.deepEqual(strange.wallet.news.value.signed, [])
          assert.equal(strange.wallet.news.value.hidden, count)
        }
      })
    })
  }

  it('corrects a phone’s clock, for its codes and for its signatures', async () => {
    const made = phone()
    made.clock.offMs = -10 * 60_000
    const id = world.ticketIdOf(nextCode())
    made.wallet.open({ id, verifierKey })
    assert.ok(await made.wallet.refresh())
    assert.ok(Math.abs((made.wallet.offset.value ?? 0) - 600_000) < 5000)
    assert.equal(await made.wallet.claim(id), null)
    made.clock.offMs = 20 * 60_000
    assert.ok(await made.wallet.refresh())
    assert.equal(ticketOf(made.wallet).trouble, null)
    assert.equal(await verdictOf(await shown({ wallet: made.wallet, id })), 'ADMIT')
  })

  it('what the organiser released is known as such, and can be claimed again', async () => {
    const code = nextCode()
    const { wallet, keys, id } = await opened(code)
    assert.equal(await wallet.claim(id), null)
    const params = { path: { id: code } }
    const body = { actor: 'desk', reason: 'asked to' }
    await (await world.admin()).POST('/v1/admin/tickets/{id}/release', { params, body })
    assert.ok(await wallet.refresh())
    assert.deepEqual([ticketOf(wallet).claim, ticketOf(wallet).released], ['none', true])
    assert.equal(await keys.of(id), undefined)
    assert.equal(await wallet.claim(id), null)
    assert.equal(await verdictOf(await shown({ wallet, id })), 'ADMIT')
  })

  it('two tabs that claim at once claim with one key', async () => {
    const { wallet, reopened, id } = await opened(nextCode())
    const other = reopened()
    assert.deepEqual(await Promise.all([wallet.claim(id), other.claim(id)]), [null, null])
  })

  it('a ticket that was revoked says so; one that is none says so; several live side by side', async () => {
    const code = nextCode()
    const { wallet, reopened, id } = await opened(code)
    const params = { path: { id: code } }
    await (await world.admin()).POST('/v1/admin/tickets/{id}/revoke', { params, body: { actor: 'a', reason: 'r' } })
    await wallet.refresh()
    assert.equal(ticketOf(wallet).view?.ticket.status, 'revoked')

    wallet.open({ id: 'AAAAAAAAAAAAAAAAAAAAAA', verifierKey })
    assert.ok(await wallet.refresh())
    assert.deepEqual([ticketOf(wallet).trouble, ticketOf(wallet).view], ['unknown', null])
    // The page still says why; the list of the next visit has only what has opened once.
    assert.deepEqual(
      reopened().tickets.value.map((ticket) => ticket.id),
      [id],
    )
    await wallet.remove('AAAAAAAAAAAAAAAAAAAAAA')
    assert.equal(ticketOf(wallet).id, id)
  })

  it('a ticket that another tab added is neither lost nor brought back', async () => {
    const { wallet, reopened, id } = await opened(nextCode())
    const other = reopened()
    const second = world.ticketIdOf(nextCode())
    const third = world.ticketIdOf(nextCode())
    other.open({ id: second, verifierKey })
    wallet.open({ id: third, verifierKey })
    other.adopt()
    const ids = (one: Wallet) => one.tickets.value.map((ticket) => ticket.id)
    assert.deepEqual(
      [ids(wallet), ids(other)],
      [
        [id, second, third],
        [id, second, third],
      ],
    )
    await other.remove(second)
    await wallet.remove(third)
    assert.deepEqual(ids(reopened()), [id])
  })

  it('nearby is there without network as it was last asked, and for no other question', async () => {
    const { wallet, network, id } = await opened(nextCode())
    const question = { stepFree: false, from: null }
    const first = await wallet.nearby(id, question)
    assert.ok(first.ok)
    network.up = false
    assert.deepEqual(await wallet.nearby(id, question), first)
    assert.deepEqual(await wallet.nearby(id, { ...question, stepFree: true }), { ok: false, trouble: 'unreachable' })
  })

  it('takes the map once, and asks whether it is still the same', async () => {
    const { wallet, reopened, network, clock } = await opened(nextCode())
    assert.ok(wallet.plan.value?.map)
    const later = reopened()
    assert.deepEqual(later.plan.value, wallet.plan.value)
    clock.offMs = 11 * 60_000
    await later.refresh()
    const asked = network.sent.filter(({ url }) => url.endsWith('/v1/venue'))
    assert.equal(asked.length, 2)
    assert.match(asked[1]?.headers.get('if-none-match') ?? '', /^"sha256-[0-9a-f]{64}"$/)
    assert.deepEqual(later.plan.value, wallet.plan.value)
  })

  it('a page that answers in the box’s place changes nothing', async () => {
    const { kept, keys, id } = await opened(nextCode())
    for (const body of ['<html>Pay for the network</html>', '{}', '[]', 'null', '{"now":"soon"}', '{"ticket":{}}']) {
      const wallet = openWallet({
        kept,
        keys,
        baseUrl: 'http://portal.example',
        nonce: randomUUID,
        engine: engines.webcrypto,
        clock: () => ({ wall: world.now(), steady: performance.now() }),
        fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
      })
      assert.equal(await wallet.refresh(), false, body)
      assert.match(await verdictOf(await shown({ wallet, id })), /^(ADMIT|ALREADY_USED)$/)
    }
  })

  it('sends the id in the path and nowhere else', async () => {
    const { wallet, network, id } = await opened(nextCode())
    await wallet.claim(id)
    await wallet.refresh()
    for (const request of network.sent) {
      const { pathname, search } = new URL(request.url)
      assert.ok(!search.includes(id))
      if (pathname.includes(id)) assert.ok(pathname.startsWith(`/v1/ticket/${id}`))
      for (const [name, value] of request.headers) assert.ok(!value.includes(id), name)
    }
  })
})

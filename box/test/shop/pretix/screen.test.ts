/** The screen Shop with a connected pretix: its facts and its buttons. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShopPretix } from '@gatehouse/proto/wire/shop.ts'
import { gatehouse } from '../../world/command.ts'
import { until } from '../../world/until.ts'
import { World } from '../../world/world.ts'
import { connectFolder } from './connected.ts'
import { PretixModel } from './model.ts'
import { answer, PretixServer, TOKEN } from './server.ts'
import { position } from './world.ts'

const MAPPING = 'tiers:\n  item:1: once\nlists:\n  5: [a-in, a-out]\n'
const AT = '2026-07-01T10:00:00.000000Z'

async function shopWorld() {
  await using stack = new AsyncDisposableStack()
  const pretix = stack.use(await PretixServer.start())
  const checkins = new PretixModel()
  checkins.addList({ id: 5 })
  pretix.checkins = checkins
  pretix.items = [{ id: 1, name: { en: 'Ticket' }, admission: true, variations: [] }]
  pretix.lists = [{ id: 5, name: 'Entrance', all_products: true, limit_products: [], subevent: null, rules: {} }]
  const sell = (...ids: number[]) => {
    for (const id of ids) {
      const more = { datetime: AT, last_modified: AT, email: 'jane@example.org' }
      pretix.orders.push({ code: `O${id}`, status: 'p', testmode: false, ...more, positions: [position({ id })] })
    }
  }
  const box = stack.use(await World.open())
  const admin = await box.admin()
  const held = stack.move()
  return {
    ...{ pretix, checkins, box, sell },
    connect: (mapping = MAPPING) => box.restart(() => connectFolder(box.environment, pretix, mapping)),
    shop: async () => {
      const { data } = await (await box.admin()).GET('/v1/admin/shop')
      assert.ok(data)
      return data
    },
    ask: async (what: 'retry' | 'compare') => {
      const { response } = await (await box.admin()).POST(`/v1/admin/shop/${what}`)
      return response.status
    },
    admin,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** Waits until the screen shows it. */
async function shown(w: Awaited<ReturnType<typeof shopWorld>>, is: (pretix: ShopPretix) => boolean) {
  let last: ShopPretix | null = null
  await until(async () => {
    last = (await w.shop()).pretix
    return last !== null && is(last)
  }, is.toString()).catch((cause) => assert.fail(`${cause.message}: ${JSON.stringify(last)}`))
  return last as unknown as ShopPretix
}

test('without a pretix there is nothing to show, and nothing to ask for', async () => {
  await using w = await shopWorld()
  assert.deepEqual(await w.shop(), { follows: 'nothing', problem: null, pretix: null })
  assert.deepEqual([await w.ask('retry'), await w.ask('compare')], [409, 409])
})

test('a connected pretix is shown with both directions, and without its token', async () => {
  await using w = await shopWorld()
  w.sell(1, 2)
  w.checkins.add({ id: 1, secret: 'secret1' })
  await w.connect()
  const first = await shown(w, ({ down }) => down.compared_at !== null)
  assert.deepEqual(first.notices, [])
  assert.equal(first.source, `pretix/127.0.0.1:${w.pretix.port}/acme/summer`)
  assert.deepEqual([first.down.connected, first.down.lag_seconds, first.down.tickets_added], [true, 0, 2])
  await (await w.box.device()).scan('secret1')
  const { up } = await shown(w, ({ up }) => up.sent > 0)
  assert.deepEqual([up.state, up.lag_seconds, up.waiting, up.queue], ['sending', 0, 0, []])
  assert.equal(w.checkins.successes().length, 1)
  assert.doesNotMatch(JSON.stringify(await w.shop()), new RegExp(TOKEN))
})

test('a mapped list with rules, and one that is not there, are told on the screen and by the command', async () => {
  await using w = await shopWorld()
  Object.assign(w.pretix.lists[0] ?? {}, { rules: { isAfter: [{ var: 'now' }, {}, 0] } })
  await w.connect('tiers:\n  item:1: once\nlists:\n  5: [a-in, a-out]\n  6: [b-in]\n')
  const { notices } = await shown(w, ({ down }) => down.compared_at !== null)
  assert.deepEqual(notices, [
    { code: 'list_rules', list: 5, name: 'Entrance', checkpoints: ['a-in', 'a-out'] },
    { code: 'list_gone', list: 6, name: null, checkpoints: ['b-in'] },
  ])
  const { out } = await gatehouse(['shop', 'status'], { environment: w.box.environment as Record<string, string> })
  assert.match(out, /list 5 \(Entrance\) of a-in, a-out has rules/)
  assert.match(out, /no longer has the check-in list 6 of b-in/)
})

test('a first load shows its page, and nothing goes up before its end', async () => {
  await using w = await shopWorld()
  w.sell(...Array.from({ length: 120 }, (_, i) => i + 1))
  let isHeld = true
  w.pretix.fault = ({ path, query }, response) => {
    const isThird = path.endsWith('/orders/') && query.get('ordering') === 'datetime' && query.get('page') === '3'
    return isHeld && isThird && answer(response, 502, '')
  }
  await w.connect()
  const { down, up } = await shown(w, ({ down }) => down.reading?.page === 3 && down.last_error !== null)
  assert.deepEqual([down.reading, down.compared_at], [{ page: 3, pages: 3 }, null])
  assert.match(down.last_error ?? '', /has a problem \(HTTP 502\)/)
  assert.deepEqual(down.last_error_coded, [{ code: 'fails', values: { status: 502 } }])
  assert.deepEqual([up.state, up.lag_seconds], ['begins', null])
  isHeld = false
  assert.equal(await w.ask('retry'), 204)
  const after = await shown(w, ({ down }) => down.compared_at !== null)
  assert.equal(after.down.last_error_coded, undefined)
  assert.deepEqual([after.down.last_error, after.down.reading, after.down.tickets_added], [null, null, 120])
})

test('what pretix refuses waits for a person, and "Try again" sends it', async () => {
  await using w = await shopWorld()
  w.sell(1)
  await w.connect()
  await shown(w, ({ down }) => down.compared_at !== null)
  // pretix does not know this ticket, whichever way it is named.
  await (await w.box.device()).scan('secret1')
  const { up } = await shown(w, ({ up }) => up.asleep === 1)
  assert.deepEqual([up.waiting, up.queue.length], [1, 1])
  assert.deepEqual([up.queue[0]?.reason, up.queue[0]?.next_at], ['invalid', null])
  assert.doesNotMatch(JSON.stringify(up), /secret1/)
  const { data } = await (await w.box.admin()).GET('/v1/admin/flags', { params: { query: { state: 'open' } } })
  assert.deepEqual(
    data?.flags.map(({ kind }) => kind),
    ['shop_conflict'],
  )
  w.checkins.add({ id: 1, secret: 'secret1' })
  assert.equal(await w.ask('retry'), 204)
  await shown(w, ({ up }) => up.waiting === 0)
  assert.equal(w.checkins.successes().length, 1)
})

test('"Compare now" finds an order that is gone without a word', async () => {
  await using w = await shopWorld()
  w.sell(1, 2)
  await w.connect()
  const { down } = await shown(w, ({ down }) => down.compared_at !== null)
  w.pretix.orders.splice(0, 1)
  assert.equal(await w.ask('compare'), 204)
  await shown(w, ({ down: now }) => !now.wanted && now.compared_at !== down.compared_at)
  const device = await w.box.device()
  const verdicts = [await device.scan('secret1'), await device.scan('secret2')]
  assert.deepEqual(
    verdicts.map(({ verdict }) => verdict),
    ['REVOKED', 'ADMIT'],
  )
})

test('a mapping with a mistake is named, and a token that is refused says what to do', async () => {
  await using w = await shopWorld()
  await w.box.restart(() => connectFolder(w.box.environment, w.pretix, 'tiers:\n  item:1: nobody\n'))
  await until(async () => (await w.shop()).problem !== null)
  const mistaken = await w.shop()
  assert.deepEqual([mistaken.follows, mistaken.pretix], ['pretix', null])
  assert.match(mistaken.problem ?? '', /line 2: .*nobody/)
  assert.partialDeepStrictEqual(mistaken.problem_coded, [{ code: 'mapping_tier', values: { line: 2, tier: 'nobody' } }])
  w.pretix.token = 'another'
  await w.connect()
  const { down } = await shown(w, ({ down }) => down.last_error !== null)
  assert.equal(down.connected, false)
  assert.match(down.last_error ?? '', /connect again, .* "gatehouse shop connect"/)
  assert.equal(down.last_error_coded?.[0]?.code, 'token_refused')
})

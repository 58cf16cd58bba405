/** Codes that pretix has signed, at a handheld: imported ones, and ones that were sold a moment ago. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectFolder } from '../shop/pretix/connected.ts'
import { PretixServer } from '../shop/pretix/server.ts'
import { checkBody, listsOf, pairApp } from '../world/pretix-app.ts'
import { CodeSigner } from '../world/signed-code.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const CHECK = '/proxyapi/v1/rpc/check/'
const REDEEM = '/api/v1/organizers/gatehouse/checkinrpc/redeem/'
const SOLD = /Sold a moment ago/
const environment = { GATEHOUSE_PRETIXSCAN_PORT: '0' }

test('an imported one is a code like any other: with all its signs, and once', async () => {
  const signer = new CodeSigner()
  const codes = [signer.code({ item: 1 }), signer.code({ item: 1 })] as const
  const tickets = codes.map((code) => `"${code}",once,,,,,,valid`)
  await using world = await World.open({ tickets, environment })
  using app = await pairApp(world, { mode: 'plain' })
  const list = (await listsOf(app))['A entry'] ?? 0
  const checked = async (code: string) => (await app.post(CHECK, checkBody(list, code))).json.type
  assert.deepEqual([await checked(codes[0]), await checked(codes[0])], ['VALID', 'USED'])
  const older = `/api/v1/organizers/gatehouse/events/test-fair/checkinlists/${list}/positions/`
  const at = `${older}${encodeURIComponent(codes[1])}/redeem/`
  assert.equal((await app.post(at, { nonce: 'a' })).status, 201)
  assert.equal((await app.post(at, { nonce: 'b' })).json.reason, 'already_redeemed')
})

test('one that a connected pretix has just sold is admitted once, and the person at the gate reads why', async () => {
  const signer = new CodeSigner()
  await using pretix = await PretixServer.start()
  pretix.items = [{ id: 1, name: { en: 'Ticket' }, admission: true, variations: [] }]
  pretix.event.valid_keys = { pretix_sig1: [signer.published] }
  await using world = await World.open({ environment })
  await world.restart(() => connectFolder(world.environment, pretix, 'tiers:\n  item:1: once\nlists:\n  5: [a-in]\n'))
  await until(async () => {
    const { data } = await (await world.admin()).GET('/v1/admin/shop')
    return (data?.pretix?.down.compared_at ?? null) !== null
  }, 'every order was read')
  using proxy = await pairApp(world)
  using plain = await pairApp(world, { mode: 'plain' })
  const list = (await listsOf(proxy))['A entry'] ?? 0
  const redeem = (secret: string, nonce: string) => plain.post(REDEEM, { secret, lists: [list], nonce })

  const [first, second] = [signer.code({ item: 1 }), signer.code({ item: 1 })]
  const admitted = (await proxy.post(CHECK, checkBody(list, first))).json
  assert.equal(admitted.type, 'VALID')
  assert.match(admitted.reasonExplanation, SOLD)
  const used = await redeem(first, 'a')
  assert.deepEqual([used.status, used.json.reason], [400, 'already_redeemed'])

  const { status, json } = await redeem(second, 'b')
  assert.equal(status, 201)
  assert.match(json.checkin_texts.join(), SOLD)
  assert.equal((await proxy.post(CHECK, checkBody(list, second))).json.type, 'USED')
  // Another shop's signature opens nothing.
  const forged = (await proxy.post(CHECK, checkBody(list, new CodeSigner().code({ item: 1 })))).json
  assert.deepEqual([forged.type, SOLD.test(forged.reasonExplanation)], ['INVALID', false])
})

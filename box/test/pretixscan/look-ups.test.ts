/** Searching at a handheld: a code of the phone, and the settings that keep names from it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import { eq } from '../../src/drizzle/core.ts'
import { tickets } from '../../src/ledger/schema.ts'
import { TEST_EVENT } from '../world/event.ts'
import { checkBody, listsOf, type PretixApp, pairApp } from '../world/pretix-app.ts'
import { World } from '../world/world.ts'

const CHECK = '/proxyapi/v1/rpc/check/'
const ROWS = ['PHONE-1,phone,,,,,,valid', 'ANA-1,once,,Ana Reis,,,,valid']
const open = (scanners_see: 'none' | 'name', settings: Record<string, string> = {}) =>
  World.open({
    event: { ...TEST_EVENT, scanners_see },
    tickets: ROWS,
    environment: { GATEHOUSE_PRETIXSCAN_PORT: '0', ...settings },
  })

const search = (app: PretixApp, list: number, query: string) =>
  app.post('/proxyapi/v1/rpc/search/', { events_and_checkin_lists: { 'test-fair': list }, query, page: 1 })

describe('searching at a handheld', () => {
  test('finds the one ticket of a code that the phone shows, as the desktop app asks, and a press on it admits', async () => {
    await using world = await open('name')
    using app = await pairApp(world)
    const list = (await listsOf(app))['A entry'] ?? 0
    const row = world.box.ledger.db.drizzle.select().from(tickets).where(eq(tickets.code, 'PHONE-1')).get()
    const [tag, key] = [await eventTag('test-fair'), await keyFromSeed(row?.seed ?? Buffer.alloc(32))]
    const code = await signCode(key, tag, slotAt(world.now()))
    const { status, json } = await search(app, list, code)
    assert.deepEqual([status, json.length], [200, 1])
    assert.deepEqual([json[0].secret, json[0].ticket, json[0].isRedeemed], [code, 'Phone only', false])
    assert.equal((await app.post(CHECK, checkBody(list, json[0].secret))).json.type, 'VALID')
    assert.equal((await search(app, list, code)).json[0].isRedeemed, true)
    // A code of another event is no ticket here, and no name.
    const foreign = await signCode(key, await eventTag('other-fair'), slotAt(world.now()))
    const none = await search(app, list, foreign)
    assert.deepEqual([none.status, /looks nobody up/.test(none.json.title)], [400, true])
  })

  for (const [what, see, settings] of [
    ['the desk alone may look people up', 'name', { GATEHOUSE_LOOK_UP: 'desk' }],
    ['nobody may', 'name', { GATEHOUSE_LOOK_UP: 'off' }],
    ['scanners see no name', 'none', {}],
  ] as const) {
    test(`where ${what}, one that may look people up finds a code, and no name`, async () => {
      await using world = await open(see, settings)
      using app = await pairApp(world, { supervisor: true })
      const list = (await listsOf(app))['A entry'] ?? 0
      const named = await search(app, list, 'Ana Reis')
      assert.equal(named.status, 400)
      assert.match(named.json.title, /looks nobody up/)
      const page = await app.call(
        `/api/v1/organizers/gatehouse/checkinrpc/search/?list=${list}&search=${encodeURIComponent('Ana Reis')}&page=1`,
      )
      assert.deepEqual([page.status, page.text.includes('ANA-1')], [400, false])
      const { json } = await search(app, list, 'ANA-1')
      assert.deepEqual([json.length, json[0].attendee_name], [1, see === 'none' ? null : 'Ana Reis'])
      const { data } = await (await world.admin()).GET('/v1/admin/log', { params: { query: { kind: 'look_up' } } })
      assert.deepEqual(data?.rows, [])
    })
  }
})

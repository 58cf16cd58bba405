/** The screen Shop: a pretix that is connected while the box runs, its first load, what it refuses, and what the buttons do. */
import { connectFolder } from '../box/test/shop/pretix/connected.ts'
import { PretixModel } from '../box/test/shop/pretix/model.ts'
import { answer, PretixServer, TOKEN } from '../box/test/shop/pretix/server.ts'
import { position } from '../box/test/shop/pretix/world.ts'
import { shopWords as say } from '../dashboard/src/words/en/shop.ts'
import { turnstile } from './busy-day.ts'
import { actionWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'
import { inspect } from './inspect.ts'

const MAPPING = 'tiers:\n  item:1: day\nlists:\n  5: [north-in, south-in]\n'
const RULES = { isAfter: [{ var: 'now' }, { buildTime: ['date_admission'] }, 0] }
const AT = '2026-07-01T10:00:00.000000Z'
const ORDERS = 120

async function openPretix() {
  const pretix = await PretixServer.start()
  const checkins = new PretixModel()
  checkins.addList({ id: 5 })
  pretix.checkins = checkins
  pretix.items = [{ id: 1, name: { en: 'Day ticket' }, admission: true, variations: [] }]
  pretix.lists = [{ id: 5, name: 'North', all_products: true, limit_products: [], subevent: null, rules: RULES }]
  pretix.orders = Array.from({ length: ORDERS }, (_, i) => ({
    ...{ code: `O${i}`, status: 'p', testmode: false, datetime: AT, last_modified: AT },
    positions: [position({ id: i + 1 })],
  }))
  return { pretix, checkins }
}

test('the screen Shop shows both directions, what waits and why, and its buttons go on', async ({ world, browse }) => {
  const { pretix, checkins } = await openPretix()
  await using _pretix = pretix
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  const main = await goTo(page, 'shop')
  await expect(main).toContainText(say.command)

  let isHeld = true
  pretix.fault = ({ path, query }, response) =>
    isHeld && path.endsWith('/orders/') && query.get('page') === '3' && answer(response, 502, '')
  await connectFolder(world.folder.environment, pretix, MAPPING)
  await expect(main).toContainText(say.reading(3, 3))
  await expect(main).toContainText('asks again soon')
  await expect(main).toContainText(say.upStates.begins)
  await inspect(page, 'dashboard-shop-first-load', TABLET)
  isHeld = false
  await main.getByRole('button', { name: say.retry }).click()
  await expect(main).toContainText(say.downStates.current)
  await expect(main).toContainText(say.noConflicts)
  await expect(main).toContainText(
    say.notices.list_rules({ list: 5, name: 'North', checkpoints: ['north-in', 'south-in'] }),
  )

  await using north = await turnstile(world, 'North 2', 'north-in')
  await north.scan('secret1')
  await expect(main.getByRole('table', { name: say.queue })).toContainText(
    actionWords.flags.shop.reasons.invalid ?? '?',
  )
  await expect(main).toContainText(say.someConflicts(1))
  await inspect(page, 'dashboard-shop', TABLET)
  await main.getByRole('link', { name: say.openCases }).click()
  await expect(main.getByRole('article')).toHaveCount(1)
  await expect(main.getByRole('radio', { name: actionWords.flags.kinds.shop_conflict.name })).toBeChecked()

  await goTo(page, 'shop')
  checkins.add({ id: 1, secret: 'secret1' })
  await main.getByRole('button', { name: say.retry }).click()
  await expect(main).toContainText(say.waits(0, 0))
  expect(checkins.successes()).toHaveLength(1)

  const read = pretix.askedFor('/orders/').length
  await main.getByRole('button', { name: say.compare }).click()
  await expect(page.getByText(say.comparing)).toBeVisible()
  await expect.poll(() => pretix.askedFor('/orders/').length).toBeGreaterThan(read + 2)
  await expect(main.getByRole('button', { name: say.compare })).toBeEnabled()

  pretix.token = 'revoked there'
  await expect(main).toContainText('make a new one there, and connect again')
  await expect(main).toContainText(say.downStates.away)
})

test('a pretix is connected from the screen: checked, tried, connected', async ({ world, watch, browse }) => {
  watch.expect(/status of 400 .*shop\/connect/)
  const { pretix } = await openPretix()
  await using _pretix = pretix
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  const main = await goTo(page, 'shop')
  const form = main.getByRole('region', { name: say.connect.title })
  await form.getByLabel(say.connect.url).fill('http://pretix.example')
  await form.getByLabel(say.connect.token).fill(TOKEN)
  await form.getByRole('button', { name: say.connect.look }).click()
  await expect(form).toContainText('write the address with https')

  await form.getByLabel(say.connect.url).fill(pretix.url)
  await form.getByRole('button', { name: say.connect.look }).click()
  await expect(form.getByRole('heading', { name: say.connect.found('Summer') })).toBeVisible()
  await expect(form.getByRole('table', { name: say.connect.products })).toContainText('Day ticket')
  await inspect(page, 'dashboard-shop-connect', TABLET)
  await form.getByRole('button', { name: say.connect.dryRun }).click()
  await expect(form.getByRole('region', { name: say.connect.report })).toContainText(String(ORDERS))
  await form.getByRole('button', { name: say.connect.connect, exact: true }).click()
  await expect(main).toContainText(say.downStates.current)
  await expect(main.getByRole('button', { name: say.connect.again })).toBeVisible()
  expect(await page.content()).not.toContain(TOKEN)
  await using north = await turnstile(world, 'North 2', 'north-in')
  expect(await north.scan('secret1')).toMatchObject({ data: { verdict: 'ADMIT' } })
})

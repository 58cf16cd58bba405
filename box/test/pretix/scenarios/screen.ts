/** A running box is connected as the screen Shop does it. */
import assert from 'node:assert/strict'
import type { ShopConnect } from '@gatehouse/proto/wire/shop.ts'
import { ProcessBox } from '../../world/process-box.ts'
import { until } from '../../world/until.ts'
import type { RealPretix } from '../real.ts'
import type { Scenario } from '../scenario.ts'
import { dayTicket } from './down.ts'

/** A token of a team that may look at orders and at nothing else. */
async function viewersToken(pretix: RealPretix): Promise<string> {
  const token = await pretix.shell(`
team = Team.objects.create(organizer=Organizer.objects.get(slug="acme"), name="Viewers", all_events=True,
                           limit_event_permissions={"event.orders:read": True})
answer = team.tokens.create(name="test").token
`)
  return String(token)
}

const screen: Scenario = {
  name: 'the screen connects a running box: it says what a token may not do, tries, connects, and asking leaves no trace in pretix',
  inShort: true,
  async run({ pretix, say }) {
    const { made } = pretix
    const sold = await pretix.sell([dayTicket(pretix)])
    const secret = sold.positions[0]?.secret ?? ''
    const viewers = await viewersToken(pretix)
    const before = await pretix.shell('answer = Checkin.all.count() + Order.objects.count()')
    await using box = new ProcessBox()
    await box.start()
    const gate = await box.device()
    const began = performance.now()
    const ask = async (step: ShopConnect['step'], token: string | undefined, event: string | undefined = 'summer') => {
      const body = { step, url: pretix.url, ...(token && { token }), ...(event && { event }) }
      const { data, error } = await box.admin().POST('/v1/admin/shop/connect', { body })
      if (!data) throw new Error(error.message)
      return data
    }
    const choices = (await ask('look', made.token, '')).choose?.choices.map(({ slug }) => slug)
    assert.deepEqual(choices?.toSorted(), ['series', 'summer'])
    const rights = async (token: string) => (await ask('look', token)).found?.rights
    assert.deepEqual(await rights(viewers), { redeem: false, annul: false, sell: false })
    assert.deepEqual(await rights(made.token), { redeem: true, annul: true, sell: true })
    const series = await ask('look', made.token, 'series')
    assert.deepEqual(
      series.found?.dates.map(({ id, taken }) => [id, taken]),
      made.dates.map((id) => [id, true]),
    )
    assert.equal(await pretix.shell('answer = Checkin.all.count() + Order.objects.count()'), before)
    await ask('dry_run', made.token)
    const trial = async () => (await box.admin().GET('/v1/admin/shop/connect')).data
    await until(async () => (await trial())?.state !== 'reading', 'the dry run ends')
    const { state, report, problem } = (await trial()) ?? {}
    assert.equal(state, 'done', problem ?? '')
    assert.ok((report?.added ?? 0) > 0)
    const first = await ask('connect', made.devices[2])
    assert.deepEqual([first.connected, first.exchanged, first.pending], [true, true, false])
    assert.deepEqual(first.found?.rights, { redeem: true, annul: true, sell: true })
    await until(async () => (await gate.scan(secret, { checkpoint: 'a-in' })).verdict === 'ADMIT', 'ADMIT at the gate')
    say(`from the first look to the first admission: ${Math.round(performance.now() - began)} ms`)
    assert.doesNotMatch(box.output, new RegExp(`${made.token}|${made.devices[2]}`))
  },
}

export const screens: readonly Scenario[] = [screen]

/** Sold at the desk: an order in pretix, once, with the tickets that were handed out. */
import assert from 'node:assert/strict'
import { until } from '../../world/until.ts'
import { Gate } from '../gate.ts'
import type { RealPretix } from '../real.ts'
import type { Scenario } from '../scenario.ts'

interface Ordered {
  code: string
  status: string
  comment: string
  total: string
  positions: { secret: string; item: number; price: string; checkins: unknown[] }[]
}

async function ordersOf(pretix: RealPretix): Promise<Ordered[]> {
  const query = { ordering: '-datetime', include_canceled_positions: true }
  const { json } = await pretix.api.get('organizers/acme/events/summer/orders/', { query })
  return (json as { results: Ordered[] }).results.filter(({ comment }) => comment.startsWith('Gatehouse: receipt'))
}

const walkUp: Scenario = {
  name: 'a walk-up sale is an order in pretix, once although pretix was killed, its passage follows, and a void cancels it',
  inShort: false,
  async run({ pretix }) {
    const { made } = pretix
    await using gate = await Gate.open(pretix, made.token, '--event', 'summer')
    await gate.ready()
    const admin = gate.box.admin()
    const sell = async (tier: string, price: number) => {
      const body = { sale_id: crypto.randomUUID(), tier, tickets: 2, paid: 'cash', price, actor: 'Mia' } as const
      const { data, error } = await admin.POST('/v1/admin/sales', { body })
      if (!data) throw new Error(JSON.stringify(error))
      return data
    }
    const sale = await sell('day-ticket', 2300)
    const [first = '', second = ''] = sale.made.map(({ code }) => code ?? '')
    assert.equal(await gate.scan(first), 'ADMIT')
    await until(async () => (await ordersOf(pretix)).length === 1, 'pretix has the order')
    const [order] = await ordersOf(pretix)
    assert.deepEqual(
      [order?.status, order?.total, order?.positions.map(({ secret, item }) => [secret, item])],
      ['p', '46.00', [first, second].map((secret) => [secret, made.items.day])],
    )
    await until(async () => (await ordersOf(pretix))[0]?.positions[0]?.checkins.length === 1, 'and the passage')
    assert.equal(await gate.scan(first), 'ALREADY_USED')

    // Away at the sale; and a sale of which the answer is lost.
    await pretix.stop('SIGKILL')
    const away = await sell('day-ticket', 0)
    await pretix.launch()
    await gate.tryAgain()
    await until(async () => (await ordersOf(pretix)).length === 2, 'pretix has the order of its absence')
    const { error } = await admin.POST('/v1/admin/sales/{id}/void', {
      params: { path: { id: away.sale_id } },
      body: { reason: 'wrong tier', actor: 'Mia' },
    })
    assert.equal(error, undefined, JSON.stringify(error))
    const cancelled = async () => (await ordersOf(pretix)).map(({ status }) => status).sort()
    await until(async () => (await cancelled()).join() === 'c,p', 'the void is there')
    assert.equal((await ordersOf(pretix)).length, 2)
  },
}

export const walkUps: readonly Scenario[] = [walkUp]

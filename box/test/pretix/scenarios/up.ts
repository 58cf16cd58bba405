/** From the gate to pretix: on its list, at the true time, once. */
import assert from 'node:assert/strict'
import { until } from '../../world/until.ts'
import { Gate } from '../gate.ts'
import type { RealPretix } from '../real.ts'
import type { Scenario } from '../scenario.ts'
import { dayTicket } from './down.ts'

interface Checkin {
  datetime: string
  type: string
}

async function checkinsOf(pretix: RealPretix, position: number): Promise<Checkin[]> {
  const { json } = await pretix.api.get(`organizers/acme/events/summer/orderpositions/${position}/`)
  return (json as { checkins: Checkin[] }).checkins
}

const passages: Scenario = {
  name: 'admitted at the gate: on pretix’s list with the true time, and once, also when pretix was killed meanwhile',
  inShort: true,
  async run({ pretix, say }) {
    const { made } = pretix
    const sold = await pretix.sell(Array.from({ length: 6 }, () => dayTicket(pretix)))
    await using gate = await Gate.open(pretix, made.token, '--event', 'summer')
    await gate.ready()
    const [now, alone, ...away] = sold.positions
    assert.ok(now && alone)
    const began = Date.now()
    await gate.knows(now.secret, 'ADMIT')
    await until(async () => (await checkinsOf(pretix, now.id)).length > 0, 'pretix has the check-in')
    say(`from the scan to pretix: ${Date.now() - began} ms`)
    const [checkin] = await checkinsOf(pretix, now.id)
    assert.ok(checkin && Math.abs(Date.parse(checkin.datetime) - began) < 5_000, checkin?.datetime)
    const observed = new Date(began - 600_000).toISOString()
    const offline = { checkpoint: 'entrance-in', offline_admitted: true, observed_at: observed }
    await gate.scanner.scan(alone.secret, offline)
    await until(async () => (await checkinsOf(pretix, alone.id)).length > 0, 'pretix has the late one')
    const [late] = await checkinsOf(pretix, alone.id)
    assert.equal(Date.parse(late?.datetime ?? ''), Date.parse(observed))
    await pretix.stop('SIGKILL')
    for (const { secret } of away) assert.equal(await gate.scan(secret), 'ADMIT')
    await pretix.launch()
    for (const { id } of away) {
      await until(async () => (await checkinsOf(pretix, id)).length > 0, 'pretix has those of its absence')
    }
    for (const { id } of sold.positions) assert.equal((await checkinsOf(pretix, id)).length, 1)
  },
}

export const up: readonly Scenario[] = [passages]

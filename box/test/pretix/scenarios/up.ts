/** From the gate to pretix: on its list, at the true time, once. */
import assert from 'node:assert/strict'
import { until } from '../../world/until.ts'
import { checkinsOf as bulkCheckinsOf, sellInBulk } from '../bulk.ts'
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

const everything: Scenario = {
  name: 'undone, refused, let in by a supervisor, unknown, answered and used elsewhere: each is in pretix as what it was',
  inShort: true,
  async run({ pretix, say }) {
    const [undone = '', twice = '', asked = '', elsewhere = ''] = await sellInBulk(pretix, { prefix: 'ALL', orders: 4 })
    await using gate = await Gate.open(pretix, pretix.made.token, '--event', 'summer')
    await gate.ready()
    await using supervisor = await gate.supervisor()
    // Other scenarios have shown codes that nobody knows, too.
    const unknownCodes = async () =>
      (await pretix.shell(
        'answer = [[c.error_reason, "NO-SUCH" in (c.raw_barcode or "")] for c in Checkin.all.filter(position=None, raw_barcode__startswith="gatehouse-code-")]',
      )) as unknown[]
    const { length: before } = await unknownCodes()
    const why = { actor: 'Sam', reason: 'turned round' }
    const scan = (code: string, checkpoint = 'entrance-in') => gate.scanner.scan(code, { checkpoint })
    const undo = async (scan_id: string) => {
      const { error } = await gate.scanner.client.POST('/v1/scan/{scan_id}/undo', {
        params: { path: { scan_id } },
        body: why,
      })
      assert.equal(error, undefined)
    }
    // A till of somebody else, of which the gate does not know.
    const theirs = { lists: [pretix.made.lists.entrance], type: 'entry', nonce: 'theirs', questions_supported: false }
    const { status } = await pretix.api.ask('POST', 'organizers/acme/checkinrpc/redeem/', {
      body: { secret: elsewhere, ...theirs },
    })
    assert.equal(status, 201)
    const there = (count: number) => {
      return until(
        async () => (await bulkCheckinsOf(pretix, 'ALL')).length >= count,
        `${count} check-ins are in pretix`,
        3,
      )
    }
    const first = await scan(undone)
    await scan(twice)
    const again = await scan(twice)
    const params = { path: { scan_id: again.scan_id } }
    await supervisor.client.POST('/v1/scan/{scan_id}/admit', { params, body: why })
    await scan(twice, 'entrance-out')
    const { scan_id } = await scan(asked)
    const used = await scan(elsewhere)
    assert.deepEqual([used.verdict, (await scan('NO-SUCH-CODE')).verdict], ['ADMIT', 'UNKNOWN'])
    await there(9)
    await undo(first.scan_id)
    await undo(used.scan_id)
    const { question } = pretix.made.items
    const { error } = await gate.scanner.client.POST('/v1/scan/{scan_id}/answers', {
      params: { path: { scan_id } },
      body: { answers: [{ question: String(question), answer: 'XL' }] },
    })
    assert.equal(error, undefined)
    await there(10)
    await until(async () => ((await gate.shown())?.up.lag_seconds ?? 1) === 0, 'nothing is on its way', 3)
    const found = await bulkCheckinsOf(pretix, 'ALL')
    const of = (code: string) =>
      found.flatMap((one) => (one.secret === code ? [`${one.type} ${one.successful ? 'ok' : one.reason}`] : []))
    assert.deepEqual(of(undone), ['entry annulled'])
    assert.deepEqual(of(twice).sort(), ['entry already_redeemed', 'entry ok', 'entry ok', 'exit ok'])
    assert.deepEqual(of(asked), ['entry ok'])
    // Refused first, so that it cannot be annulled: two records have its nonce.
    assert.deepEqual(of(elsewhere).sort(), ['entry already_redeemed', 'entry ok', 'entry ok', 'exit ok'])
    const kept = await pretix.shell(
      `answer = [[a.answer for a in p.answers.all()] for p in OrderPosition.objects.filter(secret="${asked}")]`,
    )
    assert.deepEqual(kept, [['XL']])
    const after = await unknownCodes()
    assert.equal(after.length, before + 1)
    for (const one of after) assert.deepEqual(one, ['invalid', false])
    assert.equal((await gate.shown())?.up.waiting, 0)
    say(`${found.length} check-ins of 4 tickets, an answer, and an unknown code`)
  },
}

export const up: readonly Scenario[] = [passages, everything]

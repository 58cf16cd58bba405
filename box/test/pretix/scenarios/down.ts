/** From pretix to the gate: sold, cancelled, re-issued, and a token that ends midway. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gatehouse } from '../../world/command.ts'
import { until } from '../../world/until.ts'
import { Gate } from '../gate.ts'
import type { RealPretix, Sold } from '../real.ts'
import type { Scenario } from '../scenario.ts'

/** A day ticket as its API wants it. */
export function dayTicket({ made }: RealPretix, more: object = {}) {
  const name = { _scheme: 'full', full_name: 'Jane Doe' }
  return { item: made.items.day, variation: null, price: '23.00', attendee_name_parts: name, answers: [], ...more }
}

function first({ positions: [position] }: Sold) {
  assert.ok(position)
  return position
}

const connect: Scenario = {
  name: 'a device token is exchanged once, and a box that is connected as the page says admits what was sold before',
  inShort: true,
  async run({ pretix, say }) {
    const { made } = pretix
    const ticket = dayTicket(pretix)
    const sold = await pretix.sell([
      ticket,
      { ...ticket, item: made.items.lunch, price: '12.00', addon_to: 1, attendee_name_parts: {} },
      { ...ticket, item: made.items.special, variation: made.items.vip, price: '120.00' },
    ])
    const began = performance.now()
    await using gate = await Gate.open(pretix, made.devices[0] ?? '', '--event', 'summer')
    const [day, , vip] = sold.positions
    assert.ok(day && vip)
    await gate.knows(day.secret, 'ADMIT')
    say(`from the token to the first admission: ${Math.round(performance.now() - began)} ms`)
    await gate.knows(vip.secret, 'ADMIT', 'lounge-in')
    assert.equal(await gate.scan(day.secret, 'lounge-in'), 'REDIRECT')
    await gate.ready()
    const { out, code } = await gate.command('status')
    assert.equal(code, 0, out)
    const { environment, dataDir } = gate.box.folder
    const token = JSON.parse(readFileSync(join(dataDir, 'shop.json'), 'utf8')).token.secret
    assert.doesNotMatch(gate.box.output + out, new RegExp(token))
    const checked = await gatehouse(['check-event'], { environment: environment as Record<string, string> })
    assert.equal(checked.code, 0, checked.out)
    // The token that is used up says so, and what is left to do.
    const again = await gate.command('connect', pretix.url, made.devices[0] ?? '')
    assert.equal(again.code, 2)
    assert.match(again.err, /used before/)
  },
}

const changes: Scenario = {
  name: 'sold, cancelled, unpaid, blocked and issued again: the gate knows within seconds',
  inShort: true,
  async run({ pretix, say }) {
    const { made } = pretix
    await using gate = await Gate.open(pretix, made.token, '--event', 'summer')
    await gate.ready()
    const times: number[] = []
    for (let n = 0; n < 5; n++) {
      const { secret } = first(await pretix.sell([dayTicket(pretix)]))
      times.push(await gate.knows(secret, 'ADMIT'))
    }
    say(`from the sale to the admission: ${times.join(', ')} ms`)
    const orders = []
    for (let n = 0; n < 4; n++) orders.push(await pretix.sell([dayTicket(pretix)]))
    const [cancelled, unpaid, blocked, changed] = orders
    assert.ok(cancelled && unpaid && blocked && changed)
    await gate.knows(first(changed).secret, 'ADMIT')
    await pretix.act(cancelled.code, 'mark_canceled')
    say(`from the cancellation to the refusal: ${await gate.knows(first(cancelled).secret, 'REVOKED')} ms`)
    await pretix.act(unpaid.code, 'mark_pending')
    await gate.knows(first(unpaid).secret, 'NOT_PAID')
    const position = (order: Sold) => `organizers/acme/events/summer/orderpositions/${first(order).id}/`
    const { status } = await pretix.api.ask('POST', `${position(blocked)}add_block/`, { body: { name: 'api:test' } })
    assert.equal(status, 200)
    await gate.knows(first(blocked).secret, 'BLOCKED')
    const renewed = await pretix.api.ask('POST', `${position(changed)}regenerate_secrets/`)
    const fresh = (renewed.json as { secret: string }).secret
    assert.notEqual(fresh, first(changed).secret)
    await gate.knows(fresh, 'ALREADY_USED')
    assert.equal(await gate.scan(first(changed).secret), 'BLOCKED')
  },
}

const told: Scenario = {
  name: 'seat, answers and attention come down with the order; a date that was chosen is the only one that admits',
  inShort: true,
  async run({ pretix }) {
    const { made } = pretix
    const { stand, question } = made.items
    const answers = [{ question, answer: 'XL', options: [] }]
    const more = { checkin_attention: true }
    const seated = { ...dayTicket(pretix), item: stand, price: '40.00', seat: 'A2' }
    const sold = await pretix.sell([seated, dayTicket(pretix, { answers })], 'summer', more)
    const [first, second] = sold.positions
    assert.ok(first && second)
    await using gate = await Gate.open(pretix, made.token, '--event', 'summer')
    await gate.ready()
    const { verdict, seat_label, attention } = await gate.scanner.scan(first.secret, { checkpoint: 'entrance-in' })
    assert.deepEqual([verdict, attention !== undefined], ['ADMIT', true])
    assert.match(seat_label ?? '', /A2/)
    const asked = await gate.scanner.scan(second.secret, { checkpoint: 'entrance-in' })
    assert.deepEqual(
      [asked.verdict, asked.questions ?? []],
      ['ADMIT', []],
      'what was answered in the shop is not asked',
    )

    const [today, later] = made.dates
    const ticket = { ...dayTicket(pretix), item: made.series.day }
    const { positions } = await pretix.sell(
      [today, later].map((subevent) => ({ ...ticket, subevent })),
      'series',
    )
    await using ofDate = await Gate.open(pretix, made.token, '--event', 'series', '--date', String(today))
    await ofDate.knows(positions[0]?.secret ?? '', 'ADMIT')
    await ofDate.ready()
    assert.equal(await ofDate.scan(positions[1]?.secret ?? ''), 'UNKNOWN')
  },
}

const token: Scenario = {
  name: 'a token that is revoked midway keeps the gate open, says so, and another one goes on in both directions',
  inShort: true,
  async run({ pretix }) {
    const { made } = pretix
    await using gate = await Gate.open(pretix, made.devices[1] ?? '', '--event', 'summer')
    const sold = await pretix.sell([dayTicket(pretix), dayTicket(pretix)])
    const { secret } = first(sold)
    await gate.knows(secret, 'ADMIT')
    await gate.ready()
    await pretix.shell('Device.objects.filter(name="Box 1").update(revoked=True)')
    const said = async () => (await gate.shown())?.down.last_error ?? ''
    await until(async () => /make a new one/.test(await said()), 'the screen says that the token ended')
    assert.match((await gate.command('status')).out, /make a new one/)
    assert.equal(await gate.scan(secret), 'ALREADY_USED')
    const [, meanwhile] = sold.positions
    assert.equal(await gate.scan(meanwhile?.secret ?? ''), 'ADMIT')
    const later = first(await pretix.sell([dayTicket(pretix)]))
    assert.equal(await gate.scan(later.secret), 'UNKNOWN')
    const { code, err } = await gate.command('connect', pretix.url, made.token, '--event', 'summer')
    assert.equal(code, 0, err)
    await gate.knows(later.secret, 'ADMIT')
    const checkins = async () => {
      const { json } = await pretix.api.get(`organizers/acme/events/summer/orders/${sold.code}/`)
      const { positions } = json as { positions: { checkins: unknown[] }[] }
      return positions.map((position) => position.checkins.length)
    }
    await until(async () => !(await checkins()).includes(0), 'pretix has what happened meanwhile')
    assert.deepEqual(await checkins(), [1, 1])
  },
}

const refused: Scenario = {
  name: 'what cannot be connected is refused with its reason, and nothing is written',
  inShort: false,
  async run({ pretix }) {
    const { made } = pretix
    await using gate = await Gate.open(pretix, made.token, '--event', 'summer')
    const cases: [string[], number, RegExp][] = [
      [[pretix.url, made.narrow, '--event', 'summer'], 2, /no organizers|sees no events|right in pretix/],
      [[pretix.url, 'x'.repeat(64)], 2, /does not accept the token/],
      [[pretix.url, made.token], 1, /Choose one with --event/],
      [[pretix.url, made.token, '--event', 'summer', '--event', 'series'], 2, /one event of pretix/],
      [[pretix.url, made.token, '--event', 'series', '--date', '99999'], 2, /has no date 99999/],
      [['http://pretix.example', made.token], 2, /with https/],
    ]
    const path = join(gate.box.dataDir, 'shop.json')
    const before = readFileSync(path, 'utf8')
    for (const [args, code, words] of cases) {
      const ran = await gate.command('connect', ...args)
      assert.deepEqual(
        [ran.code, words.test(ran.out + ran.err)],
        [code, true],
        `${args.slice(2)}: ${ran.out}${ran.err}`,
      )
      assert.equal(readFileSync(path, 'utf8'), before)
    }
    const dry = await gate.command('connect', pretix.url, made.token, '--event', 'summer', '--dry-run', '--json')
    assert.equal(JSON.parse(dry.out.trim().split('\n').at(-1) ?? '').rejected.length, 0, dry.out)
  },
}

const series: Scenario = {
  name: 'a ticket of a date in a series admits on its date, and one of the other date is told so',
  inShort: false,
  async run({ pretix }) {
    const { made } = pretix
    const [today, later] = made.dates
    const ticket = { ...dayTicket(pretix), item: made.series.day }
    const sold = await pretix.sell(
      [
        { ...ticket, subevent: today },
        { ...ticket, subevent: later },
      ],
      'series',
    )
    await using gate = await Gate.open(pretix, made.token, '--event', 'series')
    const [first, second] = sold.positions
    assert.ok(first && second)
    await gate.knows(first.secret, 'ADMIT')
    assert.equal(await gate.scan(second.secret), 'NOT_VALID_NOW')
  },
}

export const down: readonly Scenario[] = [connect, changes, told, token, refused, series]

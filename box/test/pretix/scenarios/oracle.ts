/**
 * Generated tickets asked of pretix and of the box: the verdicts are the same by the table below, which is that of `box/docs/pretix.md`.
 * Of each ticket there are two alike, one for each of the two, so that neither learns from the other what was used.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { EventFile } from '../../../src/event/event.ts'
import { until } from '../../world/until.ts'
import { Gate } from '../gate.ts'
import { type RealPretix, sharedWork } from '../real.ts'
import type { Scenario } from '../scenario.ts'

const TICKETS = 500
const SEED = 21

const Ticket = fc.record({
  product: fc.constantFrom('day', 'day', 'crew', 'vip'),
  status: fc.constantFrom('p', 'p', 'p', 'p', 'n', 'c', 'e'),
  validIfPending: fc.boolean(),
  approval: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  cancelled: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  blocked: fc.integer({ min: 0, max: 6 }).map((n) => n === 0),
  validity: fc.constantFrom('none', 'none', 'none', 'now', 'over', 'later'),
  addon: fc.boolean(),
  list: fc.constantFrom('entrance', 'entrance', 'lounge', 'parking', 'ruled', 'allowed'),
  passages: fc.array(fc.constantFrom('entry', 'entry', 'exit'), { minLength: 1, maxLength: 5 }),
})
type Ticket = typeof Ticket extends fc.Arbitrary<infer T> ? T : never

/** The box's verdict for pretix's. Several where the order of questions differs: both have refused, each for a reason that holds. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  ok: ['ADMIT', 'EXIT'],
  already_redeemed: ['ALREADY_USED'],
  unpaid: ['NOT_PAID'],
  unapproved: ['NOT_PAID'],
  canceled: ['REVOKED'],
  invalid: ['REVOKED'],
  blocked: ['BLOCKED'],
  invalid_time: ['NOT_VALID_NOW'],
  product: ['REDIRECT'],
}

/** Differences that the page names, each with its reason there. */
const DIFFERENCES: readonly { name: string; is: (asked: Asked) => boolean }[] = [
  { name: 'everybody may leave', is: ({ type, ours }) => type === 'exit' && ours === 'EXIT' },
  {
    name: 'rules of a list are not applied',
    is: ({ theirs, ticket }) => theirs === 'rules' && ticket.list === 'ruled',
  },
  {
    name: 'entries are counted by the tier, and not by each list',
    is: ({ theirs, ours, type, ticket: { product, list }, hasEntered }) => {
      if (type !== 'entry' || !hasEntered) return false
      const stricter = ENTRIES.indexOf(ENTRY[product] ?? '') - ENTRIES.indexOf(ENTRY_OF_LIST[list] ?? '')
      if (theirs === 'ok' && ours === 'ALREADY_USED') return stricter < 0
      return theirs === 'already_redeemed' && ours === 'ADMIT' && stricter > 0
    },
  },
  {
    name: 'the code of an add-on opens nothing of its own',
    is: ({ type, ours }) => type === 'addon' && ours === 'UNKNOWN',
  },
  { name: 'another reason that holds too', is: ({ theirs, ours, ticket }) => theirs !== 'ok' && holds(ours, ticket) },
]

/** Rules for entering again, the strictest first. */
const ENTRIES = ['once', 'reentry', 'unlimited']
/** The rule of each product's tier, which the test sets; and of each list in pretix: where they agree, the verdicts do. */
const ENTRY: Readonly<Record<string, string>> = { day: 'reentry', crew: 'once', vip: 'unlimited' }
const ENTRY_OF_LIST: Readonly<Record<string, string>> = {
  ...{ entrance: 'reentry', ruled: 'reentry', allowed: 'reentry' },
  ...{ lounge: 'unlimited', parking: 'once' },
}

interface Asked {
  ticket: Ticket
  type: string
  /** The box has let this ticket in before. */
  hasEntered: boolean
  theirs: string
  ours: string
}

/** True for a refusal that the ticket's own fields give reason for. */
function holds(
  ours: string,
  { status, cancelled, blocked, validity, approval, validIfPending, product, list }: Ticket,
): boolean {
  switch (ours) {
    case 'REVOKED':
      return cancelled || status === 'c' || status === 'e'
    case 'BLOCKED':
      return blocked
    case 'NOT_PAID':
      return status === 'n' && (approval || !validIfPending)
    case 'NOT_VALID_NOW':
      return validity === 'over' || validity === 'later'
    case 'REDIRECT':
      return list === 'lounge' && product === 'day'
    default:
      return false
  }
}

/** Sells each ticket, as `PREFIX-0` and so on, and makes the list with a rule that nobody fulfils. */
async function make(pretix: RealPretix, tickets: readonly Ticket[], prefixes: readonly string[]): Promise<void> {
  const { items } = pretix.made
  await pretix.shell(`
import json
from datetime import timedelta
from decimal import Decimal
from django.utils.timezone import now
event = Event.objects.get(slug="summer")
channel = event.organizer.sales_channels.get(identifier="web")
products = {"day": (${items.day}, None), "vip": (${items.special}, ${items.vip}), "crew": (${items.special}, ${items.crew})}
hour = timedelta(hours=1)
times = {"none": (None, None), "now": (now() - hour, now() + hour), "over": (now() - 2 * hour, now() - hour), "later": (now() + 9 * hour, None)}
for prefix in ${JSON.stringify(prefixes)}:
    for n, one in enumerate(json.loads(${JSON.stringify(JSON.stringify(tickets))})):
        order = Order.objects.create(
            event=event, organizer=event.organizer, code=prefix + "".join("ABCDEFGHJK"[int(d)] for d in f"{n:04}"), status=one["status"],
            email="jane@example.org", locale="en", datetime=now(), expires=now() + timedelta(days=9), total=Decimal("23.00"),
            sales_channel=channel, valid_if_pending=one["validIfPending"], require_approval=one["approval"] and one["status"] == "n")
        item, variation = products[one["product"]]
        begin, end = times[one["validity"]]
        def position(number, **fields):
            return OrderPosition.objects.create(
                organizer=event.organizer, order=order, positionid=number, price=Decimal("23.00"), tax_rate=Decimal("0.00"),
                tax_value=Decimal("0.00"), attendee_name_parts={"_scheme": "full", "full_name": "Jane Doe"}, **fields)
        main = position(1, secret=f"{prefix}-{n}", item_id=item, variation_id=variation, canceled=one["cancelled"],
                        blocked=["admin"] if one["blocked"] else None, valid_from=begin, valid_until=end)
        if one["addon"]:
            position(2, secret=f"{prefix}{n}-ADDON", item_id=${items.lunch}, addon_to=main)
event.checkin_lists.create(name="Ruled", all_products=True, rules={"isBefore": [{"var": "now"}, {"buildTime": ["custom", "2020-01-01T00:00:00Z"]}, 0]})
event.checkin_lists.create(name="Allowed", all_products=True, rules={"isAfter": [{"var": "now"}, {"buildTime": ["custom", "2020-01-01T00:00:00Z"]}, 0]})
`)
}

const oracle: Scenario = {
  name: `oracle: ${TICKETS} generated tickets, and every passage of them has the same verdict at pretix and at the box`,
  inShort: false,
  async run({ pretix, say }) {
    const tickets = fc.sample(Ticket, { seed: SEED, numRuns: TICKETS })
    await make(pretix, tickets, ['ORA', 'ORB'])
    await using gate = await Gate.open(pretix, pretix.made.token, '--event', 'summer')
    await gate.box.stop()
    setEntries(join(gate.box.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'event.json'))
    await gate.box.start()
    const { json } = await pretix.api.get('organizers/acme/events/summer/checkinlists/')
    const lists = new Map(
      (json as { results: { id: number; name: string }[] }).results.map(({ id, name }) => [name.toLowerCase(), id]),
    )
    lists.set('parking', lists.get('car park') ?? 0)
    const checkpointOf = ({ list }: Ticket, type: string) =>
      `${list === 'parking' ? 'car-park' : list}-${type === 'entry' ? 'in' : 'out'}`
    await gate.ready(30)
    await until(async () => (await gate.scan(`ORB-${TICKETS - 1}`, 'entrance-out')) === 'EXIT', 'the last is known', 5)
    const asked: Asked[] = []
    await sharedWork([...tickets.entries()], 6, async ([n, ticket]) => {
      let hasEntered = false
      if (ticket.addon) {
        const more = { list: lists.get(ticket.list) ?? 0, type: 'entry', nonce: `${n}-addon` }
        const theirs = await askPretix(pretix, { secret: `ORA${n}-ADDON`, ...more })
        const ours = await gate.scan(`ORB${n}-ADDON`, checkpointOf(ticket, 'entry'))
        asked.push({ ticket, type: 'addon', theirs, ours, hasEntered })
      }
      for (const [k, type] of ticket.passages.entries()) {
        const theirs = await askPretix(pretix, {
          secret: `ORA-${n}`,
          list: lists.get(ticket.list) ?? 0,
          type,
          nonce: `${n}-${k}`,
        })
        const ours = await gate.scan(`ORB-${n}`, checkpointOf(ticket, type))
        asked.push({ ticket, type, theirs, ours, hasEntered })
        hasEntered ||= ours === 'ADMIT'
      }
    })
    const isSame = ({ theirs, ours }: Asked) => SAME[theirs]?.includes(ours) ?? false
    const different = asked.filter((one) => !isSame(one))
    const named = Map.groupBy(different, (one) => DIFFERENCES.find(({ is }) => is(one))?.name ?? 'not explained')
    const counts = [...named].map(([name, of]) => `${of.length} ${name}`).join(', ')
    const kinds = new Set(asked.filter(isSame).map(({ theirs }) => theirs))
    say(
      `${asked.length} passages, ${asked.length - different.length} the same (${[...kinds].sort().join(', ')}); ${counts}`,
    )
    const notExplained = (named.get('not explained') ?? []).map((one) => JSON.stringify(one))
    assert.deepEqual(notExplained.slice(0, 12), [])
  },
}

/** The organiser's edit: how often each tier enters. */
function setEntries(path: string): void {
  const event = JSON.parse(readFileSync(path, 'utf8')) as EventFile
  const products: Readonly<Record<string, string>> = {
    'day-ticket': 'day',
    'special-crew': 'crew',
    'special-vip': 'vip',
  }
  for (const tier of event.tiers) Object.assign(tier, { entry: ENTRY[products[tier.id] ?? ''] ?? tier.entry })
  writeFileSync(path, JSON.stringify(event))
}

async function askPretix(
  { api }: RealPretix,
  { secret, list, type, nonce }: { secret: string; list: number; type: string; nonce: string },
): Promise<string> {
  const body = { secret, lists: [list], type, source_type: 'barcode', nonce, questions_supported: false, answers: {} }
  const said = await api
    .ask('POST', 'organizers/acme/checkinrpc/redeem/', { body })
    .catch((error: { status?: number }) => {
      if (error.status === 404) return { json: { status: 'error', reason: 'invalid' } }
      throw error
    })
  const { status, reason } = said.json as { status: string; reason?: string }
  return status === 'ok' ? 'ok' : (reason ?? status)
}

export const oracles: readonly Scenario[] = [oracle]

/** pretixSCAN's calls to a real pretix and to the box that is connected to it: the fields that the apps read are the same. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer } from '../../world/pretix-app.ts'
import { all, Comparison, type Reads } from '../comparison.ts'
import { Gate } from '../gate.ts'
import { type Handheld, handheldOfBox, handheldOfPretix } from '../handhelds.ts'
import type { RealPretix } from '../real.ts'
import type { Scenario } from '../scenario.ts'
import { dayTicket } from './down.ts'

interface Call {
  what: string
  ask: (at: Handheld) => Promise<Answer>
  reads: Reads
}

const PAGE = all('', 'count next previous results')
const EVENT = 'slug name date_from live has_subevents currency timezone plugins'
const ITEM =
  'id name default_price active free_price admission position sales_channels require_voucher hide_without_voucher require_approval require_bundling has_variations variations addons bundles'
const LIST =
  'id name limit_products all_products include_pending allow_multiple_entries allow_entry_after_exit addon_match rules position_count checkin_count'
const COUNTS = 'event checkin_count position_count inside_count items'
const POSITION = 'id order positionid item price secret pseudonymization_id checkins answers'
/** The box has no second name, no category and no tax for its tiers. */
const NOT_AT_THE_BOX = all('results.0.', 'internal_name category tax_rate allow_cancel checkin_attention', 'differs')

const get = (path: (at: Handheld) => string, reads: Reads): Call => ({
  what: path({ organizer: 'ORGANIZER', event: 'EVENT', lists: {}, call: () => Promise.reject() }),
  ask: (at) => at.call(path(at)),
  reads,
})

/** The calls of a start, and of every few minutes. */
const PULLS: readonly Call[] = [
  get(() => 'version', all('', 'pretix pretix_numeric')),
  get(() => 'device/info', all('', 'device.name device.unique_serial device.device_id server.version medium_key_sets')),
  get(({ organizer }) => `${organizer}/events/?ordering=date_from`, { ...PAGE, ...all('results.0.', EVENT) }),
  get(({ event }) => `${event}/`, {
    ...all('', `${EVENT} seat_category_mapping`),
    ...all('', 'slug currency timezone', 'value'),
  }),
  get(({ event }) => `${event}/items/`, { ...PAGE, ...all('results.0.', ITEM), ...NOT_AT_THE_BOX }),
  ...['categories', 'questions', 'badgelayouts', 'badgeitems', 'revokedsecrets', 'blockedsecrets'].map((name) =>
    get(({ event }) => `${event}/${name}/`, PAGE),
  ),
  // The box gives no order away, and pretix several pages of them.
  get(({ event }) => `${event}/orders/`, { ...PAGE, next: 'differs' }),
  get(({ organizer }) => `${organizer}/subevents/`, PAGE),
  get(({ event }) => `${event}/subevents/`, PAGE),
  get(({ event }) => `${event}/checkinlists/`, { ...PAGE, ...all('results.0.', LIST) }),
  get(({ event, lists }) => `${event}/checkinlists/${entranceOf(lists)}/status/`, {
    ...all('', COUNTS),
    ...all('items.0.', 'id name checkin_count admission position_count variations'),
  }),
]

const SETUP = { hardware_brand: 'a', hardware_model: 'b', software_brand: 'c', software_version: '1' }

/** Calls that are refused before a ticket is looked for. */
const REFUSED: readonly Call[] = [
  {
    what: 'a token that is none',
    ask: (at) => at.call('device/info', undefined, 'x'.repeat(64)),
    reads: all('', 'detail', 'value'),
  },
  {
    what: 'a first token that is none',
    ask: (at) => at.call('device/initialize', { token: 'nonsense', ...SETUP }),
    reads: all('', 'token'),
  },
  { what: 'a scan without a list', ask: (at) => redeem(at, 'x', { lists: [] }), reads: {} },
]

const SAID: Reads = { ...all('', 'status', 'value'), ...all('', 'require_attention checkin_texts list position') }
const OF_TICKET: Reads = { ...SAID, ...all('position.', POSITION) }
const OF_REFUSAL: Reads = { ...OF_TICKET, ...all('', 'reason', 'value') }
const OF_USED: Reads = { ...OF_REFUSAL, ...all('position.checkins.0.', 'list datetime type') }
const QUESTION = 'id question type identifier position required options dependency_question dependency_values'

/** By kind of ticket: two of each, because the box tells pretix whom it has admitted. */
type Sold = Record<
  'crew' | 'unpaid' | 'cancelled' | 'blocked' | 'asking',
  { secret: string; order: string; id: number }
>

/** In this order. */
const SCANS: readonly { what: string; code: (sold: Sold) => string; more?: object; reads: Reads }[] = [
  { what: 'a good ticket', code: ({ crew }) => crew.secret, reads: OF_TICKET },
  { what: 'a used one', code: ({ crew }) => crew.secret, reads: OF_USED },
  { what: 'its exit', code: ({ crew }) => crew.secret, more: { type: 'exit' }, reads: OF_TICKET },
  { what: 'an unpaid one', code: ({ unpaid }) => unpaid.secret, reads: OF_REFUSAL },
  { what: 'a cancelled one', code: ({ cancelled }) => cancelled.secret, reads: OF_REFUSAL },
  { what: 'a blocked one', code: ({ blocked }) => blocked.secret, reads: OF_REFUSAL },
  {
    what: 'one that is asked',
    code: ({ asking }) => asking.secret,
    reads: { ...OF_TICKET, ...all('questions.0.', QUESTION) },
  },
  {
    what: 'an unknown code',
    code: () => 'NO-SUCH-CODE',
    reads: { ...all('', 'detail status reason', 'value'), ...all('', 'require_attention checkin_texts') },
  },
]

const sameCalls: Scenario = {
  name: 'pretixSCAN reads at the box what it reads at pretix: the same calls, field by field',
  inShort: true,
  async run({ pretix, say }) {
    await using _ = await withRequiredQuestion(pretix)
    const [forPretix, forBox] = [await sell(pretix), await sell(pretix)]
    await using gate = await Gate.open(pretix, pretix.made.token, '--event', 'summer')
    await gate.ready()
    const theirs = await handheldOfPretix(pretix, pretix.made.devices[3] ?? '')
    using ours = await handheldOfBox(gate)

    const compared = new Comparison()
    for (const { what, ask, reads } of [...PULLS, ...REFUSED]) {
      compared.take(what, await ask(theirs), await ask(ours), reads)
    }
    for (const { what, code, more, reads } of SCANS) {
      const answers = [await redeem(theirs, code(forPretix), more), await redeem(ours, code(forBox), more)] as const
      compared.take(what, ...answers, reads)
    }
    const found = [await search(theirs, forPretix.crew.secret), await search(ours, forBox.crew.secret)] as const
    compared.take('a search by code', ...found, { ...PAGE, ...all('results.0.', POSITION) })
    say(`${compared.calls} calls, ${compared.fields} fields that the apps read`)
    assert.deepEqual(compared.differences, [])
  },
}

function entranceOf(lists: Handheld['lists']): number | undefined {
  return lists.Entrance ?? lists['Entrance, in']
}

function redeem(at: Handheld, secret: string, more: object = {}): Promise<Answer> {
  return at.call(`${at.organizer}/checkinrpc/redeem/?expand=answers.question`, {
    ...{ secret, lists: [entranceOf(at.lists)], type: 'entry', source_type: 'barcode', force: false },
    ...{ ignore_unpaid: false, nonce: randomUUID(), answers: {}, questions_supported: true, canceled_supported: true },
    ...more,
  })
}

function search({ call, event, lists }: Handheld, text: string): Promise<Answer> {
  const query = new URLSearchParams({ ignore_status: 'true', page: '1', search: text })
  return call(`${event}/checkinlists/${entranceOf(lists)}/positions/?${query}`)
}

async function sell(pretix: RealPretix): Promise<Sold> {
  const { items } = pretix.made
  const one = async (more: object = {}) => {
    const { code, positions } = await pretix.sell([dayTicket(pretix, more)])
    const [position] = positions
    assert.ok(position)
    return { order: code, ...position }
  }
  const crew = { item: items.special, variation: items.crew, price: '0.00' }
  const sold: Sold = {
    crew: await one(crew),
    unpaid: await one(crew),
    cancelled: await one(crew),
    blocked: await one(crew),
    asking: await one(),
  }
  await pretix.act(sold.unpaid.order, 'mark_pending')
  await pretix.act(sold.cancelled.order, 'mark_canceled')
  const path = `organizers/acme/events/summer/orderpositions/${sold.blocked.id}/add_block/`
  assert.equal((await pretix.api.ask('POST', path, { body: { name: 'api:test' } })).status, 200)
  return sold
}

/** The shirt size has to be answered at the gate, until it is disposed of. The box asks what is required, and pretix all. */
async function withRequiredQuestion(pretix: RealPretix): Promise<AsyncDisposable> {
  const path = `organizers/acme/events/summer/questions/${pretix.made.items.question}/`
  const set = async (required: boolean) => {
    const { status, json } = await pretix.api.ask('PATCH', path, { body: { required } })
    assert.equal(status, 200, JSON.stringify(json))
  }
  await set(true)
  return { [Symbol.asyncDispose]: () => set(false) }
}

export const beside: readonly Scenario[] = [sameCalls]

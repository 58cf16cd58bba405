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
const POSITION =
  'id order positionid item variation price attendee_name attendee_email secret addon_to subevent pseudonymization_id seat checkins answers downloads'
const OF_SCAN =
  'attendee_name_parts tax_rate require_attention print_logs order__status order__valid_if_pending order__require_approval order__locale'
/** The box has no variations, and tells a holder's name where its event file says so. */
const NOT_TOLD = 'variation attendee_name'
/** The box has no second name, no category and no tax for its tiers. */
const NOT_AT_THE_BOX = all('results.0.', 'internal_name category tax_rate allow_cancel checkin_attention', 'differs')

const get = (path: (at: Handheld) => string, reads: Reads): Call => ({
  what: path({ organizer: 'ORGANIZER', event: 'EVENT', lists: {}, call: () => Promise.reject() }),
  ask: (at) => at.call(path(at)),
  reads,
})

const SETUP = { hardware_brand: 'a', hardware_model: 'b', software_brand: 'c', software_version: '1' }

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
  get(({ event }) => `${event}/settings/`, {}),
  get(({ organizer }) => `${organizer}/reusablemedia/`, PAGE),
  // A box has one event, and pretix several, one of them a series.
  get(() => 'device/eventselection', { ...all('', 'event event.slug event.name checkinlist'), subevent: 'differs' }),
  {
    what: 'an update',
    ask: (at) => at.call('device/update', { ...SETUP, software_version: '2', info: {} }),
    reads: all('', 'organizer device_id unique_serial name gate'),
  },
]

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
  get(({ event }) => `${event}/items/?page=2`, {}),
]

/** Uploads by an app of its own decisions. */
const UPLOADED: readonly Call[] = [
  {
    what: 'a refusal that the app made alone',
    ask: (at) =>
      at.call(`${at.event}/checkinlists/${entranceOf(at.lists)}/failed_checkins/`, {
        ...{ raw_barcode: 'x', error_reason: 'invalid', datetime: new Date().toISOString(), nonce: randomUUID() },
        ...{ type: 'entry', raw_source_type: 'barcode' },
      }),
    reads: {},
  },
]

/** The last calls: the app gives its token back. */
const REVOKED: readonly Call[] = [
  { what: 'a reset', ask: (at) => at.call('device/revoke', {}), reads: {} },
  get(() => 'device/info', all('', 'detail', 'value')),
  get(({ event }) => `${event}/items/`, all('', 'detail', 'value')),
  { what: 'a scan of a device that was revoked', ask: (at) => redeem(at, 'x'), reads: all('', 'detail', 'value') },
]

const SAID: Reads = { ...all('', 'status', 'value'), ...all('', 'require_attention checkin_texts list position') }
const OF_LIST = { ...all('list.', 'id name event subevent'), ...all('list.', 'include_pending', 'value') }
const OF_TICKET: Reads = {
  ...{ ...SAID, ...OF_LIST, ...all('position.', `${POSITION} ${OF_SCAN}`) },
  ...all('position.', NOT_TOLD, 'differs'),
}
const OF_REFUSAL: Reads = { ...OF_TICKET, ...all('', 'reason', 'value') }
const OF_USED: Reads = { ...OF_REFUSAL, ...all('position.checkins.0.', 'list datetime type') }
const QUESTION = 'id question type identifier position required options dependency_question dependency_values'

/** By kind of ticket: two of each, because the box tells pretix whom it has admitted. */
type Sold = Record<
  'crew' | 'alone' | 'older' | 'unpaid' | 'cancelled' | 'blocked' | 'asking',
  { secret: string; order: string; id: number }
>

/** In this order. */
const SCANS: readonly { what: string; code: (sold: Sold) => string; more?: object; reads: Reads }[] = [
  { what: 'a good ticket', code: ({ crew }) => crew.secret, reads: OF_TICKET },
  { what: 'a used one', code: ({ crew }) => crew.secret, reads: OF_USED },
  { what: 'its exit', code: ({ crew }) => crew.secret, more: { type: 'exit' }, reads: OF_TICKET },
  {
    what: 'one that the app let in without the shop',
    code: ({ alone }) => alone.secret,
    more: { force: true, datetime: new Date(Date.now() - 60_000).toISOString(), questions_supported: false },
    reads: OF_TICKET,
  },
  { what: 'the same once more', code: ({ alone }) => alone.secret, more: { force: true }, reads: SAID },
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
    const calls = async (all: readonly Call[]) => {
      for (const { what, ask, reads } of all) compared.take(what, await ask(theirs), await ask(ours), reads)
    }
    await calls([...PULLS, ...REFUSED, ...UPLOADED])
    for (const { what, code, more, reads } of SCANS) {
      const answers = [await redeem(theirs, code(forPretix), more), await redeem(ours, code(forBox), more)] as const
      compared.take(what, ...answers, reads)
    }
    const found = [await search(theirs, forPretix.crew.secret), await search(ours, forBox.crew.secret)] as const
    const page = { ...PAGE, ...all('results.0.', POSITION), ...all('results.0.', NOT_TOLD, 'differs') }
    compared.take('a search by code', ...found, page)
    const rpc = [await search(theirs, forPretix.crew.secret, RPC), await search(ours, forBox.crew.secret, RPC)] as const
    compared.take('a search by code, on the path of today', ...rpc, page)
    const older = [
      await redeemBefore(theirs, forPretix.older.secret),
      await redeemBefore(ours, forBox.older.secret),
    ] as const
    compared.take('a good ticket, on the older path', ...older, SAID)
    const unknown = [await redeemBefore(theirs, 'NO-SUCH-CODE'), await redeemBefore(ours, 'NO-SUCH-CODE')] as const
    compared.take('an unknown code, on the older path', ...unknown, all('', 'status reason', 'value'))
    await calls(REVOKED)
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

/** By the code in the path. */
function redeemBefore({ call, event, lists }: Handheld, secret: string): Promise<Answer> {
  const path = `${event}/checkinlists/${entranceOf(lists)}/positions/${secret}/redeem/`
  return call(path, { type: 'entry', force: false, nonce: randomUUID(), answers: {}, questions_supported: true })
}

const RPC = 'checkinrpc'

function search({ call, organizer, event, lists }: Handheld, text: string, rpc?: typeof RPC): Promise<Answer> {
  const list = entranceOf(lists)
  const query = new URLSearchParams({ ignore_status: 'true', page: '1', search: text, ...(rpc && { list: `${list}` }) })
  return call(rpc ? `${organizer}/${rpc}/search/?${query}` : `${event}/checkinlists/${list}/positions/?${query}`)
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
    alone: await one(crew),
    older: await one(crew),
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

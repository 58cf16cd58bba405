/** The rules that the tests without a pretix go by, `box/test/shop/pretix/model.ts`, beside those of a real one: the same calls, the same answers. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { PretixModel } from '../../shop/pretix/model.ts'
import { checkinsOf, sellInBulk } from '../bulk.ts'
import type { RealPretix } from '../real.ts'
import type { Scenario } from '../scenario.ts'

const TICKETS = 8
const LONG = process.env.GATEHOUSE_TEST_LONG === '1'

const Step = fc.record({
  ticket: fc.integer({ min: 0, max: TICKETS }),
  list: fc.constantFrom('entrance', 'entrance', 'parking', 'lounge'),
  call: fc.constantFrom('redeem', 'redeem', 'redeem', 'force', 'annul', 'fail'),
  type: fc.constantFrom('entry', 'entry', 'exit'),
  nonce: fc.integer({ min: 0, max: 2 }),
  seconds: fc.integer({ min: 1, max: 400 }),
})
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never

const sameRules: Scenario = {
  name: 'the model of the tests answers redeem, annul and failed check-ins as pretix does, with repeated nonces and force',
  inShort: true,
  async run({ pretix, say }) {
    const { lists, items } = pretix.made
    const secrets = await sellInBulk(pretix, { prefix: 'MOD', orders: TICKETS })
    const ids = (await pretix.shell(
      'answer = {p.secret: p.pk for p in OrderPosition.objects.filter(secret__startswith="MOD-")}',
    )) as Record<string, number>
    const model = new PretixModel()
    model.device = null
    model.addList({ id: lists.entrance })
    model.addList({ id: lists.parking, allowEntryAfterExit: false })
    model.addList({ id: lists.lounge, allowMultipleEntries: true, products: [items.special] })
    for (const secret of secrets) model.add({ id: ids[secret] ?? 0, secret, item: items.day })
    // No ticket has the last one.
    const codes = [...secrets, 'MOD-NOBODY']
    await change(pretix, model)
    const steps = fc.sample(Step, { seed: 7, numRuns: LONG ? 1_500 : 200 })
    let at = Date.now() - 86_400_000
    const seen = new Map<string, number>()
    for (const [n, step] of steps.entries()) {
      at += step.seconds * 1_000
      const { path, body } = requestOf(step, { codes, ids, list: lists[step.list], at })
      const real = await pretix.api.ask('POST', `organizers/acme/${path}`, { body })
      const ours = model.post(path, body)
      const [theirs, mine] = [said(real.status, real.json), said(ours.status, ours.body)]
      assert.equal(mine, theirs, `call ${n}: ${JSON.stringify(step)} ${JSON.stringify(real.json).slice(0, 300)}`)
      seen.set(`${step.call} ${theirs}`, (seen.get(`${step.call} ${theirs}`) ?? 0) + 1)
    }
    const records = (await checkinsOf(pretix, 'MOD')).map(
      (one) => `${one.secret} ${one.at} ${one.type} ${one.successful ? 'ok' : one.reason} ${one.nonce}`,
    )
    const own = model.records.flatMap((one) => {
      const code = model.positions.find(({ id }) => id === one.position)?.secret
      return code ? [`${code} ${one.at} ${one.type} ${one.successful ? 'ok' : one.reason} ${one.nonce}`] : []
    })
    assert.deepEqual(own.sort(), records.sort())
    say(
      `${steps.length} calls: ${[...seen]
        .map(([what, count]) => `${count} ${what}`)
        .sort()
        .join(', ')}`,
    )
  },
}

/** One ticket is cancelled with its order, one is not paid, and one is blocked. */
async function change(pretix: RealPretix, model: PretixModel): Promise<void> {
  await pretix.shell(`
for secret, status in (("MOD-1", "c"), ("MOD-2", "n")):
    Order.objects.filter(all_positions__secret=secret).update(status=status)
OrderPosition.objects.filter(secret="MOD-3").update(blocked=["admin"])
`)
  const [, cancelled, unpaid, blocked] = model.positions
  assert.ok(cancelled && unpaid && blocked)
  cancelled.status = 'c'
  unpaid.status = 'n'
  blocked.blocked = true
}

function requestOf(
  { ticket, call, type, nonce: number }: Step,
  {
    codes,
    ids,
    list,
    at,
  }: { codes: readonly string[]; ids: Readonly<Record<string, number>>; list: number; at: number },
): { path: string; body: Record<string, unknown> } {
  const secret = codes[ticket] ?? ''
  const datetime = new Date(at).toISOString()
  const nonce = `${ticket}-${number}`
  if (call === 'annul')
    return { path: 'checkinrpc/annul/', body: { lists: [list], nonce, datetime, error_explanation: 'x' } }
  if (call === 'fail') {
    const position = ids[secret] === undefined ? {} : { position: ids[secret] }
    const body = {
      error_reason: 'product',
      error_explanation: 'x',
      raw_barcode: secret,
      ...position,
      datetime,
      type,
      nonce,
    }
    return { path: `events/summer/checkinlists/${list}/failed_checkins/`, body }
  }
  const body = { secret, source_type: 'barcode', lists: [list], type, datetime, nonce, force: call === 'force' }
  return { path: 'checkinrpc/redeem/', body: { ...body, questions_supported: false, canceled_supported: true } }
}

/** Status, and the word that the box reads. */
function said(status: number, body: unknown): string {
  if (Array.isArray(body)) return `${status} a list`
  const { reason } = (body ?? {}) as { reason?: unknown }
  return `${status} ${typeof reason === 'string' ? reason : ''}`
}

export const sameRulesScenarios: readonly Scenario[] = [sameRules]

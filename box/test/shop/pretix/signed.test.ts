/** Tickets whose code pretix has signed, shown before their order has come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CodeSigner } from '../../world/signed-code.ts'
import { answer } from './server.ts'
import { NOW, PullWorld } from './world.ts'

/** A world whose pretix signs, everything of which was read. */
async function signing() {
  const w = await PullWorld.open()
  const signer = new CodeSigner()
  w.pretix.event.valid_keys = { pretix_sig1: [signer.published] }
  await w.sync()
  return { w, signer }
}

test('a ticket that was sold a moment ago is admitted once, and says so at the door', async () => {
  const { w, signer } = await signing()
  await using _ = w
  const code = signer.code({ item: 1 })
  assert.equal(await w.verdict(code), 'ADMIT')
  assert.match(w.tickets()[0]?.statusDetail ?? '', /Sold a moment ago/)
  const { reason } = await w.desk.scan(signer.code({ item: 1 }))
  assert.match(reason, /^Welcome.* Sold a moment ago/)
  assert.equal(await w.verdict(code), 'ALREADY_USED')
  // As its product is: another gate's, and one that nobody enters with.
  assert.equal(await w.verdict(signer.code({ item: 2, variation: 21 })), 'REDIRECT')
  assert.equal(await w.verdict(signer.code({ item: 3 })), 'UNKNOWN')
  assert.equal(await w.verdict(signer.code({ item: 99 })), 'UNKNOWN')
})

test('its order finds the admission, and the mark is gone', async () => {
  const { w, signer } = await signing()
  await using _ = w
  const code = signer.code({ item: 1 })
  assert.equal(await w.verdict(code), 'ADMIT')
  w.sell('AAA', [{ id: 1, secret: code }])
  await w.later()
  const [ticket, another] = w.tickets()
  assert.deepEqual([ticket?.orderCode, ticket?.position, another], ['AAA', 1, undefined])
  assert.equal(ticket?.statusDetail, null)
  assert.equal(await w.verdict(code), 'ALREADY_USED')
  assert.equal(w.rows.ofTicket(ticket?.id ?? 0)?.table, 'position')
})

test('two gates at once make one ticket of it, and admit one person', async () => {
  const { w, signer } = await signing()
  await using _ = w
  const code = signer.code({ item: 1 })
  const verdicts = await Promise.all([w.verdict(code), w.verdict(code), w.verdict(code)])
  assert.deepEqual(verdicts.sort(), ['ADMIT', 'ALREADY_USED', 'ALREADY_USED'])
  assert.equal(w.tickets().length, 1)
})

test('the times in its signature count', async () => {
  const { w, signer } = await signing()
  await using _ = w
  const second = NOW / 1000
  assert.equal(await w.verdict(signer.code({ item: 1, validUntil: second - 60 })), 'NOT_VALID_NOW')
  assert.equal(await w.verdict(signer.code({ item: 1, validFrom: second + 60 })), 'NOT_VALID_NOW')
  assert.equal(await w.verdict(signer.code({ item: 1, validFrom: second - 60, validUntil: second + 60 })), 'ADMIT')
})

test('in a series, a date that this box does not have is unknown', async () => {
  const { w, signer } = await signing()
  await using _ = w
  const date = (id: number, date_from: string) => ({ id, date_from, date_to: null, date_admission: null })
  w.pretix.event.has_subevents = true
  w.pretix.subevents = [date(7, '2026-07-04T10:00:00Z'), date(8, '2026-07-06T10:00:00Z')]
  await w.restart()
  w.subevents = [7]
  await w.sync()
  assert.equal(await w.verdict(signer.code({ item: 1, subevent: 7 })), 'ADMIT')
  assert.equal(await w.verdict(signer.code({ item: 1, subevent: 8 })), 'UNKNOWN')
})

test("a forged code, another event's, and another text of the same signature open nothing", async () => {
  const { w, signer } = await signing()
  await using _ = w
  const code = signer.code({ item: 1 })
  const forged = `${code.slice(0, 20)}${code[20] === 'A' ? 'B' : 'A'}${code.slice(21)}`
  for (const other of [forged, new CodeSigner().code({ item: 1 }), `=${code}`, `${code}=`]) {
    assert.equal(await w.verdict(other), 'UNKNOWN')
  }
  assert.equal(w.tickets().length, 0)
})

test('a withdrawn and a blocked code are refused, and one that is blocked no more is admitted', async () => {
  const { w, signer } = await signing()
  await using _ = w
  const [withdrawn, blocked] = [signer.code({ item: 1 }), signer.code({ item: 1 })]
  const at = '2026-07-04T17:00:00.000000Z'
  w.pretix.revoked = [{ id: 1, secret: withdrawn, created: at }]
  w.pretix.blocked = [{ id: 1, secret: blocked, updated: at, blocked: true }]
  await w.later(61_000)
  assert.equal(await w.verdict(withdrawn), 'REVOKED')
  assert.equal(await w.verdict(blocked), 'BLOCKED')
  w.pretix.blocked = [{ id: 1, secret: blocked, updated: '2026-07-04T18:00:00.000000Z', blocked: false }]
  // The lists are read with any change of an order.
  w.sell('AAA', [{ id: 1 }])
  await w.later()
  assert.equal(await w.verdict(blocked), 'ADMIT')
})

test('a code that is withdrawn after its admission is refused, and the new one is the ticket of the order', async () => {
  const { w, signer } = await signing()
  await using _ = w
  const [first, second] = [signer.code({ item: 1 }), signer.code({ item: 1 })]
  assert.equal(await w.verdict(first), 'ADMIT')
  // Both arrive with the next poll: a code is withdrawn together with a change of its order.
  w.pretix.revoked = [{ id: 1, secret: first, created: '2026-07-04T18:00:00.000000Z' }]
  w.sell('AAA', [{ id: 1, secret: second }])
  await w.later()
  assert.equal(await w.verdict(first), 'REVOKED')
  assert.equal(await w.verdict(second), 'ADMIT')
})

test('where no order comes, as of a test order, it admits nobody any more, and is listed as a problem', async () => {
  const { w, signer } = await signing()
  await using _ = w
  const code = signer.code({ item: 1 })
  assert.equal(await w.verdict(code, { checkpoint: 'a-in' }), 'ADMIT')
  await w.later(50_000)
  assert.equal(w.rows.problems(5).length, 0)
  await w.later(61_000)
  await w.later(61_000)
  assert.equal(await w.verdict(code), 'REVOKED')
  assert.match(w.rows.problems(5)[0]?.reason ?? '', /no order in pretix has its code/)
  // It comes all the same: a transaction there took minutes.
  w.sell('AAA', [{ id: 1, secret: code }])
  await w.later()
  assert.equal(await w.verdict(code), 'ALREADY_USED')
})

test('a box that starts while pretix is away knows its keys', async () => {
  const { w, signer } = await signing()
  await using _ = w
  await w.restart()
  w.pretix.fault = (_request, response) => answer(response, 502, '<h1>Bad gateway</h1>')
  assert.equal(await w.verdict(signer.code({ item: 1 })), 'ADMIT')
})

test('the lists are asked for where pretix signs, as far as they are new, and after a crash again', async () => {
  const { w, signer } = await signing()
  await using _ = w
  w.pretix.pageSize = 2
  const row = (id: number) => {
    const created = new Date(NOW - id * 1_000).toISOString().replace('Z', '000Z')
    return { id, secret: signer.code({ item: 1, seed: `withdrew${id}` }), created }
  }
  w.pretix.revoked = [1, 2, 3, 4, 5].map(row)
  w.pretix.fault = ({ path, query }, response) =>
    path.endsWith('revokedsecrets/') && query.get('page') === '3' && answer(response, 502, '<h1>Bad gateway</h1>')
  await w.later(61_000)
  await w.restart()
  w.pretix.fault = () => false
  await w.later(61_000)
  for (const { secret } of w.pretix.revoked) assert.equal(await w.verdict(String(secret)), 'REVOKED')
  const asked = w.pretix.askedFor('revokedsecrets/').length
  await w.later(61_000)
  const since = w.pretix.askedFor('revokedsecrets/')[asked]?.query.get('created_since')
  assert.equal(since, new Date(NOW - 1_000 - 300_000).toISOString())
})

test('where pretix makes random codes, the lists are not asked for', async () => {
  await using w = await PullWorld.open()
  w.sell('AAA', [{ id: 1 }])
  await w.sync()
  await w.later(61_000)
  assert.equal(w.pretix.askedFor('secrets/').length, 0)
})

/** HQ's receiver against boxes that send what no box should: who may write, what is stored, what is logged. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { signCheckpoint } from '../../src/seal/checkpoint.ts'
import { GrowingRoot } from '../../src/seal/growing-root.ts'
import { leafHash } from '../../src/seal/merkle.ts'
import { until } from '../world/until.ts'
import { event, Sender } from './sender.ts'
import { HqWorld } from './world.ts'

let world: HqWorld
before(async () => {
  world = await HqWorld.start()
})
after(() => world[Symbol.asyncDispose]())

/** A box whose first batch is taken: it was added a moment ago. */
async function open(box: string): Promise<Sender> {
  const sender = await Sender.open(world, box)
  await until(async () => (await sender.send([event({ sequence: 1 }, 'holds', { after: { id: 'h' } })])) === 'ok')
  return sender
}

const alarmsOf = (box: string) =>
  world.query<{ kind: string; subject: string; detail: string }>(
    'SELECT kind, subject, detail FROM gatehouse.alarms WHERE box = $1 ORDER BY id',
    [box],
  )
const kindsOf = async (box: string) => (await alarmsOf(box)).map(({ kind }) => kind)
const eventsOf = (box: string) => world.count(`SELECT count(*) FROM gatehouse.events WHERE box = '${box}'`)
const ticket = (id: number, more: object = {}) => ({
  id: String(id),
  ref: `ref-${id}`,
  tier: 'once',
  status: 'valid',
  ...more,
})

describe('writing to HQ', () => {
  it('refuses a stranger, a scanner, and a certificate that claims to be another box', async () => {
    using first = await open('box-first')
    using second = await open('box-second')
    using stranger = new Sender(world, 'box-first')
    stranger.show(await stranger.pair())
    const batch = [event({ sequence: 9 }, 'holds', { after: { id: 'forged' } })]
    assert.match(await stranger.send(batch), /UNAUTHENTICATED.*HQ knows no box with this certificate/)
    stranger.show(undefined)
    assert.match(await stranger.send(batch), /UNAUTHENTICATED|UNAVAILABLE/)

    // Of a known authority, but for another purpose.
    second.show(await second.pair({ box: 'box-first' }))
    assert.match(await second.send(batch), /PERMISSION_DENIED.*a new ledger is a new box/)
    second.show(await second.pair({ verifierKey: 'another+00000000+AAAA' }))
    assert.match(await second.send(batch), /PERMISSION_DENIED.*another event or signing key/)
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const scanner = await (await second.authority()).issueDeviceCertificate({ deviceId: 'dev-1', publicKey })
    second.show({
      certificate: scanner.certificate,
      key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    })
    assert.match(await second.send(batch), /PERMISSION_DENIED.*not a certificate of a box's feed/)
    assert.equal(await eventsOf('box-first'), 1)
    assert.equal(await eventsOf('box-second'), 1)
    assert.deepEqual(await kindsOf('box-second'), ['identity'])

    // A new authority that claims a box which another one has.
    using thief = new Sender(world, 'box-first')
    await world.command('add-box', '--name', 'thief', '--ca', await thief.caPath())
    thief.show(await thief.pair())
    await until(async () => /PERMISSION_DENIED.*is box-first already/.test(await thief.send(batch)))
    assert.equal(await eventsOf('box-first'), 1)
    assert.equal(await first.send([event({ sequence: 2 }, 'holds', { after: { id: 'h2' } })]), 'ok')
  })

  it('is refused to a box that was removed', async () => {
    using sender = await open('box-removed')
    assert.equal((await world.command('remove-box', '--name', 'box-removed')).code, 0)
    const batch = [event({ sequence: 2 }, 'holds', { after: { id: 'x' } })]
    await until(async () => /UNAUTHENTICATED|UNAVAILABLE|PERMISSION_DENIED/.test(await sender.send(batch)))
    assert.equal(await eventsOf('box-removed'), 1)
    assert.equal((await world.command('remove-box', '--name', 'box-removed')).code, 1)
  })
})

describe('a stored batch', () => {
  it('has each event once, however often, late and out of order it comes', async () => {
    using sender = await open('box-mixed')
    const a = event({ sequence: 10 }, 'tickets', { after: ticket(1) })
    const b = event({ sequence: 0x9 }, 'tickets', { after: ticket(2) })
    const c = event({ sequence: 16 }, 'tickets', { before: ticket(1), after: ticket(1, { status: 'blocked' }) })
    const d = event({ sequence: 17 }, 'tickets', { before: ticket(2) })
    const e = event({ sequence: 17, index: 1 }, 'tickets', { after: ticket(3) })
    // `0/10` is after `0/A`, and `0/9` before both.
    for (const batch of [[d, c], [a, a], [e, b, a, c], [b], []]) assert.equal(await sender.send(batch), 'ok')
    assert.equal(await eventsOf('box-mixed'), 6)
    const rows = await world.query(`SELECT id, status FROM gatehouse.tickets WHERE box = 'box-mixed' ORDER BY id`)
    assert.deepEqual(rows, [
      { id: '1', status: 'blocked' },
      { id: '3', status: 'valid' },
    ])
    const order = await world.query(
      `SELECT id FROM gatehouse.events WHERE box = 'box-mixed' ORDER BY history, sequence, index`,
    )
    assert.deepEqual(
      order.map(({ id }) => id),
      ['3E8/1:0', '3E8/9:0', '3E8/A:0', '3E8/10:0', '3E8/11:0', '3E8/11:1'],
    )
  })

  it('keeps values that do not fit a column, a truncate, and a row with missing columns', async () => {
    using sender = await open('box-odd')
    const gained = event({ sequence: 2 }, 'tickets', {
      after: ticket(1, { gate_hint: 'north\u0000', valid_from: 'soon', seat: '\ud800' }),
    })
    assert.equal(await sender.send([gained]), 'ok')
    const [row] = await world.query<{ extra: object; valid_from: null; seat: string }>(
      `SELECT extra, valid_from, seat FROM gatehouse.tickets WHERE box = 'box-odd'`,
    )
    assert.deepEqual(row, { extra: { gate_hint: 'north\ufffd', valid_from: 'soon' }, valid_from: null, seat: '\ufffd' })
    const partial = event({ sequence: 3 }, 'tickets', {
      before: { id: '1' },
      after: { id: '1', status: 'blocked', valid_from: '1000' },
    })
    const unknown = event({ sequence: 4 }, 'lanes', { after: { id: '1' } })
    const keyless = event({ sequence: 5 }, 'tickets', { after: { tier: 'once' } })
    assert.equal(await sender.send([partial, unknown, keyless]), 'ok')
    const [now] = await world.query(
      `SELECT tier, status, valid_from, extra FROM gatehouse.tickets WHERE box = 'box-odd'`,
    )
    assert.deepEqual([now?.tier, now?.status, now?.extra], ['once', 'blocked', { gate_hint: 'north\ufffd' }])
    assert.deepEqual((await kindsOf('box-odd')).sort(), ['unknown_table', 'unreadable'])
    assert.equal(await sender.send([event({ sequence: 7 }, 'tickets', { op: 'truncate' })]), 'ok')
    // Late: it was there before the table was emptied.
    assert.equal(await sender.send([event({ sequence: 6 }, 'tickets', { after: ticket(2) })]), 'ok')
    assert.equal(await world.count(`SELECT count(*) FROM gatehouse.tickets WHERE box = 'box-odd'`), 0)
    assert.equal(await eventsOf('box-odd'), 7)
  })

  it('is refused whole when it is malformed, without affecting other boxes', async () => {
    using bad = await open('box-bad')
    using good = await open('box-good')
    const fine = event({ sequence: 2 }, 'holds', { after: { id: 'fine' } })
    const wrong: [object, RegExp][] = [
      [{ ...fine, id: '0/1:0' }, /event "0\/1:0" has no position/],
      [{ ...fine, id: 'nonsense' }, /has no position/],
      [{ ...fine, op: 'upsert' }, /op "upsert", which is none/],
      [{ ...fine, after_json: '{"id":' }, /not JSON/],
      [{ ...fine, after_json: '[]' }, /not an object/],
      [{ ...fine, after_json: '' }, /without a row/],
      [{ ...fine, table: 'a\0b' }, /no name of a table/],
    ]
    for (const [event, words] of wrong) {
      const answer = await bad.send([{ ...fine, id: '3E8/1:7', commit_lsn: '3E8/1', lsn: '3E8/1' }, event])
      assert.match(answer, words)
      assert.equal(await good.send([fine]), 'ok')
    }
    assert.equal(await eventsOf('box-bad'), 1)
    assert.deepEqual(await kindsOf('box-bad'), ['bad_batch'])
    const { boxes } = await world.status()
    assert.match(boxes.find(({ name }) => name === 'box-bad')?.last_error ?? '', /no name of a table/)
    // The corrected batch is taken, and the error is cleared.
    assert.equal(await bad.send([fine]), 'ok')
    assert.equal((await world.status()).boxes.find(({ name }) => name === 'box-bad')?.last_error, null)
  })
})

/** A record: entries, and the seals of some of them. */
class Record {
  readonly #tree = new GrowingRoot(() => {})
  sequence = 10
  readonly history: number
  readonly sender: Sender

  constructor(sender: Sender, history = 1000) {
    this.sender = sender
    this.history = history
  }

  entry(text: string): object {
    const idx = this.#tree.size
    const bytes = JSON.stringify({ index: idx, text })
    this.#tree.add(leafHash(Buffer.from(bytes)))
    const row = { idx: String(idx), hlc: '0.0', kind: 'note', bytes }
    return event({ history: this.history, sequence: this.sequence++ }, 'journal', { after: row })
  }

  /** @param more fields that differ */
  seal(more: { root?: Buffer; size?: number; key?: Sender } = {}): object {
    const { root = Buffer.from(this.#tree.root()), size = this.#tree.size, key = this.sender } = more
    const note = signCheckpoint({ size, root }, { name: this.sender.origin, key: key.signingKey })
    const row = { size: String(size), root: `\\x${root.toString('hex')}`, note, at: '1000' }
    return event({ history: this.history, sequence: this.sequence++ }, 'seals', { after: row })
  }
}

const verdictsOf = async (box: string) =>
  (
    await world.query<{ verdict: string }>(
      `SELECT verdict FROM gatehouse.seal_checks WHERE box = '${box}' ORDER BY history, size`,
    )
  ).map(({ verdict }) => verdict)

describe('seals', () => {
  it('are valid when the entries are those that were sealed, in whatever order they arrive', async () => {
    using sender = await open('box-sealed')
    const record = new Record(sender)
    const batches = Array.from({ length: 6 }, (_, i) => [record.entry(`a${i}`), record.entry(`b${i}`), record.seal()])
    const [first = [], second = [], third = [], ...rest] = batches
    for (const batch of [first, third, second, ...rest.reverse()]) assert.equal(await sender.send(batch), 'ok')
    assert.deepEqual(await verdictsOf('box-sealed'), Array(6).fill('good'))
    assert.deepEqual(await kindsOf('box-sealed'), [])
  })

  it('raise an alarm when they are forged, changed or of other entries, and delay nothing', async () => {
    using sender = await open('box-forged')
    const record = new Record(sender)
    using other = new Sender(world, 'box-forged')
    assert.equal(await sender.send([record.entry('a'), record.seal({ key: other })]), 'ok')
    assert.equal(await sender.send([record.entry('b'), record.seal({ root: Buffer.alloc(32, 7) })]), 'ok')
    assert.equal(await sender.send([record.entry('c'), record.seal()]), 'ok')
    assert.deepEqual(await verdictsOf('box-forged'), ['bad', 'bad', 'good'])
    assert.deepEqual(await kindsOf('box-forged'), ['seal_forged', 'seal_root'])
    const entry = { idx: '0', hlc: '0.0', kind: 'note', bytes: '{"another":1}' }
    assert.equal(await sender.send([event({ sequence: 50 }, 'journal', { after: entry })]), 'ok')
    assert.equal(await sender.send([event({ sequence: 51 }, 'seals', { before: { size: '3' } })]), 'ok')
    assert.deepEqual(await kindsOf('box-forged'), ['seal_forged', 'seal_root', 'journal_changed', 'seal_changed'])
    assert.equal(await sender.send([event({ sequence: 52 }, 'holds', { after: { id: 'on' } })]), 'ok')
  })

  it('of two histories that diverge are both kept, and the point is reported', async () => {
    using sender = await open('box-parted')
    const before = new Record(sender)
    assert.equal(await sender.send([before.entry('same'), before.seal(), before.entry('one'), before.seal()]), 'ok')
    const after = new Record(sender, 2000)
    assert.equal(await sender.send([after.entry('same'), after.seal()]), 'ok')
    assert.deepEqual(await kindsOf('box-parted'), ['new_history'])
    assert.equal(await sender.send([after.entry('another'), after.seal()]), 'ok')
    assert.deepEqual(await verdictsOf('box-parted'), ['good', 'good', 'good', 'good'])
    const alarms = await alarmsOf('box-parted')
    assert.deepEqual(alarms.map(({ kind }) => kind).sort(), ['histories_parted', 'new_history', 'seal_forked'])
    assert.match(
      alarms.find(({ kind }) => kind === 'histories_parted')?.detail ?? '',
      /^Entry 1 is another one than in the history 1000/,
    )
    const rows = await world.query(`SELECT bytes FROM gatehouse.journal WHERE box = 'box-parted' AND idx = 1`)
    assert.deepEqual(rows, [{ bytes: '{"index":1,"text":"another"}' }])
    assert.equal(await world.count(`SELECT count(*) FROM gatehouse.journal_all WHERE box = 'box-parted'`), 4)
    const { alarms: standing } = await world.status()
    const own = standing.filter(({ box }) => box === 'box-parted')
    assert.equal(own.length, 3)
    assert.equal((await world.command('answer', String(own[0]?.id))).code, 0)
    assert.equal((await world.command('answer', String(own[0]?.id))).code, 1)
  })
})

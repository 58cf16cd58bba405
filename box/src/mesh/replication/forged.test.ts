/** Attacks of somebody who reaches the mesh without being one of its boxes: a machine that only votes, or a removed box. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format, parse } from '@gatehouse/proto/hlc.ts'
import { pageOf, replicatedAt } from '../../../test/mesh/desks.ts'
import { ReplicatingDesks } from '../../../test/mesh/replicating-desks.ts'
import { Control } from '../../../test/world/control.ts'
import type { Desk } from '../../../test/world/desk.ts'
import { until } from '../../../test/world/until.ts'
import { devices, incidents, tickets } from '../../ledger/schema.ts'
import { encodeEnvelope, encodePage } from './envelope.ts'
import { withTag } from './member-tag.ts'
import { numbered } from './message-number.ts'
import type { RefusedMessages } from './refused-messages.ts'
import type { Rows } from './rows.ts'
import { type MessageContext, signMessage } from './signed-message.ts'

const stranger = generateKeyPairSync('ed25519')
const NAME = 'Ana Reis'

/** The number of what a stranger sends: higher than that of anything a box has sent. */
let ms = Date.parse('2030-01-01')
const withNumber = (content: Uint8Array) => numbered(content, { ms: ++ms, count: 0 }, Buffer.alloc(8))

/** A removed box has the event's key, and so can make the tag. @param key signs, in the name of `by` */
function signedAs(world: ReplicatingDesks, by: string, key: KeyObject) {
  const { id: event } = world.desks.desk(0).event
  return (content: Uint8Array, context: MessageContext) => {
    const signed = context.kind === 'answer' ? content : withNumber(content)
    return withTag(signMessage(signed, context, { by, event, key }), context, world.tagSecret)
  }
}

/** A page that continues a desk's journal as the desk itself would. */
function nextPage({ id, deps: { ledger } }: Desk, fields: object, rows?: Rows): Uint8Array {
  const [last] = ledger.read(ledger.size - 1, 1)
  const { ms, count } = parse(last?.hlc ?? '') ?? { ms: 0, count: 0 }
  const entry = { ...fields, index: ledger.size, hlc: format({ ms, count: count + 1 }) }
  const envelope = encodeEnvelope({ index: entry.index, bytes: Buffer.from(canonicalJson(entry)) }, rows)
  return encodePage({ box: id, size: ledger.size + 1, entries: [envelope] })
}

const { publicKey: DEVICE_KEY } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A supervisor's device that nobody has enrolled. */
function enrolment(desk: Desk): Uint8Array {
  const device = 'dev-00000001'
  const fingerprint = 'ab'.repeat(32)
  const publicKey = DEVICE_KEY.export({ format: 'der', type: 'spki' }).toString('base64')
  const more = { expiresAt: 2_000_000_000_000, revokedAt: null, revokedReason: null, supervisor: true }
  const row = { id: device, name: 'X', fingerprint, tokenHash: Buffer.alloc(32).toString('base64'), publicKey }
  return nextPage(
    desk,
    { kind: 'enrolment', device, certificate: fingerprint, checkpoints: ['a-in'], supervisor: true },
    { device: { ...row, checkpoints: ['a-in'], enrolledAt: 1, ...more } },
  )
}

/** Every name of the event is forgotten. */
function erasure(desk: Desk): Uint8Array {
  const by = { actor: 'X', address: '192.0.2.1', at: '2026-07-04T12:00:00.000Z' }
  return nextPage(desk, { kind: 'erasure', ...by, names: 1, emails: 0, incident_notes: 0, flag_notes: 0 })
}

const nameAt = ({ deps }: Desk) => deps.ledger.db.drizzle.select().from(tickets).get()?.holderName
const devicesAt = ({ deps }: Desk) => deps.ledger.db.drizzle.select().from(devices).all().length
const statusAt = (world: ReplicatingDesks, at: number, box: string) => world.replications[at]?.peerStatuses().get(box)
const refusedAt = (world: ReplicatingDesks, at: number, name: string, why: RefusedMessages['why']) =>
  world.replications[at]?.refusedMessages().find((each) => each.deliveredBy === name && each.why === why)?.count ?? 0

async function opened(boxes: number): Promise<ReplicatingDesks> {
  const world = await ReplicatingDesks.open(boxes)
  const [a, ...others] = world.desks.all
  await a?.import([`C-1,once,valid,,,${NAME}`])
  for (const box of others) await until(() => nameAt(box) === NAME)
  await until(() => others.every((box) => replicatedAt(box, 'box-0') === a?.deps.ledger.size))
  return world
}

describe('a user of the mesh that is not a member', { timeout: 120_000 }, () => {
  for (const [what, pageAt] of [
    ['enrolment', enrolment],
    ['erasure', erasure],
  ] as const) {
    it(`publishes a forged ${what} in vain, and is counted under the name that it came by`, async () => {
      await using world = await opened(2)
      const [a, b] = world.boxes
      const forged = pageAt(a)
      const push = { kind: 'push' } as const
      const urgent = { kind: 'urgent' } as const
      const inNameOf = (by: string) => signedAs(world, by, stranger.privateKey)
      const noTag = signMessage(forged, push, { by: 'box-0', event: b.event.id, key: stranger.privateKey })
      const wrongTag = withTag(noTag, push, randomBytes(32))
      const messages = [
        { name: 'box-0', push: forged, urgent: forged, why: 'unsigned' },
        { name: 'box-0', push: noTag, urgent: noTag, why: 'unsigned' },
        { name: 'box-0', push: wrongTag, urgent: wrongTag, why: 'forged' },
        {
          name: 'box-0',
          push: inNameOf('box-0')(forged, push),
          urgent: inNameOf('box-0')(forged, urgent),
          why: 'forged',
        },
        { name: 'box-0', push: inNameOf('voter-1')(forged, push), urgent: noTag, why: 'stranger' },
        { name: 'voter-1', push: forged, urgent: forged, why: 'unsigned' },
        {
          name: 'voter-1',
          push: inNameOf('voter-1')(forged, push),
          urgent: inNameOf('voter-1')(forged, urgent),
          why: 'stranger',
        },
      ] as const
      for (const { name, push, urgent } of messages) {
        world.wires.publish(name, 'push', push)
        world.wires.publish(name, 'urgent', urgent)
      }
      await until(() => messages.every(({ name, why }) => refusedAt(world, 1, name, why) >= 1))
      await until(() => refusedAt(world, 1, 'box-0', 'forged') >= 4)
      assert.deepEqual([nameAt(b), devicesAt(b)], [NAME, 0])
      assert.equal(replicatedAt(b, 'box-0'), a.deps.ledger.size)
      assert.equal(statusAt(world, 1, 'box-0')?.problem, undefined, 'nothing is said against the box whose name it was')
      assert.ok(
        world.log.some(({ event, delivered_by }) => event === 'mesh_message_refused' && delivered_by === 'voter-1'),
      )
      // The same page signed by the box takes effect: the signature alone has stopped it.
      world.wires.publish('box-0', 'push', signedAs(world, 'box-0', a.deps.keys.logKey)(world.encrypted(forged), push))
      await until(() => (what === 'enrolment' ? devicesAt(b) === 1 : nameAt(b) === null))
    })
  }

  it('answers before the box does, and the true answer counts all the same', async () => {
    await using world = await opened(2)
    const [a, b] = world.boxes
    const forge = signedAs(world, 'box-0', stranger.privateKey)
    world.wires.answerBefore('box-0', (question) => [erasure(a), forge(erasure(a), { kind: 'answer', question })])
    await until(() => refusedAt(world, 1, 'box-0', 'forged') > 0 && refusedAt(world, 1, 'box-0', 'unsigned') > 0)
    await a.import(['C-2,once,valid,,,Rui'])
    await until(() => replicatedAt(b, 'box-0') === a.deps.ledger.size)
    await until(() => world.replications[1]?.caughtUp() === true)
    assert.deepEqual([nameAt(b), statusAt(world, 1, 'box-0')?.problem], [NAME, undefined])
  })

  it('answers in the place of a box that is cut off, and nothing is said against that box, which has answered before', async () => {
    await using world = await opened(2)
    world.wires.end('box-0').answer(() => Buffer.from('{"v":1,"box":"box-0","size":0,"entries":[]}'))
    await until(() => refusedAt(world, 1, 'box-0', 'unsigned') > 3)
    assert.equal(statusAt(world, 1, 'box-0')?.problem, undefined)
  })

  it('keeps true answers and repeats them in vain: a page is good for one question', async () => {
    await using world = await opened(2)
    const [, b] = world.boxes
    const kept: Uint8Array[] = []
    const ask = signedAs(world, 'box-1', b.deps.keys.logKey)
    const question = ask(Buffer.from('{"v":1,"from":0}'), { kind: 'ask', to: 'box-0' })
    await world.wires
      .end('box-9')
      .request('box-0', question, (page) => void kept.push(page))
      .catch(() => {})
    assert.equal(kept.length, 1)
    // The same box has signed it, for another question of the same box.
    world.wires.answerBefore('box-0', () => kept)
    await until(() => refusedAt(world, 1, 'box-0', 'forged') > 0)
    await until(() => world.replications[1]?.caughtUp() === true)
    assert.equal(statusAt(world, 1, 'box-0')?.problem, undefined, 'an old page is no shorter journal')
  })

  it('asks for pages in vain', async () => {
    await using world = await opened(2)
    const context = { kind: 'ask', to: 'box-0' } as const
    const asks = [
      Buffer.from('{"v":1,"from":0}'),
      signedAs(world, 'voter-1', stranger.privateKey)(Buffer.from('{"v":1,"from":0}'), context),
    ]
    for (const ask of asks) await assert.rejects(world.wires.end('box-9').request('box-0', ask, (page) => page))
    const counted = world.replications[0]?.refusedMessages().map(({ deliveredBy, why }) => `${deliveredBy} ${why}`)
    assert.deepEqual(counted?.sort(), ['null stranger', 'null unsigned'])
  })

  it('repeats what a dead box once pushed, and nobody believes that it is there', async () => {
    await using world = await opened(2)
    const [a, b] = world.boxes
    const old = signedAs(
      world,
      'box-0',
      a.deps.keys.logKey,
    )(world.encrypted(nextPage(a, { kind: 'seal' })), { kind: 'push' })
    await world.replications[0]?.[Symbol.asyncDispose]()
    world.wires.cut('box-1', 'box-0')
    await until(() => world.replications[1]?.caughtUp() === true)
    // Messages arrive in their order: what the box sent while it was alive is read by now.
    world.wires.publish('box-0', 'push', Buffer.from('the last one'))
    await until(() => refusedAt(world, 1, 'box-0', 'unsigned') === 1)
    const before = statusAt(world, 1, 'box-0')?.lastHeard
    world.wires.publish('box-0', 'push', old)
    await until(() => replicatedAt(b, 'box-0') > a.deps.ledger.size)
    assert.equal(statusAt(world, 1, 'box-0')?.lastHeard, before)
  })
})

describe('a box', { timeout: 120_000 }, () => {
  it('of an older version is refused and named, and holds nobody up', async () => {
    await using world = await ReplicatingDesks.open(2)
    const [a, b] = world.boxes
    // Before the first question: it takes the place of box-0 on the wire.
    const old = world.wires.end('box-0')
    old.answer(() => Buffer.from(encodePage({ box: 'box-0', size: a.deps.ledger.size, entries: [] })))
    await until(() => statusAt(world, 1, 'box-0')?.problem !== undefined)
    assert.match(
      statusAt(world, 1, 'box-0')?.problem?.text ?? '',
      /its messages are not signed. If it has an older version/,
    )
    // An unsigned message does not count as heard: anybody can send it.
    assert.equal(world.replications[1]?.caughtUp(), true)
    assert.deepEqual(world.replications[1]?.refusedPeers(), new Map())
    await a.import(['C-2,once,valid,,,Rui'])
    old.push(Buffer.from(encodePage({ box: 'box-0', size: 99, entries: [] })))
    assert.equal(b.deps.ledger.db.drizzle.select().from(tickets).all().length, 0)
    // It is updated.
    world.sender(a, 'box-0').answer((question) => {
      const { from } = JSON.parse(Buffer.from(question).toString()) as { from: number }
      const { entries, size, box } = pageOf(a, from)
      return encodePage({ box, size, entries: entries.map((entry) => encodeEnvelope(entry, entry.rows)) })
    })
    await until(() => b.deps.ledger.db.drizzle.select().from(tickets).all().length === 1)
    await until(() => statusAt(world, 1, 'box-0')?.problem === undefined)
  })

  it('that was removed has a key that counts no more', async () => {
    await using world = await opened(3)
    const [a, b, c] = world.boxes
    world.strike(2)
    await new Control(c).report({ kind: 'crush' })
    await until(() => refusedAt(world, 0, 'box-2', 'stranger') > 0 && refusedAt(world, 1, 'box-2', 'stranger') > 0)
    for (const box of [a, b]) assert.equal(box.deps.ledger.db.drizzle.select().from(incidents).all().length, 0)
  })

  it('that relays another journal than it was sent is named, and not the box whose journal it is', async () => {
    await using world = await opened(3)
    const [a, b, c] = world.boxes
    for (const [from, to] of [
      ['box-0', 'box-2'],
      ['box-2', 'box-0'],
    ] as const)
      world.wires.cut(from, to)
    await a.import(['C-2,once,valid,,,Rui'])
    const size = a.deps.ledger.size
    world.wires.answerBefore('box-1', (question) => {
      const range = JSON.parse(Buffer.from(question).toString().split('\n')[3] ?? '')
      if (range.of !== 'box-0') return []
      const [entry] = pageOf(a, 0).entries
      const copy = encodePage({ box: 'box-0', size, entries: entry ? [encodeEnvelope(entry, undefined)] : [] })
      return [signedAs(world, 'box-1', b.deps.keys.logKey)(world.encrypted(copy), { kind: 'answer', question })]
    })
    await until(() => statusAt(world, 2, 'box-0')?.problem !== undefined)
    assert.match(statusAt(world, 2, 'box-0')?.problem?.text ?? '', /the copy .* box-1 has is refused: .*another range/)
    assert.equal(world.replications[2]?.refusedPeers().size, 0)
    // The true copy, and the box itself, are taken as before.
    world.wires.answerBefore('box-1', () => [])
    await until(() => replicatedAt(c, 'box-0') === a.deps.ledger.size)
    await until(() => statusAt(world, 2, 'box-0')?.problem === undefined)
  })

  it('that answers for another one signs with its own key, which has to be on the list', async () => {
    await using world = await opened(3)
    const [a, , c] = world.boxes
    for (const [from, to] of [
      ['box-0', 'box-2'],
      ['box-2', 'box-0'],
    ] as const)
      world.wires.cut(from, to)
    // The attacker who stands in for box-1 towards box-2 has no key of a box.
    const forge = signedAs(world, 'box-1', stranger.privateKey)
    world.wires.answerBefore('box-1', (question) => [forge(erasure(a), { kind: 'answer', question })])
    await a.import(['C-2,once,valid,,,Rui'])
    await until(() => c.deps.ledger.db.drizzle.select().from(tickets).all().length === 2)
    assert.ok(refusedAt(world, 2, 'box-1', 'forged') > 0)
    assert.equal(nameAt(c), NAME)
  })
})

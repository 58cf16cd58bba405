/** The cost of a flood of messages for a box: of strangers, of a removed box that still has the event's key, and of a member. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { originOf, verifierKey } from '../../seal/verifier-key.ts'
import type { Topology } from '../topology.ts'
import { withTag } from './member-tag.ts'
import { LONGEST } from './message-bounds.ts'
import { numbered } from './message-number.ts'
import { type MessageContext, type RefusalReason, signMessage } from './signed-message.ts'
import { SignedTransport } from './signed-transport.ts'
import type { Carrier } from './transport.ts'

const EVENT = 'fair'
const SECRET = randomBytes(32)
const BOXES = ['box-0', 'box-1'] as const
type Box = (typeof BOXES)[number]

/** The transport of box-0, the wire before it, and the time, which a test moves. */
function opened() {
  const time = { ms: 1_000_000 }
  const keys = new Map(BOXES.map((id) => [id, generateKeyPairSync('ed25519').privateKey]))
  const keyOf = (box: Box) => keys.get(box) ?? assert.fail()
  const listed = BOXES.map((id) => ({ id, role: 'core', log_key: verifierKey(originOf(EVENT, id), keyOf(id)) }))
  const refused = new Map<RefusalReason, number>()
  const wire: { answers: Uint8Array[]; question?: Uint8Array; ask?: Parameters<Carrier['answer']>[0] } = { answers: [] }
  const heard: { push?: (box: string, page: Uint8Array) => void; urgent?: (box: string, page: Uint8Array) => void } = {}
  const carrier: Carrier = {
    request: async (_, question, accept) => {
      wire.question = question
      for (const answer of wire.answers) {
        const accepted = accept(answer)
        if (accepted !== undefined) return accepted
      }
      throw new Error('no answer')
    },
    answer: (answer) => void Object.assign(wire, { ask: answer }),
    push: () => {},
    onPush: (listener) => void Object.assign(heard, { push: listener }),
    pushUrgent: () => {},
    onUrgent: (listener) => void Object.assign(heard, { urgent: listener }),
    onLink: () => () => {},
  }
  const transport = new SignedTransport({
    ...{ carrier, event: EVENT, self: 'box-0', logKey: keyOf('box-0'), tagSecret: SECRET },
    topology: () => ({ boxes: listed }) as unknown as Topology,
    clock: new HybridLogicalClock({ wallClock: () => time.ms, maxOffsetMs: 0 }),
    refusals: { count: (_, why) => void refused.set(why, (refused.get(why) ?? 0) + 1) },
    monotonic: () => time.ms,
  })
  let number = 0
  /** As box-1 sends it, if `key` is its own. */
  const from1 = (
    content: string | Uint8Array,
    context: MessageContext,
    { key = keyOf('box-1'), secret = SECRET } = {},
  ) => {
    const bytes = Buffer.from(content)
    const signed = context.kind === 'answer' ? bytes : numbered(bytes, { ms: ++number, count: 0 }, randomBytes(8))
    return withTag(signMessage(signed, context, { by: 'box-1', event: EVENT, key }), context, secret)
  }
  const skip = (numbers: number) => {
    number += numbers
  }
  return { skip, time, transport, wire, heard, refused, from1, stranger: generateKeyPairSync('ed25519').privateKey }
}

const ASK = { kind: 'ask', to: 'box-0' } as const
const PUSH = { kind: 'push' } as const
const URGENT = { kind: 'urgent' } as const
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()

describe('a flood', () => {
  it('of a question that is sent again is answered once: a replay costs no page', () => {
    const { transport, wire, refused, from1 } = opened()
    let read = 0
    transport.answer(() => Buffer.from(`page ${++read}`))
    const asks = Array.from({ length: 50 }, (_, i) => from1(`question ${i}`, ASK))
    for (const ask of asks) assert.ok(wire.ask?.(ask))
    // All of them, in their order and each again: nobody has to remember them for it.
    for (let again = 0; again < 3; again++) for (const ask of asks) assert.equal(wire.ask?.(ask), undefined)
    assert.deepEqual([read, refused.get('replayed')], [50, 150])
  })

  it('under a number that is far ahead, by somebody with the key of a box, silences that box for a minute and no longer', () => {
    const { time, transport, heard, refused, from1, skip } = opened()
    const taken: (string | undefined)[] = []
    transport.onPush((_, page) => void taken.push(text(page)))
    const before = from1('true', PUSH)
    skip(1_000_000)
    heard.push?.('box-1', from1('far ahead', PUSH))
    time.ms += 59_000
    heard.push?.('box-1', before)
    time.ms += 1_000
    heard.push?.('box-1', before)
    assert.deepEqual([taken, refused.get('replayed')], [['far ahead', 'true'], 1])
  })

  it('of questions whose pages are short and take long to read gets half of the processor, and not more', () => {
    const { time, transport, wire, from1 } = opened()
    let read = 0
    transport.answer(() => {
      read++
      time.ms += 100
      return Buffer.from('page')
    })
    const ask = () => wire.ask?.(from1('question', ASK))
    // The share saved up in the time before is used up first.
    while (ask()) assert.ok(read < 50)
    const [from, before] = [time.ms, read]
    while (time.ms < from + 60_000) if (!ask()) time.ms += 10
    const share = ((read - before) * 100) / (time.ms - from)
    assert.ok(share > 0.4 && share < 0.55, `${share}`)
  })

  it('of pushes and emergencies that are sent again is not read', () => {
    const { transport, heard, refused, from1 } = opened()
    const taken: string[] = []
    transport.onPush((_, page) => void taken.push(`push ${text(page)}`))
    transport.onUrgent((_, page) => void taken.push(`urgent ${text(page)}`))
    const [first, second] = [from1('first', PUSH), from1('second', PUSH)]
    const emergency = from1('fire', URGENT)
    heard.push?.('box-1', first)
    heard.push?.('box-1', second)
    heard.urgent?.('box-1', emergency)
    for (let i = 0; i < 100; i++) for (const page of [first, second]) heard.push?.('box-1', page)
    heard.urgent?.('box-1', emergency)
    // Neither is it good as another kind.
    heard.urgent?.('box-1', second)
    assert.deepEqual(taken, ['push first', 'push second', 'urgent fire'])
    assert.deepEqual([refused.get('replayed'), refused.get('forged')], [201, 1])
  })

  it('of long messages is refused by their length, before a byte is hashed', () => {
    const { transport, wire, heard, refused, from1 } = opened()
    let taken = 0
    transport.answer(() => Buffer.from(String(++taken)))
    transport.onPush(() => void taken++)
    transport.onUrgent(() => void taken++)
    wire.ask?.(from1('x'.repeat(LONGEST.ask), ASK))
    heard.push?.('box-1', from1('x'.repeat(LONGEST.push), PUSH))
    heard.urgent?.('box-1', from1('x'.repeat(LONGEST.urgent), URGENT))
    assert.deepEqual([taken, refused.get('too_long')], [0, 3])
  })

  it('of somebody without the key of the event does not use up what a box may refuse: the true message is taken', () => {
    const { transport, wire, heard, refused, from1, stranger } = opened()
    const taken: (string | undefined)[] = []
    transport.onPush((_, page) => void taken.push(text(page)))
    transport.answer(() => Buffer.from('page'))
    for (let i = 0; i < 500; i++) {
      heard.push?.('box-1', from1('forged', PUSH, { key: stranger, secret: randomBytes(32) }))
      wire.ask?.(from1('forged', ASK, { key: stranger, secret: randomBytes(32) }))
    }
    heard.push?.('box-1', from1('true', PUSH))
    assert.ok(wire.ask?.(from1('true', ASK)))
    assert.deepEqual([taken, refused.get('forged'), refused.get('too_many')], [['true'], 1_000, undefined])
  })

  it('of forged answers does not end the waiting for the true one', async () => {
    const { transport, wire, from1, stranger, refused } = opened()
    let forged = 0
    const carried = (function* () {
      const context = { kind: 'answer', question: wire.question ?? assert.fail() } as const
      for (; forged < 1_000; forged++)
        yield forged % 2 === 0
          ? Buffer.from('{"v":1,"box":"box-1","size":0,"entries":[]}')
          : from1('forged', context, { key: stranger, secret: randomBytes(32) })
      yield from1('true', context)
    })()
    wire.answers = carried as unknown as Uint8Array[]
    assert.equal(text(await transport.request('box-1', Buffer.from('question'))), 'true')
    assert.deepEqual([refused.get('unsigned'), refused.get('forged')], [500, 500])
  })

  it('of a removed box, which has the event key, is dropped unread after some hundred, and true messages pass a second later', () => {
    const { time, transport, heard, refused, from1, stranger } = opened()
    const taken: (string | undefined)[] = []
    transport.onPush((_, page) => void taken.push(text(page)))
    transport.onUrgent((_, page) => void taken.push(text(page)))
    for (let i = 0; i < 600; i++) heard.push?.('box-1', from1('forged', PUSH, { key: stranger }))
    const { forged = 0, too_many = 0 } = Object.fromEntries(refused)
    assert.ok(forged < 300, `${forged} were hashed`)
    assert.equal(forged + too_many, 600)
    // Long ones are fewer.
    time.ms += 60_000
    for (let i = 0; i < 200; i++) heard.push?.('box-1', from1('x'.repeat(700_000), PUSH, { key: stranger }))
    assert.ok((refused.get('forged') ?? 0) - forged < 20)
    // Another kind has a budget of its own.
    heard.urgent?.('box-1', from1('fire', URGENT))
    time.ms += 1_000
    heard.push?.('box-1', from1('true', PUSH))
    assert.deepEqual(taken, ['fire', 'true'])
  })

  it('of true questions of one member is answered as fast as a box can apply the pages, and no faster', () => {
    const { time, transport, wire, refused, from1 } = opened()
    let read = 0
    transport.answer(() => {
      read++
      return Buffer.alloc(192 * 1024)
    })
    for (let i = 0; i < 1_000; i++) wire.ask?.(from1('question', ASK))
    assert.ok(read < 100, `${read} pages were read`)
    assert.equal(refused.get('too_many'), 1_000 - read)
    const before = read
    time.ms += 1_000
    for (let i = 0; i < 1_000; i++) wire.ask?.(from1('question', ASK))
    assert.ok(read - before >= 10 && read - before < 30, `${read - before} pages a second`)
  })
})

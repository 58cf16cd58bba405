import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { encodePage } from './envelope.ts'
import {
  type MessageContext,
  openMessage,
  type RefusalReason,
  RefusedMessageError,
  signMessage,
} from './signed-message.ts'

const EVENT = 'fair'
const keys = { 'box-0': generateKeyPairSync('ed25519').privateKey, 'box-1': generateKeyPairSync('ed25519').privateKey }
const stranger = generateKeyPairSync('ed25519').privateKey
const keyOf = (box: string): KeyObject | undefined =>
  box === 'box-0' || box === 'box-1' ? createPublicKey(keys[box]) : undefined

const page = encodePage({ box: 'box-0', size: 2, entries: [] })
const push = { kind: 'push' } as const
const question = (text: string): MessageContext => ({ kind: 'answer', question: Buffer.from(text) })
const signedBy = (
  key: KeyObject,
  { by = 'box-0', event = EVENT, context = push }: { by?: string; event?: string; context?: MessageContext } = {},
) => signMessage(page, context, { by, event, key })
const open = (message: Uint8Array, context: MessageContext = push, by: string | undefined = 'box-0', event = EVENT) =>
  openMessage(message, context, { event, keyOf, by })
const refused = (
  message: Uint8Array,
  why: RefusalReason,
  context: MessageContext = push,
  by: string | undefined = 'box-0',
) =>
  assert.throws(
    () => open(message, context, by),
    (error) => error instanceof RefusedMessageError && error.why === why,
  )

describe('a signed message', () => {
  it('is its content, byte for byte, and says who has sent it', () => {
    const { by, content } = open(signedBy(keys['box-0']))
    assert.equal(by, 'box-0')
    assert.deepEqual(Buffer.from(content), Buffer.from(page))
  })

  it('is refused with any bit of it flipped: who stores or carries it cannot change one byte', () => {
    const message = signedBy(keys['box-0'])
    const check = (at: number, bit: number) => {
      const changed = Buffer.from(message)
      changed[at] = (changed[at] ?? 0) ^ (1 << bit)
      assert.throws(() => open(changed), RefusedMessageError, `bit ${bit} of byte ${at}`)
      // Also where anybody may have sent it.
      assert.throws(() => openMessage(changed, push, { event: EVENT, keyOf }), RefusedMessageError)
    }
    for (let at = 0; at < message.length; at++) for (let bit = 0; bit < 8; bit++) check(at, bit)
  })

  it('is refused where it is cut, grown or mixed with another one', () => {
    const message = Buffer.from(signedBy(keys['box-0']))
    const other = Buffer.from(
      signMessage(encodePage({ box: 'box-0', size: 9, entries: [] }), push, {
        ...{ by: 'box-0', event: EVENT, key: keys['box-0'] },
      }),
    )
    const cut = fc.tuple(fc.nat(message.length - 1), fc.nat(other.length)).map(([to, from]) => {
      return Buffer.concat([message.subarray(0, to), other.subarray(from)])
    })
    const grown = fc.uint8Array({ minLength: 1, maxLength: 50 }).map((more) => Buffer.concat([message, more]))
    fc.assert(
      fc.property(fc.oneof(cut, grown, fc.uint8Array({ maxLength: 300 })), (bytes) => {
        fc.pre(!Buffer.from(bytes).equals(message) && !Buffer.from(bytes).equals(other))
        assert.throws(() => open(bytes), RefusedMessageError)
      }),
    )
  })

  it('of another event is refused, although its signature is true', () => {
    refused(signedBy(keys['box-0'], { event: 'other' }), 'forged')
    assert.throws(() => open(signedBy(keys['box-0']), push, 'box-0', 'other'), RefusedMessageError)
  })

  it('that answers another question is refused: its range is in the question', () => {
    const answer = signedBy(keys['box-0'], { context: question('{"v":1,"from":0}') })
    open(answer, question('{"v":1,"from":0}'))
    for (const other of ['{"v":1,"from":40}', '{"v":1,"from":0,"of":"box-1"}', ''])
      refused(answer, 'forged', question(other))
  })

  it('of another kind is refused: a push is no answer, and no emergency', () => {
    for (const context of [question(''), { kind: 'urgent' }, { kind: 'ask', to: 'box-1' }] as MessageContext[]) {
      refused(signedBy(keys['box-0']), 'forged', context)
      refused(signedBy(keys['box-0'], { context }), 'forged')
    }
    const asked = signedBy(keys['box-0'], { context: { kind: 'ask', to: 'box-1' } })
    refused(asked, 'forged', { kind: 'ask', to: 'box-2' })
  })

  it('is refused where somebody else has signed it than who must have', () => {
    refused(signedBy(stranger), 'forged')
    refused(signedBy(keys['box-1']), 'forged')
    // Another box of the list, in its own name.
    refused(signedBy(keys['box-1'], { by: 'box-1' }), 'forged')
    refused(signedBy(stranger, { by: 'voter-1' }), 'stranger')
    refused(page, 'unsigned')
    refused(Buffer.alloc(0), 'unsigned')
  })
})

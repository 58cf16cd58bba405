import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { transaction } from '../../../test/feed/scripted-source.ts'
import type { ChangeEvent } from '../change.ts'
import type { DeliveryError } from '../sink.ts'
import { sendInParts, TooLarge } from './too-large.ts'

const batchOf = (sizes: readonly number[]) =>
  transaction(
    16n,
    sizes.map((size) => 'x'.repeat(size)),
  ).events
const bytesOf = (events: readonly ChangeEvent[]) => events.reduce((sum, { afterJson }) => sum + afterJson.length, 0)

test('every event is sent once and in order, in parts that fit, up to one that cannot', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 150, max: 3000 }), async (sizes, limit) => {
      const batch = batchOf(sizes)
      const sent: string[] = []
      const send = async (events: readonly ChangeEvent[]) => {
        if (bytesOf(events) > limit) throw new TooLarge('It said so.', bytesOf(events), 'Raise it.')
        sent.push(...events.map(({ id }) => id))
      }
      const outcome = await sendInParts(batch, send).catch((error: DeliveryError) => error)
      const stuck = batch.findIndex((event) => bytesOf([event]) > limit)
      const ids = batch.map(({ id }) => id)
      if (stuck === -1) {
        assert.equal(outcome, undefined)
        assert.deepEqual(sent, ids)
      } else {
        assert.ok(outcome instanceof Error && outcome.pause)
        assert.ok(
          outcome.message.startsWith(`The event 0/10:${stuck} of public.tickets is too large: `),
          outcome.message,
        )
        assert.deepEqual(sent, ids.slice(0, stuck), 'what is before it has been taken')
      }
    }),
  )
})

describe('another failure', () => {
  it('stays what it is, and ends the batch there', async () => {
    let calls = 0
    const failure = new Error('no')
    const send = async (events: readonly ChangeEvent[]) => {
      calls++
      if (events.length > 2) throw new TooLarge('', 1, '')
      throw failure
    }
    await assert.rejects(sendInParts(batchOf([1, 1, 1, 1]), send), failure)
    assert.equal(calls, 2)
  })
})

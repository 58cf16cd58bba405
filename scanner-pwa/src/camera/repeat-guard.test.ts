import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCode } from '@gatehouse/proto/code.ts'
import fc from 'fast-check'
import { createRepeatGuard, OUT_OF_SIGHT_MS } from './repeat-guard.ts'

function rotating(ticket: number, slot: number): string {
  return formatCode({ publicKey: new Uint8Array(32).fill(ticket), slot, signature: new Uint8Array(64).fill(slot) })
}

test('a code in view scans once, however long it stays', () => {
  const guard = createRepeatGuard()
  const scans = Array.from({ length: 200 }, (_, frame) => guard.fresh(['A'], frame * 100).length)
  assert.equal(
    scans.reduce((a, b) => a + b),
    1,
  )
})

test('it scans again once it was out of sight for three seconds, not a millisecond before', () => {
  const guard = createRepeatGuard()
  assert.deepEqual(guard.fresh(['A'], 0), ['A'])
  assert.deepEqual(guard.fresh(['A'], OUT_OF_SIGHT_MS - 1), [])
  assert.deepEqual(guard.fresh(['A'], 2 * OUT_OF_SIGHT_MS - 2), [])
  assert.deepEqual(guard.fresh(['A'], 3 * OUT_OF_SIGHT_MS - 2), ['A'])
})

test('another code scans at once, and several in a frame in their order', () => {
  const guard = createRepeatGuard()
  assert.deepEqual(guard.fresh(['A'], 0), ['A'])
  assert.deepEqual(guard.fresh(['B', 'A', 'C', 'B'], 1), ['B', 'C'])
})

test('the next rotating code of the same ticket is the same ticket', () => {
  const guard = createRepeatGuard()
  assert.equal(guard.fresh([rotating(1, 7)], 0).length, 1)
  assert.equal(guard.fresh([rotating(1, 8)], 500).length, 0)
  assert.equal(guard.fresh([rotating(2, 8)], 600).length, 1)
})

test('after "open the ticket again" the fresh code scans at once, the old one does not', () => {
  const guard = createRepeatGuard()
  guard.fresh([rotating(1, 7)], 0)
  guard.expectAnother(rotating(1, 7))
  assert.deepEqual(guard.fresh([rotating(1, 7)], 100), [])
  assert.deepEqual(guard.fresh([rotating(1, 9)], 200), [rotating(1, 9)])
  assert.deepEqual(guard.fresh([rotating(1, 9)], 300), [])
})

test('a code that was not answered can be tried again at once', () => {
  const guard = createRepeatGuard()
  guard.fresh(['A'], 0)
  guard.forget('A')
  assert.deepEqual(guard.fresh(['A'], 1), ['A'])
})

test('whatever the frames show, no code scans twice within three seconds of being seen', () => {
  const frames = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.subarray(['A', 'B', rotating(3, 1)])), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(frames, (shown) => {
      const guard = createRepeatGuard()
      const lastSeen = new Map<string, number>()
      let now = 0
      for (const [gap, payloads] of shown) {
        now += gap
        const scanned = guard.fresh(payloads, now)
        for (const payload of payloads) {
          const before = lastSeen.get(payload)
          assert.equal(scanned.includes(payload), before === undefined || now - before >= OUT_OF_SIGHT_MS)
          lastSeen.set(payload, now)
        }
      }
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCode } from '@gatehouse/proto/code.ts'
import fc from 'fast-check'
import { BESIDE_MS, createRepeatGuard, OUT_OF_SIGHT_MS } from './repeat-guard.ts'

function rotating(ticket: number, slot: number): string {
  return formatCode({ publicKey: new Uint8Array(32).fill(ticket), slot, signature: new Uint8Array(64).fill(slot) })
}

test('a code in view scans once, however long it stays', () => {
  const guard = createRepeatGuard()
  const scans = Array.from({ length: 200 }, (_, frame) => guard.fresh(['A'], frame * 100))
  assert.deepEqual(
    scans.filter((text) => text !== undefined),
    ['A'],
  )
})

test('it scans again once it was out of sight for three seconds, not a millisecond before', () => {
  const guard = createRepeatGuard()
  assert.equal(guard.fresh(['A'], 0), 'A')
  assert.equal(guard.fresh(['A'], OUT_OF_SIGHT_MS - 1), undefined)
  assert.equal(guard.fresh(['A'], 2 * OUT_OF_SIGHT_MS - 2), undefined)
  assert.equal(guard.fresh(['A'], 3 * OUT_OF_SIGHT_MS - 2), 'A')
})

test('another code scans with its second frame, or at once after a hand has moved; of several in a frame the first alone', () => {
  const guard = createRepeatGuard()
  assert.equal(guard.fresh(['A'], 0), 'A')
  assert.equal(guard.fresh(['B', 'A', 'C'], 1), undefined)
  assert.equal(guard.fresh(['B', 'A', 'C'], 2), 'B')
  assert.equal(guard.fresh(['B', 'A', 'C'], 3), undefined)
  // Held up in its turn.
  assert.equal(guard.fresh(['C', 'B'], 4), undefined)
  assert.equal(guard.fresh(['C', 'B'], 5), 'C')
  assert.equal(guard.fresh(['D'], 5 + BESIDE_MS), 'D')
})

test('two codes in view that are read in alternate frames never both count', () => {
  const guard = createRepeatGuard()
  const scanned = Array.from({ length: 200 }, (_, frame) => guard.fresh([frame % 2 === 0 ? 'A' : 'B'], frame * 50))
  assert.deepEqual(
    scanned.filter((text) => text !== undefined),
    ['A'],
  )
  // The first is put away: the other is held up in its turn.
  assert.equal(guard.fresh(['B'], 200 * 50), 'B')
})

test('a code that was read by hand follows another at once', () => {
  const guard = createRepeatGuard()
  assert.equal(guard.fresh(['A'], 0), 'A')
  assert.equal(guard.freshByHand('B', 1), 'B')
  assert.equal(guard.freshByHand('B', 2), undefined)
})

test('a code beside another stays known: it does not count again when it is nearer to the middle', () => {
  const guard = createRepeatGuard()
  guard.fresh(['A'], 0)
  for (let now = 100; now < 9000; now += 100) guard.fresh(['B', 'A'], now)
  assert.equal(guard.fresh(['A', 'B'], 9000), undefined)
})

test('the next rotating code of the same ticket is the same ticket', () => {
  const guard = createRepeatGuard()
  assert.equal(guard.fresh([rotating(1, 7)], 0), rotating(1, 7))
  assert.equal(guard.fresh([rotating(1, 8)], 500), undefined)
  assert.equal(guard.fresh([rotating(2, 8)], 500 + BESIDE_MS), rotating(2, 8))
})

test('after "open the ticket again" the fresh code scans at once, the old one does not', () => {
  const guard = createRepeatGuard()
  guard.fresh([rotating(1, 7)], 0)
  guard.expectAnother(rotating(1, 7))
  assert.equal(guard.fresh([rotating(1, 7)], 100), undefined)
  assert.equal(guard.fresh([rotating(1, 9)], 200), rotating(1, 9))
  assert.equal(guard.fresh([rotating(1, 9)], 300), undefined)
})

test('a code that was not answered can be tried again at once', () => {
  const guard = createRepeatGuard()
  guard.fresh(['A'], 0)
  guard.forget('A')
  assert.equal(guard.fresh(['A'], 1), 'A')
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
        const [first] = payloads
        const before = first === undefined ? undefined : lastSeen.get(first)
        const isNew = first !== undefined && (before === undefined || now - before >= OUT_OF_SIGHT_MS)
        if (scanned !== undefined) assert.ok(isNew && scanned === first)
        if (scanned !== undefined) lastSeen.set(scanned, now)
        for (const payload of payloads)
          if (now - (lastSeen.get(payload) ?? Number.NEGATIVE_INFINITY) < OUT_OF_SIGHT_MS) lastSeen.set(payload, now)
      }
    }),
  )
})

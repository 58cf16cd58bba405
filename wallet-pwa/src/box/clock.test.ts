import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeLoop, type ShownCode } from '../wallet/code-loop.ts'
import { offsetOf, phoneClock, slotTimes, wasSet } from './clock.ts'

test('an offset is wrong by half of the way at most', () => {
  const way = fc.integer({ min: 0, max: 5000 })
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), way, way, (offset, there, back) => {
      const sent = 1.8e12
      const error = offsetOf(sent + there + offset, sent, sent + there + back) - offset
      assert.ok(Math.abs(error) <= (there + back) / 2 + 1)
    }),
  )
})

test('a clock is called wrong from a slot on, and by how much', () => {
  for (const offset of [null, 0, 14_999, -14_999]) assert.deepEqual(phoneClock(offset), { state: 'right' })
  assert.deepEqual(phoneClock(180_000), { state: 'slow', byMs: 180_000 })
  assert.deepEqual(phoneClock(-15_000), { state: 'fast', byMs: 15_000 })
})

test('a clock that was set is found out, either way; one that ran is not', () => {
  const before = { wall: 1_000_000, steady: 500 }
  assert.ok(!wasSet(before, { wall: 1_015_000, steady: 15_500 }))
  assert.ok(wasSet(before, { wall: 1_015_000 + 60_000, steady: 15_500 }))
  assert.ok(wasSet(before, { wall: 1_015_000 - 60_000, steady: 15_500 }))
})

test('elapsed and remaining are one period, in every slot', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (now) => {
      const { slot, elapsedMs, remainingMs } = slotTimes(now)
      assert.equal(elapsedMs + remainingMs, 15_000)
      assert.ok(remainingMs > 0 && elapsedMs >= 0)
      assert.equal(slot, Math.floor(now / 15_000))
    }),
  )
})

/** A clock that the test moves, and the timers that hang on it. */
function hand(start: number) {
  let now = start
  const timers = new Set<{ at: number; run: () => void }>()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async forward(ms: number) {
      const end = now + ms
      await settle()
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        now = Math.max(now, due.at)
        timers.delete(due)
        due.run()
        await settle()
      }
      now = end
      await settle()
    },
    set: (value: number) => {
      now = value
    },
    waiting: () => timers.size,
  }
}

test('each slot has its code, drawn once, at its beginning', async () => {
  const clock = hand(15_000 * 100 + 4000)
  const shown: ShownCode[] = []
  const loop = codeLoop({ ...clock, codeAt: async (slot) => `code ${slot}`, show: (code) => shown.push(code) })
  await clock.forward(61_000)
  assert.deepEqual(
    shown.map(({ text, elapsedMs }) => [text, elapsedMs < 4001]),
    [100, 101, 102, 103, 104].map((slot) => [`code ${slot}`, true]),
  )
  assert.ok(shown.slice(1).every(({ elapsedMs }) => elapsedMs < 20))
  loop.stop()
  await clock.forward(60_000)
  assert.equal(shown.length, 5)
  assert.equal(clock.waiting(), 0)
})

test('a phone that slept, or whose clock was set back, shows the code of now and no old one', async () => {
  const clock = hand(15_000 * 100)
  const shown: number[] = []
  const loop = codeLoop({ ...clock, codeAt: async () => 'x', show: ({ slot }) => shown.push(slot) })
  await clock.forward(0)
  clock.set(15_000 * 500 + 7)
  loop.again()
  await clock.forward(0)
  clock.set(15_000 * 90)
  loop.again()
  await clock.forward(16_000)
  assert.deepEqual(shown, [100, 500, 90, 91])
  assert.equal(clock.waiting(), 1)
  loop.stop()
})

test('a code that took until the next slot is not shown as this one’s', async () => {
  const clock = hand(15_000 * 100 + 14_999)
  const shown: ShownCode[] = []
  const codeAt = async (slot: number) => {
    if (slot === 100) clock.set(15_000 * 101 + 3)
    return `code ${slot}`
  }
  const loop = codeLoop({ ...clock, codeAt, show: (code) => shown.push(code) })
  await clock.forward(0)
  assert.deepEqual(
    shown.map(({ text }) => text),
    ['code 101'],
  )
  loop.stop()
})

test('without a key there is no code, and a key that fails is none', async () => {
  for (const codeAt of [async () => null, async () => Promise.reject(new Error('gone'))]) {
    const clock = hand(0)
    const shown: ShownCode[] = []
    codeLoop({ ...clock, codeAt, show: (code) => shown.push(code) })
    await clock.forward(15_100)
    assert.deepEqual(
      shown.map(({ text }) => text),
      [null, null],
    )
  }
})

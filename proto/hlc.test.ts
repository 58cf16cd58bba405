import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compare, format, HybridLogicalClock, merge, parse, type Timestamp, tick } from './hlc.ts'

const MINUTE = 60_000
const START = 1_785_000_000_000

const timestamp = fc
  .tuple(fc.integer({ min: 0, max: 9_999_999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([ms, count]): Timestamp => ({ ms, count }))

describe('text form', () => {
  it('has a fixed width', () => {
    assert.equal(format({ ms: 1_785_000_000_123, count: 7 }), '1785000000123.000007')
    assert.equal(format({ ms: 0, count: 0 }), '0000000000000.000000')
  })

  it('sorts as the clock does', () => {
    fc.assert(
      fc.property(timestamp, timestamp, (a, b) => {
        const order = Math.sign(compare(a, b))
        const textOrder = format(a) < format(b) ? -1 : format(a) > format(b) ? 1 : 0
        assert.equal(textOrder, order)
      }),
    )
  })

  it('reads back what it wrote', () => {
    fc.assert(fc.property(timestamp, (t) => assert.deepEqual(parse(format(t)), t)))
  })

  const readings: [string, Timestamp | undefined][] = [
    ['5.10', { ms: 5, count: 10 }],
    ['5.9', { ms: 5, count: 9 }],
    ['000000000000000000005.00000000000000009', { ms: 5, count: 9 }],
    ['0.0', { ms: 0, count: 0 }],
    ['9999999999999.999999', { ms: 9_999_999_999_999, count: 999_999 }],
    ['99999999999999.0', undefined],
    ['1.1000000', undefined],
    ['1', undefined],
    ['.1', undefined],
    ['1.', undefined],
    ['1.2.3', undefined],
    ['-1.0', undefined],
    ['1e3.0', undefined],
    [' 1.0', undefined],
    ['1.0\n', undefined],
    ['١.٠', undefined],
    ['', undefined],
  ]
  for (const [text, expected] of readings) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parse(text), expected))
  }

  it('never throws on any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parse(text)))
  })
})

describe('laws', () => {
  it('a reading is after the one before, and never behind the wall clock', () => {
    fc.assert(
      fc.property(timestamp, fc.integer({ min: 0, max: 9_999_999_999_999 }), (last, wall) => {
        const reading = tick(last, wall)
        assert.ok(compare(reading, last) > 0)
        assert.ok(reading.ms >= wall)
      }),
    )
  })

  it('a merged reading is after both', () => {
    fc.assert(
      fc.property(timestamp, timestamp, fc.integer({ min: 0, max: 9_999_999_999_999 }), (last, remote, wall) => {
        const reading = merge(last, remote, wall)
        assert.ok(compare(reading, last) > 0)
        assert.ok(compare(reading, remote) > 0)
      }),
    )
  })

  it('a cause is before its effect on any exchange of messages between skewed clocks, and drift stays bounded', () => {
    const SKEW = 5_000
    const step = fc.record({
      from: fc.nat(3),
      to: fc.nat(3),
      elapsed: fc.nat(50),
      kind: fc.constantFrom('local', 'message'),
    })
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -SKEW, max: SKEW }), { minLength: 4, maxLength: 4 }),
        fc.array(step, { maxLength: 200 }),
        (skews, steps) => {
          let real = START
          const clocks = skews.map(
            (skew) => new HybridLogicalClock({ wallClock: () => real + skew, maxOffsetMs: 3 * SKEW }),
          )
          const seen: Timestamp[] = skews.map(() => ({ ms: 0, count: 0 }))
          for (const { from, to, elapsed, kind } of steps) {
            real += elapsed
            const sender = clocks[from] as HybridLogicalClock
            const sent = sender.now()
            assert.ok(compare(sent, seen[from] as Timestamp) > 0)
            seen[from] = sent
            if (kind === 'message') {
              const receiver = clocks[to] as HybridLogicalClock
              assert.equal(receiver.receive(format(sent)).merged, true)
              const received = receiver.now()
              assert.ok(compare(received, sent) > 0, 'the effect is after its cause')
              assert.ok(compare(received, seen[to] as Timestamp) > 0)
              seen[to] = received
            }
            for (const reading of seen)
              assert.ok(reading.ms <= real + SKEW, 'no clock runs ahead of the fastest wall clock')
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a box', () => {
  it('goes on counting when the wall clock jumps an hour back', () => {
    let wall = START
    const clock = new HybridLogicalClock({ wallClock: () => wall, maxOffsetMs: MINUTE })
    const before = clock.now()
    wall -= 60 * MINUTE
    assert.deepEqual(clock.now(), { ms: before.ms, count: before.count + 1 })
  })

  it('is monotone through a restart at any point with the wall clock an hour back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -60 * MINUTE, max: MINUTE }), { minLength: 1, maxLength: 50 }),
        (jumps) => {
          let wall = START
          let clock = new HybridLogicalClock({ wallClock: () => wall, maxOffsetMs: MINUTE })
          let last = clock.now()
          for (const jump of jumps) {
            wall = Math.max(0, wall + jump)
            clock = new HybridLogicalClock({ wallClock: () => wall, maxOffsetMs: MINUTE, floor: last })
            const reading = clock.now()
            assert.ok(compare(reading, last) > 0)
            last = reading
          }
        },
      ),
    )
  })

  it('moves to the next millisecond when a counter is full', () => {
    const clock = new HybridLogicalClock({
      wallClock: () => START,
      maxOffsetMs: MINUTE,
      floor: { ms: START, count: 999_998 },
    })
    assert.deepEqual(clock.now(), { ms: START, count: 999_999 })
    assert.deepEqual(clock.now(), { ms: START + 1, count: 0 })
    assert.deepEqual(clock.now(), { ms: START + 1, count: 1 })
  })

  it('gives a million different, growing readings within one millisecond of wall time', () => {
    const clock = new HybridLogicalClock({ wallClock: () => START, maxOffsetMs: MINUTE })
    let last = clock.now()
    for (let i = 0; i < 1_000_000; i++) {
      const reading = clock.now()
      if (compare(reading, last) <= 0) assert.fail('not monotone')
      last = reading
    }
    assert.deepEqual(last, { ms: START + 1, count: 0 })
  })

  const hostile: [string, string, string][] = [
    ['a day ahead', format({ ms: START + 86_400_000, count: 0 }), 'too_far_ahead'],
    ['a minute and a millisecond ahead', format({ ms: START + MINUTE + 1, count: 0 }), 'too_far_ahead'],
    ['the largest reading', '9999999999999.999999', 'too_far_ahead'],
    ['beyond every reading', '99999999999999999999.0', 'unreadable'],
    ['nonsense', 'now.soon', 'unreadable'],
  ]
  for (const [what, text, reason] of hostile) {
    it(`is not moved by a device clock: ${what}`, () => {
      const clock = new HybridLogicalClock({ wallClock: () => START, maxOffsetMs: MINUTE })
      const before = clock.now()
      assert.deepEqual(clock.receive(text), { merged: false, reason })
      assert.deepEqual(clock.now(), { ms: before.ms, count: before.count + 1 })
    })
  }

  it('believes a device up to a minute ahead, and one far behind changes nothing', () => {
    const clock = new HybridLogicalClock({ wallClock: () => START, maxOffsetMs: MINUTE })
    assert.deepEqual(clock.receive('1.0'), { merged: true, offsetMs: 1 - START })
    assert.deepEqual(clock.now(), { ms: START, count: 0 })
    assert.deepEqual(clock.receive(format({ ms: START + MINUTE, count: 3 })), { merged: true, offsetMs: MINUTE })
    assert.deepEqual(clock.now(), { ms: START + MINUTE, count: 4 })
  })
})

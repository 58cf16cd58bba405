import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ShownCode } from '../tickets/codes.ts'
import { PhoneClocks } from './phone-clocks.ts'

const SLOT = 15_000
const T0 = 1_783_162_800_000 // at the beginning of a slot

const shown = (unixMs: number, phone = 1): ShownCode => ({
  kind: 'rotating',
  codeHash: Buffer.alloc(16, phone),
  slot: Math.floor(unixMs / SLOT),
  publicKey: Buffer.alloc(32, phone),
})

/** Readings of one phone's codes: when each was made and when it was scanned, in seconds. */
function said(scans: readonly (readonly [made: number, scanned: number])[]): boolean[] {
  const clocks = new PhoneClocks()
  return scans.map(([made, scanned]) => clocks.isSteady(shown(T0 + made * 1000), T0 + scanned * 1000))
}

for (const [what, scans, expected] of [
  [
    'a phone that is ten minutes behind',
    [
      [0, 600],
      [30, 630],
      [61, 661],
    ],
    [false, true, true],
  ],
  [
    'a phone that is ten minutes ahead',
    [
      [600, 0],
      [630, 30],
    ],
    [false, true],
  ],
  [
    'a phone that is right',
    [
      [0, 0],
      [30, 31],
      [60, 74],
    ],
    [false, false, false],
  ],
  [
    'a screenshot, shown again and again',
    [
      [0, 600],
      [0, 615],
      [0, 660],
    ],
    [false, false, false],
  ],
  [
    'a screenshot, shown twice within its slot',
    [
      [0, 600],
      [0, 600],
    ],
    [false, false],
  ],
  [
    'a new screenshot each time, of any age',
    [
      [0, 600],
      [30, 300],
      [60, 2000],
    ],
    [false, false, false],
  ],
  [
    'ages that differ by one slot: the scan falls anywhere in one',
    [
      [0, 600],
      [30, 645],
    ],
    [false, true],
  ],
  [
    'ages that differ by two slots',
    [
      [0, 600],
      [30, 660],
    ],
    [false, false],
  ],
  [
    'a phone whose clock is set right, and is wrong again',
    [
      [0, 600],
      [630, 630],
      [60, 660],
    ],
    [false, false, false],
  ],
  [
    'a phone that is a slot behind is right enough',
    [
      [0, 15],
      [30, 45],
    ],
    [false, false],
  ],
  [
    'a phone that is two slots behind is not',
    [
      [0, 30],
      [30, 60],
    ],
    [false, true],
  ],
] as const) {
  test(`${what}: ${expected.map((steady) => (steady ? 'its clock' : 'no')).join(', ')}`, () => {
    assert.deepEqual(said(scans), expected)
  })
}

test('a clock that is off by the same amount is steady wherever in their slots the scans fall', () => {
  const moment = fc.integer({ min: 0, max: 3_600_000 })
  const off = fc.integer({ min: 30_000, max: 86_400_000 }).chain((ms) => fc.constantFrom(ms, -ms))
  fc.assert(
    fc.property(off, moment, moment, (off, first, second) => {
      const clocks = new PhoneClocks()
      const at = (ms: number) => clocks.isSteady(shown(T0 + ms - off), T0 + ms)
      const slots = [first, second].map((ms) => Math.floor((T0 + ms - off) / SLOT))
      assert.equal(at(first), false)
      assert.equal(at(second), slots[0] !== slots[1])
    }),
  )
})

test('one phone says nothing of another', () => {
  const clocks = new PhoneClocks()
  assert.equal(clocks.isSteady(shown(T0, 1), T0 + 600_000), false)
  assert.equal(clocks.isSteady(shown(T0 + 30_000, 2), T0 + 630_000), false)
  assert.equal(clocks.isSteady(shown(T0 + 30_000, 1), T0 + 630_000), true)
})

test('what is not a rotating code has no clock', () => {
  const clocks = new PhoneClocks()
  assert.equal(clocks.isSteady(undefined, T0), false)
  assert.equal(clocks.isSteady({ kind: 'static', codeHash: Buffer.alloc(16, 1) }, T0), false)
})

test('a flood of other phones pushes out those that were seen longest ago, and no more', () => {
  const clocks = new PhoneClocks()
  const phone = (n: number, made: number): ShownCode => {
    const codeHash = Buffer.alloc(16)
    codeHash.writeUInt32BE(n)
    return { kind: 'rotating', codeHash, slot: Math.floor((T0 + made) / SLOT), publicKey: Buffer.alloc(32) }
  }
  for (let n = 0; n < 4097; n++) clocks.isSteady(phone(n, 0), T0 + 600_000)
  assert.equal(clocks.isSteady(phone(1, 30_000), T0 + 630_000), true, 'still known')
  assert.equal(clocks.isSteady(phone(0, 30_000), T0 + 630_000), false, 'forgotten')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nearest, slipsBetween } from './spelling.ts'

test('guesses what was meant, and does not guess wildly', () => {
  const fields = ['day', 'festival', 'once_per_day', 'starts_at', 'ends_at']
  for (const [word, guess] of [
    ['dya', 'day'],
    ['Day', 'day'],
    ['dy', 'day'],
    ['start_at', 'starts_at'],
    ['stats_at', 'starts_at'],
    ['end_at', 'ends_at'],
    ['once-per-day', 'once_per_day'],
    ['festivla', 'festival'],
    ['xyz', undefined],
    ['capacity', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(nearest(word, fields), guess, word)
  }
})

test('finds any word after one slip', () => {
  const word = fc.stringMatching(/^[a-z]{3,20}$/)
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom('drop', 'double', 'swap'), (meant, at, slip) => {
      const i = at % (meant.length - 1)
      const [before, a, b, after] = [meant.slice(0, i), meant[i], meant[i + 1], meant.slice(i + 2)]
      const typed = {
        drop: `${before}${b}${after}`,
        double: `${before}${a}${a}${b}${after}`,
        swap: `${before}${b}${a}${after}`,
      }
      assert.equal(nearest(typed[slip as keyof typeof typed], [meant, `${meant}${meant}zz`]), meant)
    }),
  )
})

test('a hostile word is cheap to refuse', () => {
  assert.equal(nearest('x'.repeat(1e6), ['day', 'festival']), undefined)
  assert.equal(nearest('x'.repeat(1e5), ['y'.repeat(1e5), `${'x'.repeat(1e5 - 1)}z`]), `${'x'.repeat(1e5 - 1)}z`)
})

test('slips are counted as without a bound, up to the bound', () => {
  // Few letters, so that words are often near.
  const word = fc.stringMatching(/^[abc]{0,9}$/)
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
      const [slips, bounded] = [plainSlips(a, b), slipsBetween(a, b, most)]
      if (slips <= most) assert.equal(bounded, slips)
      else assert.ok(bounded > most, `${bounded}, not ${slips}`)
    }),
    { numRuns: 3000 },
  )
})

/** Optimal string alignment distance as it is defined, with the whole table. */
function plainSlips(a: string, b: string): number {
  const table: number[][] = []
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 0; i <= a.length; i++) {
    table[i] = []
    for (let j = 0; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const slips = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      ;(table[i] as number[])[j] = i + j === 0 ? 0 : slips
    }
  }
  return at(a.length, b.length)
}

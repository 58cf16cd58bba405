import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nearest } from './spelling.ts'

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
})

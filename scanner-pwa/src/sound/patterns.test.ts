import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERDICT_CLASSES } from '@gatehouse/proto/ui/verdict-class.ts'
import { ALARM, lengthOf, PATTERNS, type Pattern } from './patterns.ts'

/** A pattern as an ear without pitch hears it: how many tones, and whether they stay, rise, fall or glide. */
function movement({ tones }: Pattern): string {
  return tones
    .map(({ from, to }, i) => {
      if (to !== undefined) return to > from ? 'glides up' : 'glides down'
      const before = tones[i - 1]?.from
      return before === undefined ? 'starts' : from > before ? 'rises' : from < before ? 'falls' : 'stays'
    })
    .join(', ')
}

const all = [...VERDICT_CLASSES.map((name) => [name, PATTERNS[name]] as const), ['alarm', ALARM] as const]

test('no two move in the same way, and no two feel the same', () => {
  const movements = new Map(all.map(([name, pattern]) => [movement(pattern), name]))
  assert.equal(movements.size, all.length, [...movements.keys()].join('; '))
  assert.equal(new Set(all.map(([, { vibration }]) => vibration.join())).size, all.length)
})

test('every refusal is louder and longer than an admission, and all are over before the next person', () => {
  for (const name of VERDICT_CLASSES) {
    const pattern = PATTERNS[name]
    assert.ok(lengthOf(pattern) <= 1200, name)
    if (name === 'admit' || name === 'exit') continue
    for (const good of [PATTERNS.admit, PATTERNS.exit]) {
      assert.ok(pattern.loudness > good.loudness, name)
      assert.ok(lengthOf(pattern) >= 2 * lengthOf(good), name)
    }
  }
})

test('a phone can play them: its loudspeaker, and its motor', () => {
  for (const [name, { tones, loudness, vibration }] of all) {
    assert.ok(loudness > 0 && loudness <= 1, name)
    for (const { from, to = from, ms } of tones) {
      assert.ok(Math.min(from, to) >= 120 && Math.max(from, to) <= 4000, name)
      assert.ok(ms >= 30, name)
    }
    assert.ok(vibration.length % 2 === 1, `${name} ends with a vibration`)
    assert.ok(
      vibration.every((ms) => ms >= 30 && ms <= 1000),
      name,
    )
  }
})

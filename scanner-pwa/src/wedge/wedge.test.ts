import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Press, type PressResult, press, QUIET, SILENCE_MS, silence } from './wedge.ts'

const character = fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789 $%*+-./:abcxyz-_=é')
const code = fc.array(character, { minLength: 4, maxLength: 200 }).map((letters) => letters.join(''))

/** Types `keys` with the gaps between them, then is silent. What was scanned, in order. */
function type(keys: readonly Press[]): { scanned: string[]; heard: PressResult[] } {
  const scanned: string[] = []
  const heard: PressResult[] = []
  let burst = QUIET
  for (const key of keys) {
    const one = press(burst, key)
    burst = one.burst
    heard.push(one)
    if (one.scanned !== undefined) scanned.push(one.scanned)
  }
  const rest = silence(burst).scanned
  if (rest !== undefined) scanned.push(rest)
  return { scanned, heard }
}

function keysOf(text: string, gaps: readonly number[], from = 1000): Press[] {
  let at = from
  return [...text].map((key, i) => {
    if (i > 0) at += gaps[i % gaps.length] ?? 0
    return { key, at }
  })
}

test('a burst that ends with Enter or Tab is one code, and its end presses nothing', () => {
  fc.assert(
    fc.property(
      code,
      fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20 }),
      fc.constantFrom('Enter', 'Tab'),
      (text, gaps, end) => {
        const keys = keysOf(text, gaps)
        const { scanned, heard } = type([...keys, { key: end, at: (keys.at(-1)?.at ?? 0) + 10 }])
        assert.deepEqual(scanned, [text])
        assert.ok(heard.slice(1).every((one) => one.swallow))
      },
    ),
  )
})

test('a burst that ends with silence is one code, and the next burst another', () => {
  fc.assert(
    fc.property(code, code, fc.integer({ min: 0, max: 30 }), (first, second, gap) => {
      const keys = keysOf(first, [gap])
      const later = keysOf(second, [gap], (keys.at(-1)?.at ?? 0) + SILENCE_MS + 1)
      assert.deepEqual(type([...keys, ...later]).scanned, [first, second])
    }),
  )
})

test('no typing by hand scans, however it ends', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(character, fc.integer({ min: 45, max: 400 })), { minLength: 1, maxLength: 60 }),
      fc.constantFrom('Enter', 'Tab', 'Escape', 'Backspace'),
      (typed, end) => {
        let at = 500
        const keys = typed.map(([key, gap]) => {
          at += gap
          return { key, at }
        })
        const { scanned, heard } = type([...keys, { key: end, at: at + 60 }])
        assert.deepEqual(scanned, [])
        assert.ok(heard.every((one) => !one.swallow))
      },
    ),
  )
})

test('a key held down is not a scanner, and neither is a command', () => {
  const held = keysOf('aaaaaaaaaaaa', [33]).map((key, i) => ({ ...key, repeat: i > 0 }))
  assert.deepEqual(type([...held, { key: 'Enter', at: 2000 }]).scanned, [])
  const commands = keysOf('acvxz', [5]).map((key) => ({ ...key, command: true }))
  assert.deepEqual(type(commands).scanned, [])
})

test('Shift between the letters is not a part of the code', () => {
  const { scanned } = type([
    ...[...'GaTe1'].flatMap((key, i) => [
      { key: 'Shift', at: 1000 + i * 8 },
      { key, at: 1004 + i * 8 },
    ]),
    { key: 'Enter', at: 1050 },
  ])
  assert.deepEqual(scanned, ['GaTe1'])
})

test('what was typed long before is not a part of the code', () => {
  const { scanned } = type([{ key: 'q', at: 0 }, ...keysOf('TICKET77', [4], 500), { key: 'Enter', at: 540 }])
  assert.deepEqual(scanned, ['TICKET77'])
})

test('a device that never stops fills no memory', () => {
  let burst = QUIET
  for (let i = 0; i < 10_000; i++) {
    burst = press(burst, { key: 'x', at: i }).burst
    assert.ok(burst.text.length <= 2048)
  }
})

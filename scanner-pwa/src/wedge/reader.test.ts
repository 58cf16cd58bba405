import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createWedgeReader } from './reader.ts'
import { PATIENCE_MS, type Press, SILENCE_MS } from './wedge.ts'

/** The page can do nothing between these moments, ms. */
interface Stall {
  from: number
  to: number
}

/** While a key waits, so many other tasks may go before it, and no more. */
const OVERTAKEN = 2

/** A page's main thread with a made-up clock: keys and timers wait while it is busy, and then timers go first where they may. */
class MainThread {
  readonly scanned: string[] = []
  readonly #stalls: readonly Stall[]
  readonly #timers = new Set<{ due: number; act: () => void }>()
  #now = 0

  constructor(stalls: readonly Stall[]) {
    this.#stalls = stalls.toSorted((a, b) => a.from - b.from)
  }

  /** All keys, each at its time or as soon as the thread is free; then silence. @param leave is told of each key that nobody swallows */
  run(keys: readonly Press[], leave: (key: string) => void = () => undefined): string[] {
    const timers = {
      after: (ms: number, act: () => void) => {
        const timer = { due: this.#now + ms, act }
        this.#timers.add(timer)
        return timer
      },
      cancel: (timer: { due: number; act: () => void }) => void this.#timers.delete(timer),
    }
    const reader = createWedgeReader(timers, (text) => this.scanned.push(text))
    const waiting = [...keys]
    let overtaken = 0
    for (;;) {
      const [key] = waiting
      const [timer] = [...this.#timers].toSorted((a, b) => a.due - b.due)
      if (!key && !timer) return this.scanned
      this.#goTo(Math.min(key?.at ?? Infinity, timer?.due ?? Infinity))
      const keyMay = key !== undefined && key.at <= this.#now
      const timerMay = timer !== undefined && timer.due <= this.#now
      if (timerMay && !(keyMay && overtaken >= OVERTAKEN)) {
        if (keyMay) overtaken += 1
        this.#timers.delete(timer)
        timer.act()
      } else if (key && keyMay) {
        overtaken = 0
        waiting.shift()
        if (!reader.press(key)) leave(key.key)
      }
    }
  }

  #goTo(moment: number): void {
    this.#now = Math.max(this.#now, moment)
    for (const { from, to } of this.#stalls) if (from <= this.#now && this.#now < to) this.#now = to
  }
}

interface Code {
  text: string
  gapMs: number
  end: 'Enter' | 'Tab' | null
  /** From its last letter to its end; as between its letters where nothing is said. */
  endMs?: number
  /** From its last letter to the next code. */
  thenMs: number
}

const character = fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-')
const code = (thenMs: fc.Arbitrary<number>): fc.Arbitrary<Code> =>
  fc.record({
    text: fc.array(character, { minLength: 4, maxLength: 24 }).map((letters) => letters.join('')),
    gapMs: fc.integer({ min: 1, max: 30 }),
    end: fc.constantFrom('Enter', 'Tab', null),
    endMs: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: PATIENCE_MS + 100 })),
    thenMs,
  })
const stall = fc
  .tuple(fc.integer({ min: 900, max: 8000 }), fc.integer({ min: 1, max: 3000 }))
  .map(([from, length]) => ({ from, to: from + length }))

function keysOf(codes: readonly Code[]): Press[] {
  let at = 1000
  return codes.flatMap(({ text, gapMs, end, endMs = gapMs, thenMs }) => {
    const letters: Press[] = [...text].map((key, i) => ({ key, at: at + i * gapMs }))
    const endAt = (letters.at(-1)?.at ?? at) + endMs
    const keys = end === null ? letters : [...letters, { key: end, at: endAt }]
    at = (keys.at(-1)?.at ?? at) + thenMs
    return keys
  })
}

test('a page that is busy at any time, for any time, reads the same codes as one that is not', () => {
  const codes = fc.array(code(fc.integer({ min: 1, max: 2000 })), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(codes, fc.array(stall, { maxLength: 12 }), (all, stalls) => {
      const keys = keysOf(all)
      assert.deepEqual(new MainThread(stalls).run(keys), new MainThread([]).run(keys))
    }),
    { numRuns: 1000 },
  )
})

test('scanners with and without an end take turns, and each code is read whole', () => {
  const codes = fc.array(code(fc.integer({ min: PATIENCE_MS + 1, max: 2000 })), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(codes, fc.array(stall, { maxLength: 12 }), (all, stalls) => {
      assert.deepEqual(
        new MainThread(stalls).run(keysOf(all)),
        all.map(({ text }) => text),
      )
    }),
  )
})

test('one scanner without an end is read as fast as it can scan', () => {
  const one = { text: 'TICKET-12', gapMs: 5, end: null, thenMs: SILENCE_MS + 1 }
  const keys = keysOf([one, one, one])
  assert.deepEqual(new MainThread([]).run(keys), ['TICKET-12', 'TICKET-12', 'TICKET-12'])
})

test('the beginning of a code, the rest of which waits while the page is busy, is not a code', () => {
  const first = { text: 'TICKET-1', gapMs: 5, end: null, thenMs: 2000 }
  const second = { text: 'TICKET-12', gapMs: 5, end: null, thenMs: 2000 }
  // Busy from before the last letter: the timer is called before it.
  const keys = keysOf([first, second])
  const last = keys.at(-1)?.at ?? 0
  assert.deepEqual(new MainThread([{ from: last - 2, to: last + 700 }]).run(keys), ['TICKET-1', 'TICKET-12'])
})

test('a scanner that ends with Enter may pause within a code, as wireless ones do', () => {
  const first = { text: 'TICKET-1', gapMs: 5, end: 'Enter' as const, thenMs: 2000 }
  const keys = keysOf([first, { ...first, text: 'TICKET-12' }])
  // Half of the second comes 300 ms later.
  const half = keys.length - 5
  const paused = keys.map((key, i) => (i < half ? key : { ...key, at: key.at + 300 }))
  assert.deepEqual(new MainThread([]).run(paused), ['TICKET-1', 'TICKET-12'])
})

/** The codes that the page is told, and the keys that the reader leaves to it. */
function runAlone(keys: readonly Press[]): { scanned: string[]; left: string[] } {
  const left: string[] = []
  return { scanned: new MainThread([]).run(keys, (key) => left.push(key)), left }
}

test('an Enter that is late is the scanner’s from the first code on, also after the code was taken without it', () => {
  for (const endMs of [SILENCE_MS + 1, 300, PATIENCE_MS]) {
    const late = { text: 'TICKET-12', gapMs: 5, end: 'Enter' as const, endMs, thenMs: 2000 }
    // Only the first letter of each is left: it might be a person's.
    assert.deepEqual(runAlone(keysOf([late, late])), { scanned: ['TICKET-12', 'TICKET-12'], left: ['T', 'T'] })
    const endless = { ...late, end: null }
    assert.deepEqual(runAlone(keysOf([endless, late, late])).left, ['T', 'T', 'T'])
    assert.deepEqual(runAlone(keysOf([endless, late, late])).scanned, ['TICKET-12', 'TICKET-12', 'TICKET-12'])
  }
  const tooLate = { text: 'TICKET-12', gapMs: 5, end: 'Enter' as const, endMs: PATIENCE_MS + 1, thenMs: 2000 }
  assert.deepEqual(runAlone(keysOf([tooLate])), { scanned: ['TICKET-12'], left: ['T', 'Enter'] })
})

test('a pause splits the first code alone: its Enter says what the scanner is, and the next code is whole', () => {
  const text = 'TICKET-12'
  const one = { text, gapMs: 5, end: 'Enter' as const, thenMs: 2000 }
  const endless = { ...one, text: 'OTHER-1', end: null }
  for (const before of [[], [endless]])
    for (let cut = 4; cut < text.length; cut++) {
      const keys = keysOf([...before, one, one])
      const from = keysOf(before).length
      const paused = keys.map((key, i) => {
        const isSecond = i >= from + text.length + 1
        const place = i - from - (isSecond ? text.length + 1 : 0)
        return { ...key, at: key.at + (isSecond ? 300 : 0) + (place >= cut ? 300 : 0) }
      })
      const { scanned, left } = runAlone(paused)
      const rest = text.slice(cut)
      const parts = [text.slice(0, cut), ...(rest.length < 4 ? [] : [rest])]
      assert.deepEqual(scanned, [...before.map((code) => code.text), ...parts, text])
      assert.ok(!left.includes('Enter'))
    }
})

test('a letter and Enter by hand, right after a code, press what they press', () => {
  const keys = keysOf([{ text: 'TICKET-12', gapMs: 5, end: null, thenMs: 1000 }])
  const last = keys.at(-1)?.at ?? 0
  const byHand = (gap: number) => [
    { key: 'a', at: last + gap },
    { key: 'Enter', at: last + gap + 60 },
  ]
  assert.ok(runAlone([...keys, ...byHand(PATIENCE_MS + 1)]).left.includes('Enter'))
  const typed = [{ key: 'b', at: last + 200 }, ...byHand(290)]
  assert.ok(runAlone([...keys, ...typed]).left.includes('Enter'))
})

test('a rest that comes after the beginning was taken makes the whole code, and no code of its own', () => {
  const scanned: string[] = []
  const due: (() => void)[] = []
  const timers = {
    after: (_: number, act: () => void) => due.push(act),
    cancel: (timer: number) => delete due[timer - 1],
  }
  const reader = createWedgeReader(timers, (text) => scanned.push(text))
  const keys = [...'TICKET-12', 'Enter'].map((key, i) => ({ key, at: 1000 + i * 5 }))
  for (const key of keys.slice(0, 6)) reader.press(key)
  // The whole browser stood still, and not the page alone.
  for (let i = 0; i < due.length; i++) due[i]?.()
  for (const key of keys.slice(6)) assert.ok(reader.press(key))
  assert.deepEqual(scanned, ['TICKET', 'TICKET-12'])
})

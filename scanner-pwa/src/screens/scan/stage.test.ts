import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERDICT_CLASSES } from '@gatehouse/proto/ui/verdict-class.ts'
import fc from 'fast-check'
import { arrive, CLEARS_AFTER_MS, clear, dueAt, EMPTY, pin, type Stage, type Staged, settle } from './stage.ts'

const admit = { scanId: 'a', class: 'admit' } as const
const used = { scanId: 'u', class: 'used' } as const
const empty: Stage<Staged> = EMPTY

test('an admission clears by itself, a refusal stays', () => {
  const admitted = arrive(empty, admit, 1000)
  assert.equal(dueAt(admitted), 1000 + CLEARS_AFTER_MS)
  assert.equal(settle(admitted, 1000 + CLEARS_AFTER_MS - 1).shown, admit)
  assert.equal(settle(admitted, 1000 + CLEARS_AFTER_MS).shown, null)
  const refused = arrive(empty, used, 1000)
  assert.equal(dueAt(refused), null)
  assert.equal(settle(refused, 1e9).shown, used)
  assert.equal(clear(refused, 2000).shown, null)
})

test('the next code replaces a refusal, but not before it was seen', () => {
  const both = arrive(arrive(empty, used, 0), admit, 10)
  assert.equal(both.shown, used)
  assert.equal(dueAt(both), 600)
  assert.equal(settle(both, 599).shown, used)
  assert.equal(settle(both, 600).shown, admit)
  assert.equal(arrive(arrive(empty, used, 0), admit, 700).shown, admit)
})

test('a tap shows the one that waits at once', () => {
  assert.equal(clear(arrive(arrive(empty, used, 0), admit, 10), 20).shown, admit)
})

test('one that is pinned does not clear by itself', () => {
  const pinned = pin(arrive(empty, admit, 0))
  assert.equal(dueAt(pinned), null)
  assert.equal(settle(pinned, 1e9).shown, admit)
})

test('whatever arrives when: every verdict is shown, in order, and every refusal for 600 ms', () => {
  const arrivals = fc.array(fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.constantFrom(...VERDICT_CLASSES)), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(arrivals, (list) => {
      const shown: { scanId: string; class: string; from: number; to: number }[] = []
      let stage = empty
      let now = 0
      const become = (after: Stage<Staged>) => {
        const last = shown.at(-1)
        if (after.shown === stage.shown) {
          stage = after
          return
        }
        if (last && stage.shown) last.to = now
        if (after.shown) shown.push({ ...after.shown, from: now, to: Number.POSITIVE_INFINITY })
        stage = after
      }
      const runTimersUntil = (until: number) => {
        for (let due = dueAt(stage); due !== null && due <= until; due = dueAt(stage)) {
          now = due
          become(settle(stage, now))
        }
        now = until
      }
      for (const [i, [gap, name]] of list.entries()) {
        runTimersUntil(now + gap)
        become(arrive(stage, { scanId: String(i), class: name }, now))
      }
      runTimersUntil(now + 60_000)
      assert.deepEqual(
        shown.map(({ scanId }) => scanId),
        list.map((_, i) => String(i)),
      )
      for (const one of shown) {
        assert.ok(one.to - one.from >= (one.class === 'admit' || one.class === 'exit' ? 250 : 600))
      }
    }),
  )
})

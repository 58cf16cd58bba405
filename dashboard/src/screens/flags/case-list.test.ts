import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Flag } from '@gatehouse/proto/wire/admin.ts'
import { computed, effect, signal } from '@preact/signals'
import { actionWords as words } from '../../words/late.ts'
import { type Choice, countOf } from './case.ts'
import { type CaseList, caseList } from './case-list.ts'

const { none, noneOfKind } = words.flags
const OPEN: Choice = { state: 'open', kind: null }

const figuresOf = (open: number) => ({ flags_by_kind: { double_use: { open, resolved: 0 } } })
const flag = (id: string) => ({ id, kind: 'double_use' }) as Partial<Flag> as Flag

/** A box with its cases, and the figures that have arrived of it. */
function boxWith(...flags: Flag[]) {
  const box = { flags, asked: 0 }
  const stats = signal<ReturnType<typeof figuresOf> | null>(null)
  const fetch = async () => {
    box.asked += 1
    return { rows: [...box.flags], next: null }
  }
  return Object.assign(box, { stats, fetch })
}

/** Looks at the screen after every change. @returns how often it counted open cases and said that there is none */
function contradictions(list: CaseList, stats: ReturnType<typeof boxWith>['stats']): () => number {
  const { cases } = list
  const ends = computed(() => cases.state.value === 'end' && cases.rows.value.length === 0)
  let found = 0
  effect(() => {
    if (ends.value && list.none.value === none.open && (countOf(OPEN, stats.value) ?? 0) > 0) found += 1
  })
  return () => found
}

test('where cases are open, but none of the chosen kind, the list says just that', async () => {
  const box = boxWith(flag('a'))
  box.stats.value = figuresOf(1)
  const list = caseList({ choice: { state: 'open', kind: 'clock_skew' }, ...box })
  const found = contradictions(list, box.stats)
  const stop = list.follow()
  await setImmediate()
  assert.deepEqual([list.cases.rows.value, list.cases.state.value], [[], 'end'])
  assert.equal(list.none.value, noneOfKind.open)
  list.set({ state: 'resolved' })
  assert.equal(list.none.value, noneOfKind.resolved)
  assert.equal(found(), 0)
  list.set({ state: 'open', kind: null })
  await setImmediate()
  assert.deepEqual(list.cases.rows.value, box.flags)
  stop()
})

test('a case that opens while none is listed is listed with the figures that count it', async () => {
  const box = boxWith()
  box.stats.value = figuresOf(0)
  const list = caseList({ choice: OPEN, ...box })
  const found = contradictions(list, box.stats)
  const stop = list.follow()
  await setImmediate()
  assert.equal(list.none.value, none.open)
  box.flags.push(flag('a'))
  box.stats.value = figuresOf(1)
  await setImmediate()
  assert.deepEqual(list.cases.rows.value, box.flags)
  assert.equal(list.changed.value, false)
  assert.equal(found(), 0)
  // Somebody may be reading it: from here on a person decides when the list changes.
  box.stats.value = figuresOf(2)
  await setImmediate()
  assert.deepEqual([list.changed.value, box.asked], [true, 2])
  stop()
})

test('a case that opened between the list and the first figures is listed', async () => {
  const box = boxWith()
  const list = caseList({ choice: OPEN, ...box })
  const found = contradictions(list, box.stats)
  const stop = list.follow()
  await setImmediate()
  box.flags.push(flag('a'))
  box.stats.value = figuresOf(1)
  await setImmediate()
  assert.deepEqual([list.cases.rows.value, found()], [box.flags, 0])
  stop()
})

test('a case that was resolved elsewhere is neither listed nor denied until the figures have heard of it', async () => {
  const box = boxWith()
  box.stats.value = figuresOf(1)
  const list = caseList({ choice: OPEN, ...box })
  const found = contradictions(list, box.stats)
  const stop = list.follow()
  await setImmediate()
  assert.equal(list.none.value, words.list.loading)
  assert.equal(box.asked, 2, 'the box is asked again once, and not in a circle')
  box.stats.value = figuresOf(1)
  await setImmediate()
  assert.equal(box.asked, 3, 'and once more with the next figures')
  box.stats.value = figuresOf(0)
  await setImmediate()
  assert.equal(list.none.value, none.open)
  assert.deepEqual([list.changed.value, found()], [false, 0])
  stop()
})

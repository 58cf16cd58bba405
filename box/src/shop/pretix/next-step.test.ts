/** The next question to pretix: each line of the table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffOf, intervalOf, type Moment, nextStep } from './next-step.ts'
import { newState } from './state.ts'

const NOW = 1_000_000_000
const HOUR_MS = 3_600_000
const full = { page: 3, load: 1, orders: 900, checked: null, digest: 'd' }
const read = { ...newState('pretix/x/o/e'), cursor: '2026-07-04T10:00:00.000Z', comparedAt: NOW - HOUR_MS, digest: 'd' }

function at(more: Partial<Moment>, state: Partial<Moment['state']> = {}) {
  const moment: Moment = {
    ...{ now: NOW, state: { ...read, ...state }, catalogAt: NOW - 1_000, changesAt: NOW - 500 },
    ...{ isNear: true, wantedAt: 0, digest: 'd', slower: 1, ...more },
  }
  const step = nextStep(moment)
  return step.do === 'wait' ? step.ms : step.do
}

test('changes come first, then the catalog, then a full run, and otherwise it waits for the next of them', () => {
  assert.equal(at({ catalogAt: null }), 'catalog')
  assert.equal(at({ digest: undefined }), 'catalog')
  assert.equal(at({ changesAt: null, catalogAt: NOW - HOUR_MS }), 'changes')
  assert.equal(at({ changesAt: NOW - 2_000 }, { full }), 'changes')
  assert.equal(at({ catalogAt: NOW - 60_000 }, { full }), 'catalog')
  assert.equal(at({}, { full }), 'full')
  assert.equal(at({}, { full: { ...full, checked: 0 } }), 'check')
  assert.equal(at({}), 1_500)
  assert.equal(at({ isNear: false, changesAt: NOW - 100, catalogAt: NOW - 20_000 }), 40_000)
})

test('before every order was read once, there are no changes to ask for', () => {
  assert.equal(at({ changesAt: null }, { cursor: null, comparedAt: null, digest: null }), 'full')
})

test('every order is read again when somebody wants it, when mapping or products are others, and by itself', () => {
  assert.equal(at({ wantedAt: NOW }), 'full')
  assert.equal(at({ wantedAt: NOW - 2 * HOUR_MS }), 1_500)
  assert.equal(at({ digest: 'other' }), 'full')
  for (const [isNear, hours, step] of [
    [false, 23, 'wait'],
    [false, 24, 'full'],
    [true, 47, 'wait'],
    [true, 48, 'full'],
  ] as const) {
    const found = at({ isNear, changesAt: NOW }, { comparedAt: NOW - hours * HOUR_MS })
    assert.equal(typeof found === 'number' ? 'wait' : found, step, `${isNear} ${hours}`)
  }
})

test('polls: 2 s near, 60 s far, slower by as much as pretix wants, and never slower than far', () => {
  const intervals = [1, 2, 8, 30, 999].map((slower) => intervalOf({ isNear: true, slower }))
  assert.deepEqual(intervals, [2_000, 4_000, 16_000, 60_000, 60_000])
  assert.equal(intervalOf({ isNear: false, slower: 1 }), 60_000)
  assert.equal(intervalOf({ isNear: false, slower: 8 }), 60_000)
})

test('after failures it waits 1 s, 2 s, 4 s, ... and a minute at most', () => {
  assert.deepEqual([1, 2, 3, 6, 7, 50].map(backoffOf), [1_000, 2_000, 4_000, 32_000, 60_000, 60_000])
})

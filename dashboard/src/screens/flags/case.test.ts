import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Flag, RESOLUTIONS, type ScanRecord } from '@gatehouse/proto/wire/admin.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { actionWords as words } from '../../words/late.ts'
import { addressOf, choiceIn, countOf, FLAG_KINDS, OUTCOMES, sidesOf, wasLearned } from './case.ts'

const record = (over: Partial<ScanRecord>): ScanRecord => ({
  scan_id: 's',
  device: 'd',
  device_name: 'Gate 1',
  checkpoint: 'north-in',
  checkpoint_name: 'North in',
  direction: 'in',
  verdict: 'ADMIT',
  occurrence: 1,
  device_hlc: '0.0',
  hlc: '0.0',
  offline_admitted: false,
  observed_at: '2026-11-20T19:00:00.000Z',
  recorded_at: '2026-11-20T19:00:00.100Z',
  supervised: null,
  undone: null,
  ...over,
})

test('every kind and every outcome that the box can write has words', () => {
  const kinds = Flag.properties.kind.enum
  assert.deepEqual(new Set(FLAG_KINDS), new Set(kinds))
  assert.deepEqual(new Set(Object.keys(words.flags.kinds)), new Set(kinds))
  assert.deepEqual(new Set(OUTCOMES), new Set(RESOLUTIONS))
  assert.deepEqual(new Set(Object.keys(words.flags.outcomes)), new Set(RESOLUTIONS))
})

test('records stand in the order in which people stood there, each with its distance to the one before', () => {
  const gates = [{ name: 'Gate North', checkpoints: [{ id: 'north-in' }] }] as Stats['gates']
  const late = record({ scan_id: 'late', observed_at: '2026-11-20T19:04:12.000Z', checkpoint: 'gone' })
  const early = record({ scan_id: 'early', recorded_at: '2026-11-20T19:10:00.000Z' })
  const sides = sidesOf({ records: [late, early] }, gates)
  assert.deepEqual(
    sides.map(({ record: { scan_id }, gate, afterPrevious }) => [scan_id, gate, afterPrevious]),
    [
      ['early', 'Gate North', null],
      ['late', null, 252_000],
    ],
  )
  assert.equal(sides[0]?.learnedAfter, 600_000)
})

test('what the box heard within two seconds it heard at once; a clock that is ahead is told apart from a delay', () => {
  assert.deepEqual([0, 1999, -1999, 2000, -2000].map(wasLearned), ['at once', 'at once', 'at once', 'later', 'before'])
})

test('a choice is its address, and an address that names nothing is every open case', () => {
  const conflicts = { state: 'open', kind: 'shop_conflict' } as const
  assert.equal(addressOf(conflicts), '#/flags?kind=shop_conflict')
  for (const choice of [conflicts, { state: 'resolved', kind: null } as const]) {
    assert.deepEqual(choiceIn(addressOf(choice)), choice)
  }
  for (const hash of ['', '#/flags', '#/flags?kind=fraud&state=gone']) {
    assert.deepEqual(choiceIn(hash), { state: 'open', kind: null })
  }
})

test('cases are counted over all kinds or one, and not at all before figures have come', () => {
  const stats = { flags_by_kind: { double_use: { open: 3, resolved: 1 }, clock_skew: { open: 1, resolved: 0 } } }
  assert.equal(countOf({ state: 'open', kind: null }, stats), 4)
  assert.equal(countOf({ state: 'resolved', kind: 'double_use' }, stats), 1)
  assert.equal(countOf({ state: 'open', kind: 'fraud' as never }, stats), 0)
  assert.equal(countOf({ state: 'open', kind: null }, null), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportColumns, KeptMatch } from '@gatehouse/proto/wire/import-columns.ts'
import { gapOf, matchingOf, matchQueryOf, withEveryTier, withField, withOnlyTier } from './matching.ts'

const COLUMNS: ImportColumns['columns'] = [
  { name: 'Code', values: [], more: false },
  { name: 'Art', values: ['Tag'], more: false },
  { name: 'Zustand', values: ['ja', 'nein'], more: false },
  { name: 'Valid until', values: [], more: false },
]
const KEPT: KeptMatch = {
  kept_at: '2026-11-01T10:00:00Z',
  header: ['Code', 'Art', 'Gone'],
  match: {
    columns: [
      { field: 'code', column: 'Code' },
      { field: 'tier', column: 'Gone' },
      { field: 'status', column: 'Zustand' },
    ],
    every_tier: null,
    statuses: [{ word: 'JA', status: 'valid' }],
  },
  tiers: [],
}

test('columns that say what they are need nobody', () => {
  const { fields } = matchingOf({ columns: COLUMNS, kept: null })
  assert.deepEqual(fields, ['code', '', '', 'valid_until'])
})

test('of an earlier match what this file still has is taken, and what is missing is asked', () => {
  const matching = matchingOf({ columns: COLUMNS, kept: KEPT })
  assert.deepEqual(matching.fields, ['code', '', 'status', ''])
  assert.deepEqual(matching.statuses, [
    { word: 'JA', status: 'valid' },
    { word: 'nein', status: '' },
  ])
  assert.equal(gapOf(matching), 'tier')
})

test('a field is one column, and the tier is a column or one for all', () => {
  const begun = matchingOf({ columns: COLUMNS, kept: null })
  const moved = withField(begun, 1, 'code', COLUMNS)
  assert.deepEqual(moved.fields, ['', 'code', '', 'valid_until'])
  const all = withEveryTier(moved, 'day')
  assert.equal(gapOf(all), null)
  assert.deepEqual(matchQueryOf(all, { columns: COLUMNS }), {
    column: ['code=Art', 'valid_until=Valid until'],
    every_tier: 'day',
  })
  const named = withField(all, 0, 'tier', COLUMNS)
  assert.deepEqual([named.everyTier, gapOf(named)], [null, null])
  assert.equal(withEveryTier(named, 'day').fields.includes('tier'), false)
})

test('where an event has one tier, it is that of all tickets, and nothing that was said is overwritten', () => {
  const begun = matchingOf({ columns: COLUMNS, kept: null })
  assert.equal(withOnlyTier(begun, 'day').everyTier, 'day')
  const byColumn = withField(begun, 1, 'tier', COLUMNS)
  assert.equal(withOnlyTier(byColumn, 'day'), byColumn)
  const said = withEveryTier(begun, 'vip')
  assert.equal(withOnlyTier(said, 'day'), said)
})

test('words of the status column that are left to the box are not sent', () => {
  const chosen = withField(matchingOf({ columns: COLUMNS, kept: null }), 2, 'status', COLUMNS)
  assert.deepEqual(
    chosen.statuses.map(({ word }) => word),
    ['ja', 'nein'],
  )
  const said = { ...chosen, statuses: chosen.statuses.with(1, { word: 'nein', status: 'pending' }) }
  assert.deepEqual(matchQueryOf(said, { columns: COLUMNS }).status, ['nein=pending'])
})

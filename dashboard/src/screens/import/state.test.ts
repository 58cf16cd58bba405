import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { ImportColumns, ImportField, KeptMatch } from '@gatehouse/proto/wire/import-columns.ts'
import { unknownStatus } from '../../../../box/src/tickets/import/table.ts'
import { noTier } from '../../../../box/src/tickets/import/tier.ts'
import { Refused } from '../../session/answered.ts'
import { actionWords as words } from '../../words/late.ts'
import { withField } from './matching.ts'
import type { ImportQuery } from './report.ts'
import { importing, type LookAt, type Send } from './state.ts'

/** As the box lists them for a file that was matched by hand. */
const STATUSES = 'valid, pending, blocked, revoked'
const CSV = new File(['code,tier\nA,day\n'], 'tickets.csv')
const parking = noTier({ key: 'Parking', names: [] }, [{ id: 'day', name: 'Day' }])

const known: LookAt = async () => ({ format: 'gatehouse', columns: [], kept: null, fits: false, missing: [] })

/** A box that answers what `answer` says, and remembers what it was asked. */
function box(answer: (query: ImportQuery) => Partial<ImportReport> | Promise<never>) {
  const asked: ImportQuery[] = []
  const send: Send = (query) => {
    asked.push(query)
    const { dry_run = false } = query
    const base = {
      format: 'gatehouse',
      dry_run,
      read: 1,
      added: 1,
      changed: 0,
      unchanged: 0,
      rejected: [],
      warnings: [],
    }
    return { answer: Promise.resolve(answer(query)).then((over) => ({ ...base, ...over })), cancel: () => {} }
  }
  return { send, asked }
}

test('nothing is imported before it was looked at, and nothing else than what was looked at', async () => {
  const { send, asked } = box(() => ({}))
  const state = importing(send, known)
  await state.choose(CSV)
  await state.run('Ana')
  assert.deepEqual([asked, state.told.value], [[], 0])
  await state.look()
  assert.equal(state.told.value, 1)
  assert.equal(state.stale(), false)
  state.options.value = { ...state.options.value, format: 'pretix' }
  assert.equal(state.stale(), true)
  await state.run('Ana')
  assert.equal(asked.length, 1)
  await state.look()
  await state.run('Ana')
  assert.deepEqual(asked.slice(1), [
    { format: 'pretix', dry_run: true },
    { format: 'pretix', dry_run: false, actor: 'Ana' },
  ])
  assert.equal(state.report.value?.dry_run, false)
  // It is done: once more would be another import.
  await state.run('Ana')
  assert.equal(asked.length, 3)
})

test('a used or revoked ticket that would change its tier is asked about, and nothing is imported before the answer', async () => {
  const { send, asked } = box(({ used_tiers }) => (used_tiers === undefined ? { tiers_kept: 2 } : {}))
  const state = importing(send, known)
  await state.choose(CSV)
  await state.look()
  assert.equal(state.asks(), true)
  await state.run('Ana')
  assert.equal(asked.length, 1)
  await state.decide('change')
  assert.equal(state.asks(), false)
  await state.run('Ana')
  assert.deepEqual(asked.slice(1), [
    { format: 'auto', dry_run: true, used_tiers: 'change' },
    { format: 'auto', dry_run: false, actor: 'Ana', used_tiers: 'change' },
  ])
  // The answer is about these tickets.
  await state.choose(new File(['code,tier\n'], 'other.csv'))
  assert.equal(state.options.value.usedTiers, null)
})

test('tickets that keep their tier can be imported once somebody has said so', async () => {
  const { send, asked } = box(() => ({ tiers_kept: 2 }))
  const state = importing(send, known)
  await state.choose(CSV)
  await state.look()
  await state.decide('keep')
  assert.equal(state.asks(), false)
  await state.run('Ana')
  assert.deepEqual(asked.at(-1), { format: 'auto', dry_run: false, actor: 'Ana', used_tiers: 'keep' })
})

test('another file is looked at anew', async () => {
  const { send, asked } = box(() => ({}))
  const state = importing(send, known)
  await state.choose(CSV)
  await state.look()
  await state.choose(new File(['code,tier\n'], 'other.csv'))
  assert.equal(state.report.value, null)
  await state.run('Ana')
  assert.equal(asked.length, 1)
})

test('a double press sends once', async () => {
  const { send, asked } = box(() => ({}))
  const state = importing(send, known)
  await state.choose(CSV)
  await Promise.all([state.look(), state.look()])
  assert.equal(asked.length, 1)
  await Promise.all([state.run('Ana'), state.run('Ana')])
  assert.equal(asked.length, 2)
})

test('a product without a tier gets a line, which makes nothing stale before it is chosen', async () => {
  const { send, asked } = box((query) =>
    query.tier !== undefined ? {} : { added: 0, rejected: [{ row: 2, ...parking }] },
  )
  const state = importing(send, known)
  await state.choose(CSV)
  await state.look()
  assert.deepEqual(state.options.value.mappings, [{ product: 'Parking', tier: null }])
  assert.equal(state.stale(), false)
  state.options.value = { ...state.options.value, mappings: [{ product: 'Parking', tier: 'day' }] }
  assert.equal(state.stale(), true)
  await state.look()
  assert.deepEqual(asked.at(-1), { format: 'auto', dry_run: true, tier: ['Parking=day'] })
})

test('what goes wrong says what to do; after an import without an answer, that it is not known', async () => {
  const lost = new Refused('unreachable', 0, words.import.tooSlow)
  for (const [dry, error, sentence] of [
    [true, new Refused('bad_request', 400, 'Export it again.'), 'Export it again.'],
    [true, lost, words.import.tooSlow],
    [false, lost, words.import.unlost],
  ] as const) {
    const { send } = box((query) => (query.dry_run === dry ? Promise.reject(error) : {}))
    const state = importing(send, known)
    await state.choose(CSV)
    await state.look()
    if (!dry) await state.run('Ana')
    assert.deepEqual([state.problem.value, state.report.value, state.progress.value], [sentence, null, null])
    assert.equal(state.stale(), true)
  }
})

test('a file that is none is not taken', async () => {
  const state = importing(box(() => ({})).send, known)
  await state.choose(new File(['%PDF-1.4'], 'tickets.pdf'))
  assert.deepEqual([state.file.value, state.problem.value], [null, words.import.refused.pdf])
  await state.choose(CSV)
  assert.deepEqual([state.file.value, state.problem.value], [CSV, null])
})

const COLUMNS: ImportColumns = {
  format: 'unknown',
  columns: [
    { name: 'Nr', values: ['A1', 'B2'], more: true },
    { name: 'Art', values: ['Tag'], more: false },
    { name: 'Bezahlt', values: ['ja', 'nein'], more: false },
  ],
  ...{ kept: null, fits: false, missing: [] },
}

test('a file of no known shop is not sent before its code and its tiers are named', async () => {
  const { send, asked } = box(() => ({ rejected: [{ row: 2, ...unknownStatus('offen', STATUSES) }] }))
  const state = importing(send, async () => COLUMNS)
  await state.choose(CSV)
  await state.look()
  assert.deepEqual([asked, state.problem.value, state.told.value], [[], words.import.columns.gap.code, 1])
  await state.look()
  assert.equal(state.told.value, 2, 'the same once more is led to once more')
  const set = (at: number, field: ImportField) => {
    const { matching } = state.options.value
    assert.ok(matching)
    state.options.value = { ...state.options.value, matching: withField(matching, at, field, COLUMNS.columns) }
  }
  set(0, 'code')
  await state.look()
  assert.deepEqual([asked, state.problem.value], [[], words.import.columns.gap.tier])
  set(1, 'tier')
  set(2, 'status')
  await state.look()
  assert.deepEqual(asked, [{ format: 'auto', dry_run: true, column: ['code=Nr', 'tier=Art', 'status=Bezahlt'] }])
  // A word that stands further down in the file gets a line, too.
  assert.deepEqual(
    state.options.value.matching?.statuses.map(({ word }) => word),
    ['ja', 'nein', 'offen'],
  )
  assert.equal(state.stale(), false)
})

test('what was said of one file does not count for another, and the person is told; what the box has kept does', async () => {
  const { send, asked } = box(() => ({}))
  const kept: KeptMatch = {
    kept_at: '2026-11-01T10:00:00Z',
    header: ['Nr', 'Art', 'Bezahlt'],
    match: {
      columns: [
        { field: 'code', column: 'Nr' },
        { field: 'tier', column: 'Art' },
      ],
      ...{ every_tier: null, statuses: [] },
    },
    tiers: [{ product: 'Tag', tier: 'day' }],
  }
  let found = await known(CSV)
  const state = importing(send, async () => found)
  await state.choose(CSV)
  assert.equal(state.hasDropped.value, false)
  state.options.value = { ...state.options.value, format: 'pretix', mappings: [{ product: 'Parking', tier: '' }] }
  found = { ...COLUMNS, kept, fits: true }
  await state.choose(new File(['Nr,Art,Bezahlt\n'], 'other.csv'))
  assert.equal(state.hasDropped.value, true)
  assert.deepEqual(state.options.value.mappings, [{ product: 'Tag', tier: 'day' }])
  await state.look()
  assert.deepEqual(asked, [{ format: 'auto', dry_run: true, tier: ['Tag=day'], column: ['code=Nr', 'tier=Art'] }])
})

test('a file that the box cannot look at is not taken', async () => {
  const state = importing(box(() => ({})).send, () => Promise.reject(new Refused('bad_request', 400, 'Too wide.')))
  await state.choose(CSV)
  assert.deepEqual([state.file.value, state.problem.value], [null, 'Too wide.'])
})

test('what was said of the file in the guide is chosen already, unless an earlier file of its columns says otherwise', async () => {
  const columns = ['Nr', 'Sorte', 'Art'].map((name) => ({ name, values: ['x'], more: false }))
  const unknown: ImportColumns = { format: 'unknown', columns, kept: null, fits: false, missing: [] }
  const { send, asked } = box(() => ({}))
  const state = importing(send, async () => unknown)
  const before = { column: 'Sorte', mappings: [{ product: 'Tag', tier: 'day' }] }
  await state.choose(CSV, before)
  assert.deepEqual(state.options.value.matching?.fields, ['', 'tier', ''])
  const { matching } = state.options.value
  assert.ok(matching)
  state.options.value = { ...state.options.value, matching: withField(matching, 0, 'code', columns) }
  await state.look()
  assert.deepEqual(asked, [{ format: 'auto', dry_run: true, tier: ['Tag=day'], column: ['code=Nr', 'tier=Sorte'] }])

  const match = {
    columns: [
      { field: 'code' as const, column: 'Nr' },
      { field: 'tier' as const, column: 'Art' },
    ],
    ...{ every_tier: null, statuses: [] },
  }
  const kept = {
    kept_at: '2026-07-01T10:00:00Z',
    header: ['Nr', 'Sorte', 'Art'],
    match,
    tiers: [{ product: 'Tag', tier: 'fest' }],
  }
  const fitting = importing(send, async () => ({ ...unknown, kept, fits: true }))
  await fitting.choose(CSV, before)
  assert.deepEqual(fitting.options.value.matching?.fields, ['code', '', 'tier'])
  assert.deepEqual(fitting.options.value.mappings, [{ product: 'Tag', tier: 'fest' }])
  // Another file has been said nothing of.
  await state.choose(new File(['a,b\n'], 'b.csv'))
  assert.deepEqual(state.options.value.matching?.fields, ['', '', ''])
})

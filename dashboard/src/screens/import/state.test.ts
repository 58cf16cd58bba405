import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import { noTier } from '../../../../box/src/tickets/import/tier.ts'
import { Refused } from '../../session/answered.ts'
import { actionWords as words } from '../../words/late.ts'
import type { ImportQuery } from './report.ts'
import { importing, type Send } from './state.ts'

const CSV = new File(['code,tier\nA,day\n'], 'tickets.csv')
const parking = noTier({ key: 'Parking', names: [] }, [{ id: 'day', name: 'Day' }])

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
  const state = importing(send)
  await state.choose(CSV)
  await state.run('Ana')
  assert.deepEqual(asked, [])
  await state.look()
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

test('another file is looked at anew', async () => {
  const { send, asked } = box(() => ({}))
  const state = importing(send)
  await state.choose(CSV)
  await state.look()
  await state.choose(new File(['code,tier\n'], 'other.csv'))
  assert.equal(state.report.value, null)
  await state.run('Ana')
  assert.equal(asked.length, 1)
})

test('a double press sends once', async () => {
  const { send, asked } = box(() => ({}))
  const state = importing(send)
  await state.choose(CSV)
  await Promise.all([state.look(), state.look()])
  assert.equal(asked.length, 1)
  await Promise.all([state.run('Ana'), state.run('Ana')])
  assert.equal(asked.length, 2)
})

test('a product without a tier gets a line, which makes nothing stale before it is chosen', async () => {
  const { send, asked } = box((query) =>
    query.tier !== undefined ? {} : { added: 0, rejected: [{ row: 2, reason: parking }] },
  )
  const state = importing(send)
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
    const state = importing(send)
    await state.choose(CSV)
    await state.look()
    if (!dry) await state.run('Ana')
    assert.deepEqual([state.problem.value, state.report.value, state.progress.value], [sentence, null, null])
    assert.equal(state.stale(), true)
  }
})

test('a file that is none is not taken', async () => {
  const state = importing(box(() => ({})).send)
  await state.choose(new File(['%PDF-1.4'], 'tickets.pdf'))
  assert.deepEqual([state.file.value, state.problem.value], [null, words.import.refused.pdf])
  await state.choose(CSV)
  assert.deepEqual([state.file.value, state.problem.value], [CSV, null])
})

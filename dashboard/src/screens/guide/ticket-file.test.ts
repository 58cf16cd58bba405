import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportKinds } from '@gatehouse/proto/wire/import-columns.ts'
import { Refused } from '../../session/answered.ts'
import type { KeptFile } from '../../session/kept-file.ts'
import { blankEvent } from './draft.ts'
import { type LookAtTiers, ticketFile } from './ticket-file.ts'
import { NONE } from './tier-column.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const CSV = new File(['code,tier\nA,Day\n'], 'orders.csv')
const KNOWN: ImportKinds = {
  ...{ format: 'eventbrite', tickets: 3, kinds: ['Day', 'Night'], more: false, columns: [], tier_column: null },
}
const many = Array.from({ length: 64 }, (_, i) => `C-${i}`)
const UNKNOWN: ImportKinds = {
  ...{ format: 'unknown', tickets: 0, kinds: [], more: false, tier_column: null },
  columns: [
    { name: 'Nr', values: many, more: true },
    { name: 'Sorte', values: ['Tag', 'Fest'], more: false },
  ],
}

function setting(answers: readonly (ImportKinds | Promise<ImportKinds>)[] = [KNOWN]) {
  const browser = { kept: undefined as KeptFile | undefined, isFull: false, cancelled: 0 }
  const sent: File[] = []
  const look: LookAtTiers = (file) => {
    sent.push(file)
    const answer = answers[sent.length - 1] ?? KNOWN
    return { answer: Promise.resolve(answer), cancel: () => void browser.cancelled++ }
  }
  const shelf = {
    read: async () => browser.kept,
    keep: async (kept: KeptFile) => {
      if (browser.isFull) return false
      browser.kept = kept
      return true
    },
    forget: () => (browser.kept = undefined),
  }
  return { browser, sent, opened: () => ticketFile(look, shelf, () => NOW) }
}

const eventOf = (tiers: readonly string[]) =>
  blankEvent({ name: 'Fair', timezone: 'UTC', tiers, now: NOW, words: { tier: 'Ticket', zone: 'In', gate: 'Gate' } })

test('a file is what the box says it is, and is kept for the event that is made of it', async () => {
  const { browser, opened } = setting()
  const tickets = opened()
  await tickets.choose(CSV)
  assert.deepEqual(
    [tickets.found.value?.format, tickets.tierNames(), tickets.isKept.value],
    ['eventbrite', ['Day', 'Night'], true],
  )
  assert.equal(browser.kept?.event, null)
  await tickets.belongsTo(eventOf(tickets.tierNames()))
  assert.deepEqual(browser.kept, {
    ...{ file: CSV, column: null, event: 'fair', at: NOW },
    tiers: [
      { product: 'Day', tier: 'day' },
      { product: 'Night', tier: 'night' },
    ],
  })
})

test('a column that is chosen by hand names the kinds, and is known when the page is opened again', async () => {
  const { browser, sent, opened } = setting([UNKNOWN, UNKNOWN])
  const tickets = opened()
  await tickets.choose(CSV)
  tickets.chooseColumn('Nr')
  assert.deepEqual(tickets.tierNames(), [], 'a number of its own on every ticket is no kind')
  tickets.chooseColumn('Sorte')
  assert.deepEqual(tickets.tierNames(), ['Tag', 'Fest'])

  const again = opened()
  await again.open()
  assert.deepEqual([again.file.value, again.column.value, again.tierNames()], [CSV, 'Sorte', ['Tag', 'Fest']])
  assert.deepEqual([sent.length, browser.kept?.column], [2, 'Sorte'])
})

test('the column of an earlier file with the same columns is chosen already', async () => {
  const columns = [...UNKNOWN.columns, { name: 'Was', values: ['A', 'B'], more: false }]
  const tickets = setting([{ ...UNKNOWN, columns, tier_column: 'Was' }]).opened()
  await tickets.choose(CSV)
  assert.deepEqual([tickets.column.value, tickets.tierNames()], ['Was', ['A', 'B']])
})

test('where several columns could name the kinds nothing is chosen, and what was said is known when the page is opened again', async () => {
  const columns = ['Was', 'Wo'].map((name) => ({ name, values: ['A', 'B'], more: false }))
  const { opened } = setting([
    { ...UNKNOWN, columns },
    { ...UNKNOWN, columns },
    { ...UNKNOWN, columns },
  ])
  const tickets = opened()
  assert.equal(tickets.asks(), false, 'of no file')
  await tickets.choose(CSV)
  assert.deepEqual([tickets.asks(), tickets.tierNames()], [true, []])
  const again = opened()
  await again.open()
  assert.equal(again.asks(), true)
  again.chooseColumn(NONE)
  assert.deepEqual([again.asks(), again.tierNames()], [false, []])
  const later = opened()
  await later.open()
  assert.deepEqual([later.asks(), later.column.value], [false, NONE])
})

test('a column with the name of kinds is chosen at first, and that is kept for the import', async () => {
  const { browser, opened } = setting([UNKNOWN])
  const tickets = opened()
  await tickets.choose(CSV)
  assert.deepEqual([tickets.column.value, tickets.tierNames(), tickets.asks()], ['Sorte', ['Tag', 'Fest'], false])
  assert.equal(browser.kept?.column, 'Sorte')
})

test('a file that the box refuses, a workbook and an empty one change nothing and are not kept', async () => {
  const refused = Promise.reject(new Refused('bad_request', 400, 'The file holds no orders.'))
  const { browser, sent, opened } = setting([KNOWN, refused])
  const tickets = opened()
  await tickets.choose(CSV)
  await tickets.choose(CSV)
  assert.deepEqual(
    [tickets.problem.value, tickets.found.value, tickets.tierNames()],
    ['The file holds no orders.', null, []],
  )
  assert.equal(browser.kept, undefined)
  for (const file of [new File([], 'a.csv'), new File([new Uint8Array([0x50, 0x4b, 3, 4])], 'a.xlsx')]) {
    await tickets.choose(file)
    assert.ok(tickets.problem.value)
    assert.deepEqual([tickets.file.value, browser.kept], [null, undefined])
  }
  assert.equal(sent.length, 2)
})

test('a file that is chosen while another one is read takes its place', async () => {
  let answer: (found: ImportKinds) => void = () => {}
  const slow = new Promise<ImportKinds>((resolve) => {
    answer = resolve
  })
  const { browser, opened } = setting([slow, KNOWN])
  const tickets = opened()
  const first = tickets.choose(new File(['code,tier\nZ,Z\n'], 'slow.csv'))
  while (tickets.progress.value === null) await new Promise(setImmediate)
  await tickets.choose(CSV)
  answer({ ...KNOWN, kinds: ['Z'] })
  await first
  assert.deepEqual(
    [tickets.file.value?.name, tickets.tierNames(), browser.cancelled],
    ['orders.csv', ['Day', 'Night'], 1],
  )
  assert.equal(browser.kept?.file.name, 'orders.csv')
})

test('a browser that keeps nothing makes the same event', async () => {
  const { browser, opened } = setting()
  browser.isFull = true
  const tickets = opened()
  await tickets.choose(CSV)
  assert.deepEqual([tickets.isKept.value, tickets.tierNames()], [false, ['Day', 'Night']])
})

import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IMPORT_FORMATS, type ImportReport, SHOP_FORMATS } from '@gatehouse/proto/wire/admin.ts'
import fc from 'fast-check'
import { readTickets } from '../../../../box/src/tickets/import/read.ts'
import { plainText } from '../../../../box/src/tickets/import/row.ts'
import { unknownStatus } from '../../../../box/src/tickets/import/table.ts'
import { noTier, parseTierMap } from '../../../../box/src/tickets/import/tier.ts'
import { actionWords as words } from '../../words/late.ts'
import {
  grouped,
  lineText,
  mappingsAfter,
  nextOf,
  productsIn,
  productsOf,
  queryOf,
  renamed,
  rowsText,
  statusesOf,
  warningLines,
  withoutOption,
} from './report.ts'

const TIERS = [
  { id: 'day', name: 'Day' },
  { id: 'vip', name: 'VIP' },
]
const report = (over: Partial<ImportReport>): ImportReport => ({
  format: 'pretix',
  dry_run: true,
  read: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  rejected: [],
  warnings: [],
  ...over,
})

test('every format that the box reads can be chosen', () => {
  assert.deepEqual(new Set(Object.keys(words.import.formats)), new Set(SHOP_FORMATS))
})

test("a product is found in the box's own sentence, however it is spelled", () => {
  const name = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() === text && !/\s{2}/.test(text))
  fc.assert(
    fc.property(name, (key) => {
      const said = noTier({ key, names: [key] }, TIERS)
      const { reason: sentence } = said
      assert.deepEqual(productsIn(sentence), [key])
      assert.deepEqual([productsOf(said), productsOf({ reason: sentence })], [[plainText(key)], [key]])
      assert.ok(!withoutOption(sentence).includes('--tier ') || key.includes('--tier'))
    }),
  )
})

test('a sentence says nothing of the command line', () => {
  assert.equal(withoutOption(noTier({ key: 'item:14', names: [] }, TIERS).reason), '"item:14" fits no ticket type.')
  assert.equal(
    withoutOption('The file could be alfio or attendize: say which with --format.'),
    'The file could be alfio or attendize: say which under "Format".',
  )
  const plain = 'Row 4 has the same code: remove one of the two.'
  assert.equal(withoutOption(plain), plain)
})

test('rows that are rejected for one reason are one line, the most first', () => {
  const again = noTier({ key: 'item:1', names: [] }, TIERS)
  const rejected = [
    { row: 9, reason: 'No code.' },
    { row: 2, ...again },
    { row: 3, ...again },
  ]
  assert.deepEqual(
    grouped(rejected).map(({ product, rows }) => [product, rows]),
    [
      ['item:1', [2, 3]],
      [null, [9]],
    ],
  )
})

test('rows that follow one another are a run; of many, the first are named and the rest counted', () => {
  assert.deepEqual(rowsText([5, 2, 3, 4, 9]), { text: '2–5, 9', more: 0 })
  assert.deepEqual(rowsText([1, 3, 5, 6, 7], 2), { text: '1, 3', more: 3 })
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(500)), fc.integer({ min: 1, max: 9 }), (rows, most) => {
      const { text, more } = rowsText(rows, most)
      const named = text === '' ? [] : text.split(', ').map((run) => run.split('–').map(Number))
      const there = named.reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0)
      assert.equal(there + more, rows.length)
    }),
  )
})

test('products that the report asks about get a line, and what was chosen stays', () => {
  const mappings = [{ product: 'Early Bird', tier: 'day' }]
  const asked = ['Early Bird', 'Parking', 'Parking'].map((key) => noTier({ key, names: [] }, TIERS))
  assert.deepEqual(mappingsAfter(asked, mappings), [...mappings, { product: 'Parking', tier: null }])
})

test('the box understands what is asked of it', () => {
  const mappings = [
    ...[
      { product: ' Early=Bird ', tier: 'day' },
      { product: 'Parking', tier: '' },
    ],
    ...[
      { product: 'open', tier: null },
      { product: '  ', tier: 'day' },
    ],
  ]
  const query = queryOf({ format: 'auto', dryRun: true, actor: 'Ana', mappings })
  assert.deepEqual(parseTierMap([query.tier ?? []].flat()), { 'Early=Bird': 'day', Parking: '' })
  assert.deepEqual({ ...query, tier: [] }, { format: 'auto', dry_run: true, actor: 'Ana', tier: [] })
  assert.ok(IMPORT_FORMATS.includes('auto'))
})

test('an older box has sentences alone, and the same is found in them', () => {
  const warnings = ['Rows 2, 3: Blanks around the code were removed.']
  assert.deepEqual(warningLines({ warnings }), [{ reason: warnings[0], rows: [], more: 0 }])
  const unknown = unknownStatus('gültig', 'valid, pending, blocked, revoked')
  assert.deepEqual([statusesOf(unknown), statusesOf({ reason: unknown.reason })], [['gültig'], ['gültig']])
  assert.deepEqual(statusesOf(unknownStatus('x', 'Attending, Refunded')), [], 'of a shop: no column was matched')
})

test('what the box says of a file is in the language of the screen, with its rows apart', async () => {
  const { speak } = await import('../../words/speak.testing.ts')
  await speak('de')
  try {
    const { rejected, warned, warnings } = await readTickets(
      Buffer.from('code,tier\n" A-1",day\nA-1,day\n,day\nA-2,Parken\n1.2E+15,day\n'),
      { format: 'auto', tiers: TIERS, tierMap: { Zelt: 'day' }, timezone: 'Europe/Berlin' },
    )
    assert.deepEqual(rejected.map(lineText), [
      'Zeile 2 hat denselben Code: eine der beiden löschen.',
      'Die Zeile hat keinen Code: eintragen oder die Zeile löschen.',
      '„Parken“ passt zu keiner Ticketart.',
      'Eine Tabellenkalkulation hat den Code gerundet (1.2E+15): die Datei so nehmen, wie der Shop sie exportiert.',
    ])
    assert.deepEqual(
      warningLines({ warnings, warned }).map((one) => [lineText(one), one.rows, one.more]),
      [
        ['Leerzeichen um den Code wurden entfernt.', [2], 0],
        ['Kein Ticket ist „Zelt“: die Schreibweise prüfen.', [], 0],
      ],
    )
    assert.equal(lineText({ reason: 'Of a newer box.', coded: { code: 'of_a_newer_box' } }), 'Of a newer box.')
  } finally {
    await speak('en')
  }
})

test('what may be imported is what changes something', () => {
  assert.equal(nextOf(report({ added: 1, rejected: [{ row: 1, reason: '' }] })), 'import')
  assert.equal(nextOf(report({ changed: 1 })), 'import')
  assert.equal(nextOf(report({ unchanged: 4 })), 'nothing new')
  assert.equal(nextOf(report({ rejected: [{ row: 1, reason: '' }] })), 'nothing usable')
})

test('the headline says the same as the figures', () => {
  const { dry, done } = words.import.headline
  assert.equal(dry(report({ added: 1200, changed: 3 })), '1,200 new and 3 changed would be imported.')
  assert.equal(done(report({ changed: 1 })), 'Imported: 1 changed.')
  assert.equal(dry(report({ unchanged: 9 })), 'Nothing would change.')
})

test('kinds whose tiers have another name by now are mapped, and no others', () => {
  const made = [
    { product: 'Day', tier: 'day' },
    { product: 'Night', tier: 'night' },
    { product: 'Gone', tier: 'gone' },
  ]
  const tiers = [{ id: 'day', name: 'Day' }, { id: 'night', name: 'Late' }, 'no tier', null]
  assert.deepEqual(renamed(made, { tiers }), [{ product: 'Night', tier: 'night' }])
  assert.deepEqual(renamed(made, { tiers: 'broken by hand' }), [])
})

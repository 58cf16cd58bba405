import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { indexedWords, questionOf } from './spelling.ts'

const NAMES = [
  'Jürgen Müller',
  "Siobhán O'Brien",
  'Anne-Marie Łukasiewicz',
  'Βασίλης Παπαδόπουλος',
  'Mueller, Ann',
  '山田太郎',
]

/** Names that a question finds, by the engine that answers it at a desk. */
function finder(rows: readonly { name?: string; order?: string; seat?: string }[]) {
  const db = new Database(':memory:')
  db.exec(
    `CREATE VIRTUAL TABLE words USING fts5 (name, order_code, seat, tokenize = 'ascii', detail = column, prefix = '1 2 3')`,
  )
  for (const [i, { name = null, order = null, seat = null }] of rows.entries()) {
    const words = indexedWords({ name, order, seat })
    db.prepare('INSERT INTO words (rowid, name, order_code, seat) VALUES (?, ?, ?, ?)').run(
      i,
      words.name,
      words.order_code,
      words.seat,
    )
  }
  const match = db.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid').pluck()
  return (text: string, by: 'name' | 'order_code' | 'seat') =>
    (questionOf(text)?.[by] ?? []).map((question) => match.all(`${by} : (${question})`) as number[])
}

describe('a name is found', () => {
  const find = finder(NAMES.map((name) => ({ name })))
  for (const [text, who] of [
    ['muller', 'Jürgen Müller'],
    ['MUELLER JURGEN', 'Jürgen Müller'],
    ['Müller', 'Mueller, Ann'],
    ['ann muel', 'Mueller, Ann'],
    ['obrien', "Siobhán O'Brien"],
    ['o’brien siob', "Siobhán O'Brien"],
    ['o bri', "Siobhán O'Brien"],
    ['brien', "Siobhán O'Brien"],
    ['marie luka', 'Anne-Marie Łukasiewicz'],
    ['annemarie', 'Anne-Marie Łukasiewicz'],
    ['παπαδοπ', 'Βασίλης Παπαδόπουλος'],
    ['山田太', '山田太郎'],
  ] as const) {
    it(`${who} by "${text}"`, () => {
      const found = find(text, 'name').at(-1) ?? []
      assert.ok(found.includes(NAMES.indexOf(who)), `found ${found.map((i) => NAMES[i])}`)
    })
  }

  it('in whole words first, then where its words begin so', () => {
    const lees = finder([{ name: 'Leeson Ada' }, { name: 'Lee Bo' }])
    assert.deepEqual(lees('lee', 'name'), [[1], [0, 1]])
  })
})

describe('a seat and an order are found', () => {
  const find = finder([
    { order: 'AB-12C', seat: 'Block A Row 12 Seat 5' },
    { order: 'ZZ9', seat: 'Grandstand left 12/5' },
  ])
  it('by the numbers that people say', () => {
    assert.deepEqual(find('A, 12, 5', 'seat').at(-1), [0])
    assert.deepEqual(find('block a row 12', 'seat').at(-1), [0])
    assert.deepEqual(find('125', 'seat').at(-1), [1])
  })
  it('with and without the signs between', () => {
    assert.deepEqual(find('ab12', 'order_code').at(-1), [0])
    assert.deepEqual(find('AB-12C', 'order_code')[0], [0])
  })
})

describe('a question', () => {
  it('needs three letters or digits, whatever signs are around them', () => {
    for (const text of ['', 'ab', ' a . b ', '"*"', '李明', 'é é']) assert.equal(questionOf(text), undefined, text)
    assert.ok(questionOf('a b c'))
  })

  it('of any text is one that the engine can answer', () => {
    const find = finder([{ name: 'Ann', order: 'X', seat: 'Y' }])
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.stringMatching(/^[ "*()+:^{}'aORNDT-]{3,40}$/),
    )
    fc.assert(
      fc.property(text, (typed) => {
        for (const by of ['name', 'order_code', 'seat'] as const) find(typed, by)
      }),
      { numRuns: 40 },
    )
  })
})

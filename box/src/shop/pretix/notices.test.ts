import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticesOf, wordsOfNotice } from './notices.ts'

const RULES = { isAfter: [{ var: 'now' }, { buildTime: ['date_admission'] }, 0] }
const mapping = {
  lists: new Map([
    [5, ['a-in', 'a-out']],
    [6, ['b-in']],
    [7, []],
  ]),
}

test('a mapped list that is there and has no rules is nothing to tell', () => {
  const lists = [{ id: 5, name: 'Entrance', rules: {} }, { id: 6 }, { id: 9, name: 'Mapped to nothing', rules: RULES }]
  assert.deepEqual(noticesOf({ lists }, mapping), [])
})

test('a list that is gone, and one with rules, are told with their checkpoints', () => {
  const notices = noticesOf({ lists: [{ id: 5, name: 'Entrance', rules: RULES }] }, mapping)
  assert.deepEqual(notices, [
    { code: 'list_rules', list: 5, name: 'Entrance', checkpoints: ['a-in', 'a-out'] },
    { code: 'list_gone', list: 6, name: null, checkpoints: ['b-in'] },
  ])
  assert.match(notices.map(wordsOfNotice).join('\n'), /5 \(Entrance\) of a-in, a-out has rules.*\n.*list 6 of b-in/)
})

test('whatever pretix sends as a list, the answer can be shown', () => {
  const strange = [
    { id: '5', name: 7, rules: RULES },
    { id: null, rules: [] },
    { id: 6, name: `\u0000${'x'.repeat(5_000)}\ud800`, rules: { or: [] } },
  ]
  const [first, second] = noticesOf({ lists: strange }, mapping)
  assert.deepEqual([first?.code, second?.code], ['list_rules', 'list_rules'])
  assert.ok((second?.name ?? '').length <= 120 && (second?.name ?? '').isWellFormed())
  const many = new Map(Array.from({ length: 500 }, (_, i) => [i, ['a-in']]))
  assert.equal(noticesOf({ lists: [] }, { lists: many }).length, 100)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readGuests } from './guest-lines.ts'

const TIERS = [
  { id: 'once', name: 'Day ticket' },
  { id: 'vip', name: 'VIP' },
]

const read = (text: string) => readGuests(text, 'once', TIERS)

test('a line is a name, and those whom they bring, and a tier, in any order after the name', () => {
  assert.deepEqual(
    read('Ana Reis\nBo Ek, +2, VIP\n"Cy Day"; vip; 1\nDi Fu\t+0\tDay Ticket\n\n  \n').map(
      ({ line, name, tickets, tier, problem }) => [line, name, tickets, tier, problem],
    ),
    [
      [1, 'Ana Reis', 1, 'once', null],
      [2, 'Bo Ek', 3, 'vip', null],
      [3, 'Cy Day', 2, 'vip', null],
      [4, 'Di Fu', 1, 'once', null],
    ],
  )
})

test('each mistake is named with its line', () => {
  const problems = (text: string) => read(text).flatMap(({ line, problem }) => (problem ? [`${line} ${problem}`] : []))
  assert.match(problems('Ana, Gold')[0] ?? '', /^1 There is no tier "Gold": write one of Day ticket, VIP/)
  assert.match(problems(', +2')[0] ?? '', /^1 The line has no name/)
  assert.match(problems('Ana, +200')[0] ?? '', /^1 \+200 is too many/)
  assert.match(problems('Ana, +1, +2')[0] ?? '', /^1 Two numbers/)
  assert.match(problems('Ana, vip, once')[0] ?? '', /^1 Two tiers/)
  assert.match(problems('Ana\nBo\nana, +1')[0] ?? '', /^3 "ana" is in line 1 already/)
  assert.match(problems(`${'x'.repeat(121)}`)[0] ?? '', /^1 The name is longer/)
  assert.match(readGuests('Ana', 'gone', TIERS)[0]?.problem ?? '', /Choose a tier/)
  const many = Array.from({ length: 301 }, (_, i) => `Guest ${i}`).join('\n')
  assert.match(problems(many)[0] ?? '', /^301 A list has 300 guests at most/)
})

test('whatever is pasted, every line is a guest or has a problem', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const { name, tickets, tier, problem } of read(text)) {
        assert.ok(tickets >= 1)
        if (problem === null) assert.ok(name !== null && tier !== null && tickets <= 20)
      }
    }),
  )
})

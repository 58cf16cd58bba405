import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'
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
  assert.match(problems('Ana, Gold')[0] ?? '', /^1 There is no ticket type "Gold": write one of Day ticket, VIP/)
  assert.match(problems(', +2')[0] ?? '', /^1 The line has no name/)
  assert.match(problems('Ana, +200')[0] ?? '', /^1 \+200 is too many/)
  assert.match(problems('Ana, +1, +2')[0] ?? '', /^1 Two numbers/)
  assert.match(problems('Ana, vip, once')[0] ?? '', /^1 Two ticket types/)
  assert.match(problems('Ana\nBo\nana, +1')[0] ?? '', /^3 "ana" is in line 1 already/)
  assert.match(problems(`${'x'.repeat(121)}`)[0] ?? '', /^1 The name is longer/)
  assert.match(readGuests('Ana', 'gone', TIERS)[0]?.problem ?? '', /Choose a ticket type/)
  const many = Array.from({ length: 301 }, (_, i) => `Guest ${i}`).join('\n')
  assert.match(problems(many)[0] ?? '', /^301 A list has 300 guests at most/)
})

test('each mistake has a code with its values, for apps', () => {
  const codes = (text: string) => read(text).flatMap(({ problem_coded }) => problem_coded ?? [])
  assert.deepEqual(codes('Ana, Gold\n, +2\nBo, +200\nCy, +1, +2\nDi, vip, once'), [
    { code: 'tier_strange', values: { tier: 'Gold', tiers: 'Day ticket, VIP' } },
    { code: 'no_name' },
    { code: 'plus_large', values: { plus: 200, most: 19 } },
    { code: 'plus_twice', values: { name: 'Cy' } },
    { code: 'tier_twice' },
  ])
  assert.deepEqual(codes('Ana\nBo\nana, +1'), [{ code: 'name_twice', values: { name: 'ana', line: 1 } }])
  assert.deepEqual(codes('x'.repeat(121)), [{ code: 'name_long', values: { most: 120 } }])
  assert.deepEqual(codes('A\u0007na'), [{ code: 'name_strange' }])
  assert.deepEqual(readGuests('Ana', 'gone', TIERS)[0]?.problem_coded, { code: 'tier_open' })
  const many = Array.from({ length: 301 }, (_, i) => `Guest ${i}`).join('\n')
  assert.deepEqual(codes(many), [{ code: 'list_long', values: { most: 300 } }])
})

test('whatever is pasted, every line is a guest or has a problem', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const { name, tickets, tier, problem, problem_coded: coded } of read(text)) {
        assert.ok(tickets >= 1)
        assert.equal(coded === undefined, problem === null)
        if (coded) assert.deepEqual(Object.keys(coded.values ?? {}), SAID.sale[coded.code])
        if (problem === null) assert.ok(name !== null && tier !== null && tickets <= 20)
      }
    }),
  )
})

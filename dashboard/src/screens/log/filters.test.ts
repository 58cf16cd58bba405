import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENTRY_KINDS } from '@gatehouse/proto/wire/entries.ts'
import fc from 'fast-check'
import { actionWords as words } from '../../words/late.ts'
import { addressOf, filterIn, keeps, type LogFilter, NO_FILTER, newerThan, queryOf } from './filters.ts'

test('every kind that the box can write has a name', () => {
  assert.deepEqual(new Set(Object.keys(words.log.kinds)), new Set(ENTRY_KINDS))
})

test('a filter comes back out of its address', () => {
  const text = fc.string({ maxLength: 60 }).map((each) => each.trim())
  const fields = { device: text, checkpoint: text, ticket: text, person: text, actor: text }
  const filter: fc.Arbitrary<LogFilter> = fc.record(
    { kind: fc.constantFrom('', 'decisions', ...ENTRY_KINDS), ...fields },
    { noNullPrototype: true },
  )
  fc.assert(fc.property(filter, (each) => assert.deepEqual(filterIn(addressOf(each), ENTRY_KINDS), each)))
})

test('an address with anything in it asks for what the box understands', () => {
  assert.deepEqual(filterIn('#/log', ENTRY_KINDS), NO_FILTER)
  assert.deepEqual(filterIn('#/log?kind=everything&x=1', ENTRY_KINDS), NO_FILTER)
  fc.assert(
    fc.property(fc.webFragments(), (hash) => {
      const { kind } = filterIn(`#${hash}`, ENTRY_KINDS)
      assert.ok(kind === '' || kind === 'decisions' || ENTRY_KINDS.includes(kind))
    }),
  )
})

test('the box is asked for what it can filter, and for nothing empty', () => {
  assert.deepEqual(queryOf(NO_FILTER), {})
  assert.deepEqual(queryOf({ ...NO_FILTER, kind: 'decisions', actor: 'Mo' }), {})
  const query = queryOf({
    kind: 'hold',
    device: 'd1',
    checkpoint: 'north-in',
    ticket: 'abc',
    person: 'per-1',
    actor: '',
  })
  assert.deepEqual(query, { kind: 'hold', device: 'd1', checkpoint: 'north-in', ticket: 'abc', person: 'per-1' })
})

test('an actor is found by a part of the name; entries of nobody are not', () => {
  const keep = keeps({ ...NO_FILTER, actor: ' mor ' })
  assert.ok(keep({ kind: 'hold', actor: 'Ines Morgan' }))
  assert.ok(!keep({ kind: 'hold', actor: 'Ana' }))
  assert.ok(!keep({ kind: 'scan', actor: null }))
})

test('decisions leave out what nobody decided', () => {
  const keep = keeps({ ...NO_FILTER, kind: 'decisions' })
  assert.ok(keep({ kind: 'ticket_revoked', actor: 'Ana' }))
  for (const kind of ['scan', 'seal', 'clock_fence', 'event'] as const) assert.ok(!keep({ kind, actor: null }))
})

test('newer entries are counted from the newest that is shown', () => {
  assert.equal(newerThan([{ index: 9 }, { index: 3 }], 15), 5)
  assert.equal(newerThan([{ index: 9 }], 10), 0)
  assert.equal(newerThan([{ index: 9 }], 4), 0)
  assert.equal(newerThan([], 10), null)
  assert.equal(newerThan([{ index: 9 }], undefined), null)
})

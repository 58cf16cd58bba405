import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING, typed, wishOf } from './wish.ts'

test('what was typed goes to the box without blanks at its ends, and what was not typed stays away', () => {
  assert.deepEqual(wishOf({ ...NOTHING, url: ' https://pretix.example ', token: ' abc ' }, 'look'), {
    ...{ step: 'look', url: 'https://pretix.example', token: 'abc' },
  })
})

test('an authority goes with its token only', () => {
  const form = { ...NOTHING, url: 'https://pretix.example', authority: 'PEM' }
  assert.ok(!('authority' in wishOf(form, 'look')))
  assert.equal(wishOf({ ...form, token: 'abc' }, 'look').authority, 'PEM')
})

test('dates go in order, and the actor with what is written', () => {
  const form = { ...NOTHING, url: 'u', organizer: 'acme', event: 'summer', dates: new Set([7, 3]) }
  assert.deepEqual(wishOf(form, 'connect', 'Mia'), {
    ...{ step: 'connect', url: 'u', organizer: 'acme', event: 'summer', dates: [3, 7], actor: 'Mia' },
  })
})

test('another address or token forgets what was chosen at the one before', () => {
  const chosen = { ...NOTHING, organizer: 'acme', event: 'summer', dates: new Set([1]) }
  for (const part of [{ url: 'x' }, { token: 'x' }, { authority: 'x' }]) {
    assert.deepEqual(typed(chosen, part), { ...NOTHING, ...part })
  }
  assert.equal(typed(chosen, { event: 'winter' }).organizer, 'acme')
})

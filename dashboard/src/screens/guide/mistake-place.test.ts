import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guideWords as words } from '../../words/late.ts'
import { placeOnForm } from './mistake-place.ts'

const EVENT = {
  zones: [{ id: 'in', name: 'Inside' }],
  gates: [{ id: 'a', name: 'Main gate' }, { id: 'b', name: ' ' }, 5],
  checkpoints: [{ id: 'a-in', name: 'Main gate, in', gate: 'a' }],
  tiers: 'day',
}
const said = (path: string) => placeOnForm(path, EVENT, words)

test('a mistake is said to be where the form shows the field', () => {
  assert.equal(said('ends_at'), words.basics.ends_at)
  assert.equal(said('name'), words.basics.name)
  assert.equal(said('checkpoints[0].from'), 'Checkpoints at the gates › Main gate, in › From')
  assert.equal(said('checkpoints[0].tiers[3]'), 'Checkpoints at the gates › Main gate, in › Who passes')
  assert.equal(said('zones[0].capacity'), 'Zones › Inside › People at most')
  assert.equal(said('gates[0]'), 'Gates › Main gate')
  assert.equal(said('gates'), 'Gates')
})

test('a row without a name is said by its number, and a field that no form shows by its own name', () => {
  assert.equal(said('gates[1].name'), 'Gates › 2')
  assert.equal(said('gates[2].name'), 'Gates › 3')
  assert.equal(said('tiers[0].name'), 'Ticket types › 1', 'a list that is none')
  assert.equal(said('checkpoints[0].opens_at'), 'Checkpoints at the gates › Main gate, in › opens_at')
})

test('what is not on the form keeps the name that the file has for it', () => {
  for (const path of [
    '',
    'id',
    'title',
    'scanners_sign_on.not_at[0]',
    'line 3, column 7',
    'gates[0].x.y',
    'constructor',
  ])
    assert.equal(said(path), undefined, path)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admittedAt } from './admitted.ts'

const passage = (direction: 'in' | 'out', at: string) => ({
  direction,
  at,
  checkpoint_name: 'North entry',
  gate_name: 'North',
})

test('somebody is in after an entry, and not before it nor after going out', () => {
  const came = passage('in', '2026-07-04T18:00:00Z')
  const left = passage('out', '2026-07-04T19:00:00Z')
  const again = passage('in', '2026-07-04T19:30:00Z')
  assert.equal(admittedAt([]), undefined)
  assert.equal(admittedAt([came]), came)
  assert.equal(admittedAt([came, left]), undefined)
  assert.equal(admittedAt([came, left, again]), again)
})

import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { historyOf, refIn, stateOf } from './history.ts'

const named = (id: string) => (id === 'north-in' ? 'North in' : id)
function rows(...entries: object[]) {
  return historyOf(
    entries.map((entry, index) => ({
      index,
      size: 9,
      leaf_hash: '',
      proof: [],
      entry: Buffer.from(JSON.stringify(entry)).toString('base64'),
    })),
    named,
  )
}
const scan = (over: object) => ({
  kind: 'scan',
  ticket: 'abc',
  checkpoint: 'north-in',
  direction: 'in',
  verdict: 'ADMIT',
  slot: 'day/1',
  offline_admitted: false,
  observed_at: '2026-11-20T19:00:00Z',
  at: '2026-11-20T19:00:01Z',
  hlc: '1.0',
  ...over,
})

test('a passage, an exit, a refusal, and what a scanner did alone are told apart', () => {
  const history = rows(
    scan({}),
    scan({ direction: 'out', verdict: 'EXIT' }),
    scan({ slot: null, verdict: 'ALREADY_USED', checkpoint: 'lost-gate' }),
    scan({ offline_admitted: true, verdict: 'REVOKED' }),
    { kind: 'supervisor_admit', checkpoint: 'north-in', actor: 'Ana', at: '2026-11-20T20:00:00Z' },
  )
  assert.deepEqual(
    history.map(({ text, passage }) => [text, passage]),
    [
      ['In: North in', 'in'],
      ['Out: North in', 'out'],
      ['Not let in at lost-gate: Already used', null],
      ['Admitted offline at North in; the box says Revoked', 'in'],
      ['Admitted at North in by supervisor Ana', 'in'],
    ],
  )
  assert.equal(refIn(history), 'abc')
})

test('the time is when the person stood there, or when the box wrote it', () => {
  const [stood, acted, clocked] = rows(
    scan({}),
    { kind: 'undo', at: '2026-11-20T20:00:00Z' },
    { kind: 'claim', hlc: '1795118400000.000003' },
  )
  assert.equal(stood?.at, '2026-11-20T19:00:00Z')
  assert.equal(acted?.at, '2026-11-20T20:00:00Z')
  assert.equal(clocked?.at, new Date(1795118400000).toISOString())
})

test('the last revocation, reinstatement, claim or release counts', () => {
  const revoked = { kind: 'ticket_revoked', ticket: 'abc', actor: 'Ana', reason: 'Stolen' }
  const reinstated = { kind: 'ticket_reinstated', ticket: 'abc', actor: 'Ana', reason: 'Found' }
  assert.deepEqual(stateOf(rows()), { revoked: false, claimed: false })
  assert.equal(stateOf(rows(revoked)).revoked, true)
  assert.equal(stateOf(rows(revoked, reinstated)).revoked, false)
  assert.equal(stateOf(rows(revoked, reinstated, revoked)).revoked, true)
  assert.equal(stateOf(rows({ kind: 'claim' })).claimed, true)
  assert.equal(stateOf(rows({ kind: 'claim' }, { kind: 'release' })).claimed, false)
})

test('an entry of whatever content is a line, and never the end of the page', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const entry = Buffer.from(text).toString('base64')
      const [row] = historyOf([{ index: 0, size: 1, leaf_hash: '', proof: [], entry }], named)
      assert.ok(row && !Number.isNaN(Date.parse(row.at)) && row.text.length > 0)
      stateOf([row])
    }),
  )
  const [unreadable] = historyOf([{ index: 0, size: 1, leaf_hash: '', proof: [], entry: '%%' }], named)
  assert.equal(unreadable?.raw, '')
})

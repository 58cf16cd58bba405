import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, Asked, JournalRow } from './history.ts'
import { type Betrayed, betrayals, type Held } from './traitor-invariants.ts'

const ATTACK = 'an attack'
const row = (index: number, fields: object): JournalRow => {
  const { kind } = fields as { kind: string }
  return { index, hlc: `${String(index).padStart(13, '0')}.000000`, kind, bytes: Buffer.from(JSON.stringify(fields)) }
}
const enrolment = row(0, { kind: 'enrolment', device: 'dev-1' })
const scan = row(1, { kind: 'scan', scan_id: 'scan-1' })
const account = (box: string, own: JournalRow[], copy: [string, JournalRow[]][] = []): Account => ({
  ...{ box, flags: [], counts: {}, skewed: [], heads: [] },
  journals: new Map([[box, own], ...copy]),
})
const asked: Asked = {
  ...{ scanId: 'scan-1', box: 'a', ticket: 'T', at: 0, tookMs: 1, during: ATTACK, alone: true, away: false },
  answer: { verdict: 'ADMIT', confidence: 'confirmed' },
}
const held: Held = {
  ...{ box: 'a', tickets: 2, nameless: 0, revoked: 0, scanIds: ['scan-1'] },
  devices: [{ id: 'dev-1', revokedAt: null }],
}
const good: Betrayed = {
  history: {
    asked: [asked],
    accounts: [account('a', [enrolment, scan]), account('b', [], [['a', [enrolment, scan]]])],
  },
  removed: account('gone', []),
  held: [held],
  made: { devices: new Set(['dev-1']), tickets: 2 },
  read: new Map([['voter', {}]]),
  attacks: [ATTACK],
}
const found = (changes: Partial<Betrayed>) =>
  betrayals({ ...good, ...changes }).map(({ invariant, what }) => `${invariant} ${what}`)
const withAccounts = (...accounts: Account[]) => ({ history: { asked: [asked], accounts } })

test('a run in which nothing was betrayed has no violation', () => assert.deepEqual(found({}), []))

test('T1: an entry of a copy that its owner did not make, or made differently', () => {
  const copies = (copy: JournalRow[]) => withAccounts(account('a', [enrolment, scan]), account('b', [], [['a', copy]]))
  assert.match(
    found(copies([enrolment, row(1, { kind: 'seal' })]))[0] ?? '',
    /^T1 b has an entry 1 of a that a did not/,
  )
  assert.match(found(copies([enrolment, scan, row(2, { kind: 'seal' })]))[0] ?? '', /^T1 b has an entry 2/)
  assert.match(
    found(withAccounts(account('a', [enrolment, scan], [['gone', [row(0, { kind: 'seal' })]]])))[0] ?? '',
    /of gone/,
  )
})

test('T1: what no member did, in a journal of a member', () => {
  const inA = (fields: object) => found(withAccounts(account('a', [enrolment, scan, row(2, fields)])))
  assert.match(inA({ kind: 'erasure' })[0] ?? '', /^T1 a, entry 2: a erasure/)
  assert.match(inA({ kind: 'ticket_revoked' })[0] ?? '', /ticket_revoked/)
  assert.match(inA({ kind: 'enrolment', device: 'dev-2' })[0] ?? '', /dev-2/)
  assert.match(inA({ kind: 'scan', scan_id: 'scan-2' })[0] ?? '', /scan-2/)
})

test('T1: what no member did, in the tables of a box', () => {
  const holds = (changes: Partial<Held>) => found({ held: [{ ...held, ...changes }] })
  assert.match(holds({ devices: [{ id: 'dev-2', revokedAt: null }] })[0] ?? '', /^T1 a knows a device dev-2/)
  assert.match(holds({ devices: [{ id: 'dev-1', revokedAt: 1 }] })[0] ?? '', /^T1 a has revoked dev-1/)
  assert.match(holds({ tickets: 1 })[0] ?? '', /^T1 a has 1 tickets/)
  assert.match(holds({ nameless: 1 })[0] ?? '', /^T1 a has lost 1 names/)
  assert.match(holds({ revoked: 1 })[0] ?? '', /^T1 a has 1 revoked/)
  assert.match(holds({ scanIds: ['scan-2'] })[0] ?? '', /^T1 a has let somebody in by scan-2/)
})

test('T2: a name that a traitor without the keys could read', () => {
  const [what] = found({ read: new Map([['voter', { 'Ada Quillfeather': 'gh.00.new.a' }]]) })
  assert.equal(what, 'T2 the voter read "Ada Quillfeather" on gh.00.new.a')
})

test('T3: a box that lets nobody in during an attack', () => {
  const refused = { ...asked, answer: undefined }
  assert.match(found({ history: { ...good.history, asked: [refused] } }).join(), /T3 .*a let nobody in of 1 scans/)
  assert.match(
    found({ history: { ...good.history, asked: [{ ...asked, during: 'calm' }] } }).join(),
    /nobody was let in/,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { leafHash } from '../src/seal/merkle.ts'
import type { Account, Asked, History, JournalRow } from './history.ts'
import { rootAt, violationsOf } from './laws.ts'

/** Two boxes, a ticket that was used at each while they were cut, and the case of it at both. */
function sound(): History & { accounts: Account[]; asked: Asked[] } {
  const a = [
    entry(0, 1_000, 'scan', admission('s1', { confidence: 'confirmed' })),
    entry(1, 9_000, 'heard', { box: 'b', from: 0, to: 1, again: ['s2'] }),
  ]
  const b = [
    entry(0, 2_000, 'scan', admission('s2', { confidence: 'provisional' })),
    entry(1, 9_500, 'heard', { box: 'a', from: 0, to: 1, again: ['s1'] }),
  ]
  const journals = new Map([
    ['a', a],
    ['b', b],
  ])
  const shared = {
    journals,
    misled: [],
    flags: [{ id: 'f', kind: 'double_use', scanIds: ['s1', 's2'] }],
    counts: { admissions: 2 },
  }
  return {
    asked: [asked('s1', 'a'), asked('s2', 'b', { alone: true })],
    accounts: [
      { box: 'a', ...shared, heads: [headOf(a, 1), headOf(a, 2)] },
      { box: 'b', ...shared, heads: [headOf(b, 1)] },
    ],
  }
}

test('a history in which nothing went wrong breaks no law', () => {
  assert.deepEqual(violationsOf(sound()), [])
})

const BROKEN: Record<string, (history: ReturnType<typeof sound>) => void> = {
  C1: ({ accounts }) => rewrite(accounts, 'b', 0, admission('s2', { confidence: 'confirmed' })),
  C2: ({ asked: all }) => all.push(asked('s3', 'a')),
  C3: ({ accounts }) => patch(accounts, 0, { flags: [] }),
  C4: ({ asked: all }) => all.push(asked('s1', 'a', { answer: { verdict: 'ALREADY_USED', confidence: 'confirmed' } })),
  C5: ({ accounts }) => patch(accounts, 1, { counts: { admissions: 1 } }),
  C6: ({ asked: all }) => {
    for (let i = 0; i < 100; i++) all.push(asked(`slow-${i}`, 'a', { tookMs: 1_500, answer: REFUSED }))
  },
  C7: ({ accounts }) => rewrite(accounts, 'a', 1, { box: 'b', from: 0, to: 1, again: [] }, 1_500),
  C8: ({ accounts }) => patch(accounts, 0, { heads: [{ size: 1, root: 'AAAA' }] }),
}
const REFUSED = { verdict: 'REVOKED', confidence: 'confirmed' }

for (const [law, spoil] of Object.entries(BROKEN)) {
  test(`${law} is seen to be broken`, () => {
    const history = sound()
    spoil(history)
    assert.ok(violationsOf(history).some((violation) => violation.law === law))
  })
}

test('a case with a record missing, two cases of one double, and a case of no double are all seen', () => {
  for (const flags of [
    [{ id: 'f', kind: 'double_use', scanIds: ['s1'] }],
    [
      { id: 'f', kind: 'double_use', scanIds: ['s1', 's2'] },
      { id: 'g', kind: 'double_use', scanIds: ['s2', 's1'] },
    ],
    [
      { id: 'f', kind: 'double_use', scanIds: ['s1', 's2'] },
      { id: 'g', kind: 'double_use', scanIds: ['s9'] },
    ],
  ]) {
    const history = sound()
    for (const i of [0, 1]) patch(history.accounts, i, { flags })
    assert.ok(violationsOf(history).every(({ law }) => law === 'C3'))
    assert.notEqual(violationsOf(history).length, 0)
  }
})

test('what a box answers that stood still meanwhile is not late', () => {
  const history = sound()
  for (let i = 0; i < 100; i++) {
    history.asked.push(asked(`slow-${i}`, 'a', { tookMs: 1_500, answer: REFUSED, asleep: true }))
  }
  assert.deepEqual(violationsOf(history), [])
})

test('a box that is alone and admits nobody of a hundred is seen', () => {
  const history = sound()
  for (let i = 0; i < 100; i++)
    history.asked.push(asked(`alone-${i}`, 'b', { alone: true, during: 'cut', answer: REFUSED }))
  assert.deepEqual(
    violationsOf(history).map(({ law }) => law),
    ['C6'],
  )
})

test('an admission that was taken back is none', () => {
  const history = sound()
  const { accounts } = history
  const undo = entry(2, 10_000, 'undo', { scan_id: 's2' })
  for (const { journals } of accounts) (journals.get('b') as JournalRow[])[2] = undo
  for (const i of [0, 1]) patch(accounts, i, { flags: [] })
  assert.deepEqual(violationsOf(history), [])
})

test('a box whose own clock is wrong takes every other one for wild', () => {
  const history = sound()
  rewrite(history.accounts, 'a', 1, { box: 'b', from: 0, to: 1, again: [] }, 1_500)
  patch(history.accounts, 0, { misled: [{ from: 1, to: 2 }] })
  assert.deepEqual(violationsOf(history), [])
})

test('a clock that is an hour ahead is not believed, and breaks no law', () => {
  const history = sound()
  const [, b] = history.accounts[0]?.journals ?? []
  const rows = b?.[1] as JournalRow[]
  rows[0] = entry(0, 3_600_000, 'scan', admission('s2', { confidence: 'provisional' }))
  rows[1] = entry(1, 3_700_000, 'heard', { box: 'a', from: 0, to: 1, again: ['s1'] })
  for (const i of [0, 1]) patch(history.accounts, i, { heads: [] })
  assert.deepEqual(violationsOf(history), [])
})

function asked(scanId: string, box: string, more: Partial<Asked> = {}): Asked {
  const answer = { verdict: 'ADMIT', confidence: 'confirmed' }
  return { scanId, box, ticket: 't', at: 0, tookMs: 5, answer, during: 'calm', alone: false, asleep: false, ...more }
}

function admission(scanId: string, more: object) {
  const fields = { scan_id: scanId, ticket: 't', slot: 'arena', surplus: 0, direction: 'in', offline_admitted: false }
  return { ...fields, verdict: 'ADMIT', ...more }
}

function entry(index: number, ms: number, kind: string, fields: object): JournalRow {
  const hlc = `${String(1_785_000_000_000 + ms)}.000000`
  return { index, hlc, kind, bytes: Buffer.from(canonicalJson({ ...fields, hlc, index, kind })) }
}

function headOf(rows: readonly JournalRow[], size: number) {
  return {
    size,
    root: rootAt(
      rows.map(({ bytes }) => leafHash(bytes)),
      size,
    ),
  }
}

/** Another entry in the place of one, at every box; its heads are of the log as it then is. */
function rewrite(accounts: Account[], box: string, index: number, fields: object, ms?: number): void {
  for (const [i, account] of accounts.entries()) {
    const rows = account.journals.get(box) as JournalRow[]
    const old = rows[index]
    if (!old) throw new Error(`there is no entry ${index}`)
    if (i === 0) rows[index] = entry(index, ms ?? Number(old.hlc.slice(0, 13)) - 1_785_000_000_000, old.kind, fields)
    patch(accounts, i, { heads: [] })
  }
}

function patch(accounts: Account[], i: number, changed: Partial<Account>): void {
  const account = accounts[i]
  if (account) accounts[i] = { ...account, ...changed }
}

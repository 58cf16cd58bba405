import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { leafHash } from '../src/seal/merkle.ts'
import type { Account, Asked, History, JournalRow } from './history.ts'
import { rootAt, violationsOf } from './invariants.ts'

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
    skewed: [],
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

test('a correct history violates no invariant', () => {
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

for (const [invariant, spoil] of Object.entries(BROKEN)) {
  test(`a violation of ${invariant} is found`, () => {
    const history = sound()
    spoil(history)
    assert.ok(violationsOf(history).some((violation) => violation.invariant === invariant))
  })
}

test('a case with a missing record, two cases of one double use, and a case without one are all found', () => {
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
    assert.ok(violationsOf(history).every(({ invariant }) => invariant === 'C3'))
    assert.notEqual(violationsOf(history).length, 0)
  }
})

test('one scan that two boxes recorded is one person: no double use, and no case', () => {
  const history = sound()
  rewrite(history.accounts, 'b', 0, admission('s1', { confidence: 'confirmed' }))
  for (const i of [0, 1]) patch(history.accounts, i, { flags: [], counts: { admissions: 1 } })
  history.asked[1] = asked('s1', 'b')
  assert.deepEqual(violationsOf(history), [])
  for (const i of [0, 1]) patch(history.accounts, i, { counts: { admissions: 2 } })
  assert.deepEqual(violatedBy(history), ['C5', 'C5'])
  for (const i of [0, 1]) {
    const flags = [{ id: 'f', kind: 'double_use', scanIds: ['s1'] }]
    patch(history.accounts, i, { flags, counts: { admissions: 1 } })
  }
  assert.deepEqual(violatedBy(history), ['C3', 'C3'])
})

test("a connected box repeats another box's answer to a scan; a cut-off box need not", () => {
  const used = { verdict: 'ALREADY_USED', confidence: 'confirmed' }
  const asIs = { ...used, confidence: 'provisional' }
  for (const [more, broken] of [
    [{ answer: used }, ['C4']],
    [{ answer: used, alone: true }, []],
    [{ answer: asIs }, []],
    [{ answer: undefined, away: true }, []],
  ] as const) {
    const history = sound()
    history.asked.push(asked('s1', 'b', { at: 10, ...more }))
    assert.deepEqual(violatedBy(history), broken)
  }
})

describe('a ticket that was refused as used', () => {
  const used = { verdict: 'ALREADY_USED', confidence: 'confirmed' }
  const refused = asked('s4', 'b', { ticket: 'v', at: 5_000, answer: used })
  const killed = asked('s3', 'a', { ticket: 'v', at: 1_000, tookMs: 100, answer: undefined, away: true })

  it('was used by somebody, whether or not a gate received the answer', () => {
    const history = sound()
    history.asked.push(refused)
    assert.deepEqual(violatedBy(history), ['C2'])
    history.asked[0] = asked('s1', 'a', { ticket: 'v', answer: undefined })
    assert.deepEqual(violationsOf(history), [])
  })

  it('was used by neither the refused scan nor a later one', () => {
    const history = sound()
    history.asked[0] = asked('s1', 'a', { ticket: 'v', at: 6_000 })
    history.asked.push(refused)
    assert.deepEqual(violatedBy(history), ['C2'])
    history.asked[0] = asked('s1', 'a', { ticket: 'v', answer: undefined })
    history.asked[2] = asked('s1', 'b', { ticket: 'v', at: 5_000, answer: used })
    assert.deepEqual(violatedBy(history), ['C2'])
  })

  it('may have been reserved by a box that died, until that box is back', () => {
    const history = sound()
    history.asked.push(killed, refused)
    assert.deepEqual(violationsOf(history), [])
    // A scan's own reservation does not refuse it.
    history.asked[2] = { ...killed, scanId: refused.scanId }
    assert.deepEqual(violatedBy(history), ['C2'])
    // A box that is there and has no answer in time writes down whom it admits.
    history.asked[2] = { ...killed, away: false }
    assert.deepEqual(violatedBy(history), ['C2'])
    history.asked[2] = killed
    const back = asked('s1', 'a', { at: 3_000, answer: { verdict: 'ADMIT', confidence: 'provisional' } })
    history.asked.push(back)
    assert.deepEqual(violationsOf(history), [])
    history.asked[4] = { ...back, answer: { verdict: 'ADMIT', confidence: 'confirmed' } }
    assert.deepEqual(violatedBy(history), ['C2'])
  })

  it('is found a thousand times when nobody was ever admitted', () => {
    const history = sound()
    for (let i = 0; i < 1_000; i++)
      history.asked.push(asked(`none-${i}`, 'a', { ticket: `none-${i % 500}`, answer: used }))
    assert.equal(violationsOf(history).length, 1_000)
  })
})

describe('a box that does not answer', () => {
  const silent = { answer: undefined, tookMs: 2_000, during: 'cut' }

  it('is late while it runs, and has nothing to answer while it is down', () => {
    const history = sound()
    for (let i = 0; i < 1_000; i++) history.asked.push(asked(`silent-${i}`, 'a', { ...silent, ticket: `silent-${i}` }))
    assert.deepEqual(violatedBy(history), ['C6'])
    history.asked.splice(2, 1_000, ...history.asked.slice(2).map((one) => ({ ...one, away: true })))
    assert.deepEqual(violationsOf(history), [])
  })

  it('is late also when it answers with an immediate error', () => {
    const history = sound()
    for (let i = 0; i < 100; i++)
      history.asked.push(asked(`error-${i}`, 'a', { ...silent, tookMs: 3, ticket: `error-${i}` }))
    assert.deepEqual(violatedBy(history), ['C6'])
  })

  it('admits nobody while it is cut off', () => {
    const history = sound()
    for (let i = 0; i < 1_000; i++) {
      history.asked.push(asked(`silent-${i}`, 'b', { ...silent, ticket: `silent-${i}`, alone: true }))
    }
    assert.deepEqual(violatedBy(history), ['C6', 'C6'])
  })

  it('may answer one request in a hundred late', () => {
    const history = sound()
    for (let i = 0; i < 100; i++) {
      history.asked.push(asked(`quick-${i}`, 'a', { ticket: `quick-${i}`, during: 'cut', answer: REFUSED }))
    }
    history.asked.push(asked('silent', 'a', { ...silent, ticket: 'silent' }))
    assert.deepEqual(violationsOf(history), [])
    history.asked.push(asked('silent', 'a', { ...silent, ticket: 'silent' }))
    assert.deepEqual(violatedBy(history), ['C6'])
  })
})

test('an answer of a box that was frozen meanwhile is not late', () => {
  const history = sound()
  for (let i = 0; i < 100; i++) {
    history.asked.push(asked(`slow-${i}`, 'a', { tookMs: 1_500, answer: REFUSED, away: true }))
  }
  assert.deepEqual(violationsOf(history), [])
})

test('a cut-off box that admits nobody is found within seconds; tickets that were scanned before do not count', () => {
  const alone = { alone: true, during: 'cut', answer: REFUSED }
  const newcomers = Array.from({ length: 5 }, (_, i) => asked(`alone-${i}`, 'b', { ...alone, ticket: `alone-${i}` }))
  const [first, ...others] = newcomers
  for (const [more, broken] of [
    [newcomers, ['C6']],
    [others, []],
    [[...others, ...others.map((one) => ({ ...one, scanId: `${one.scanId}-again`, at: 10 }))], []],
    [[first, ...others.map((one) => ({ ...one, box: 'a' }))], []],
  ] as [Asked[], string[]][]) {
    const history = sound()
    history.asked.push(...more)
    assert.deepEqual(violatedBy(history), broken)
  }
})

test('an undone admission does not count', () => {
  const history = sound()
  const { accounts } = history
  const undo = entry(2, 10_000, 'undo', { scan_id: 's2' })
  for (const { journals } of accounts) (journals.get('b') as JournalRow[])[2] = undo
  for (const i of [0, 1]) patch(accounts, i, { flags: [], counts: { admissions: 1 } })
  assert.deepEqual(violationsOf(history), [])
})

test('a box whose own clock is wrong may reject every other clock', () => {
  const history = sound()
  rewrite(history.accounts, 'a', 1, { box: 'b', from: 0, to: 1, again: [] }, 1_500)
  patch(history.accounts, 0, { skewed: [{ from: 1, to: 2 }] })
  assert.deepEqual(violationsOf(history), [])
})

test('a clock that is an hour ahead is not believed, and violates no invariant', () => {
  const history = sound()
  const [, b] = history.accounts[0]?.journals ?? []
  const rows = b?.[1] as JournalRow[]
  rows[0] = entry(0, 3_600_000, 'scan', admission('s2', { confidence: 'provisional' }))
  rows[1] = entry(1, 3_700_000, 'heard', { box: 'a', from: 0, to: 1, again: ['s1'] })
  for (const i of [0, 1]) patch(history.accounts, i, { heads: [] })
  assert.deepEqual(violationsOf(history), [])
})

const violatedBy = (history: History) => violationsOf(history).map(({ invariant }) => invariant)

function asked(scanId: string, box: string, more: Partial<Asked> = {}): Asked {
  const answer = { verdict: 'ADMIT', confidence: 'confirmed' }
  return { scanId, box, ticket: 't', at: 0, tookMs: 5, answer, during: 'calm', alone: false, away: false, ...more }
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

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brokenBy, identityAfter, identityOf, leftAt, Proof, placeOf } from './continuity.ts'

const PLACE = { system: '7', timeline: '1', database: '5', slot: 'changefeed' }

describe('timelines', () => {
  it('say where they were left', () => {
    const history = '1\t0/A000198\tno recovery target specified\n\n2\t1/0\tbefore 2026-11-20 00:00:00+00\n'
    assert.equal(leftAt(history, '1'), 0xa000198n)
    assert.equal(leftAt(history, '2'), 1n << 32n)
    assert.equal(leftAt(history, '3'), undefined)
    assert.equal(leftAt('', '1'), undefined)
    assert.equal(leftAt('1 nonsense', '1'), undefined)
  })
})

describe('what answers now', () => {
  const before = { identity: 'i', place: PLACE, acknowledged: 0x60n, delivered: 0x51n }
  const now = { place: PLACE, history: '', end: 0x60n }
  const promoted = { ...now, place: { ...PLACE, timeline: '2' } }

  it('is the same log, or one that goes on behind everything that was delivered', () => {
    assert.equal(brokenBy(before, now), undefined)
    // Transactions that were acknowledged behind the last change may be missing.
    assert.equal(brokenBy(before, { ...promoted, history: '1 0/51', end: 0x52n }), undefined)
  })

  it('is another one, and this is said of it', () => {
    const cases: [ReturnType<typeof brokenBy>, RegExp][] = [
      [brokenBy(before, { ...now, end: 0x5fn }), /log ends at 0\/5F, before 0\/60/],
      [brokenBy(before, { ...promoted, history: '1 0/50' }), /lacks changes .* left, at 0\/50, timeline 1/],
      [brokenBy(before, promoted), /does not descend from timeline 1/],
      [brokenBy(before, { ...now, place: { ...PLACE, system: '8' } }), /system identifier is 8, and it was 7/],
      [brokenBy(before, { ...now, place: { ...PLACE, database: '6' } }), /its oid is 6, and it was 5/],
      [brokenBy(before, { ...now, place: { ...PLACE, slot: 'other' } }), /through the slot changefeed, and not/],
      [brokenBy({ ...before, place: undefined }, now), /from another source, i$/],
    ]
    for (const [why, words] of cases) assert.match(why ?? '', words)
  })

  it('has an identity of its own after every gap', () => {
    const first = identityOf(PLACE)
    const third = identityAfter(identityAfter(first, PLACE), PLACE)
    assert.deepEqual([first, third], ['7/1/5/changefeed', '7/1/5/changefeed/2'])
    for (const identity of [first, third]) assert.deepEqual(placeOf(identity), PLACE)
    for (const identity of ['', 'sqlite/1795338195', 'a/b/c/d/e', '7/1/5/x/1/1'])
      assert.equal(placeOf(identity), undefined)
  })
})

describe('a proof', () => {
  const delivered = [
    { commitLsn: 0x70n, commitTime: 'b' },
    { commitLsn: 0x60n, commitTime: undefined },
    { commitLsn: 0x40n, commitTime: 'a' },
  ]

  it('wants what comes again, and nothing else', () => {
    const proof = new Proof(delivered, 0x50n)
    assert.deepEqual(
      [0x55n, 0x60n, 0x65n].map((at) => proof.transaction(at, 'x')),
      Array(3).fill(undefined),
    )
    assert.deepEqual([proof.end(0x70n), proof.isDone], [undefined, false])
    assert.deepEqual([proof.transaction(0x70n, 'b'), proof.isDone], [undefined, true])
    assert.equal(new Proof(delivered, 0x71n).isDone, true)
  })

  it('fails where a transaction is missing, or another is in its place', () => {
    assert.match(new Proof(delivered, 0x50n).transaction(0x61n, 'x') ?? '', /The transaction at 0\/60 was delivered/)
    assert.match(new Proof(delivered, 0x50n).end(0x61n) ?? '', /The transaction at 0\/60 was delivered/)
    assert.match(
      new Proof(delivered, 0x61n).transaction(0x70n, 'x') ?? '',
      /of b at 0\/70 .*: one of x is in its place/,
    )
  })
})

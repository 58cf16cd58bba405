import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LOCKED } from '../replication/follower-problems.ts'
import { OBSTACLES } from './mode.ts'
import { gateClause, modeReason, unreachableClause } from './reasons.ts'

describe('the reasons for a mode', () => {
  it('name the longest silence first, and how many more boxes are unreachable', () => {
    assert.equal(unreachableClause([]), undefined)
    assert.equal(unreachableClause([{ name: 'Gate South', ms: 185_000 }]), 'Gate South unheard for 3 minutes')
    const three = [
      { name: 'Gate East', ms: 1000 },
      { name: 'Gate West', ms: null },
      { name: 'Gate South', ms: 185_000 },
    ]
    assert.equal(unreachableClause(three), 'Gate West not heard since this box started, and 2 more')
  })

  it('have a sentence for every obstacle', () => {
    const seen = new Set<string>()
    const codes = new Set<string | undefined>()
    const all = { unreachable: [], refused: [] }
    const south = [{ name: 'Gate South', ms: 61_000 }]
    for (const obstacle of [null, ...OBSTACLES]) {
      const { text: reason, coded } = modeReason(obstacle, { unconfirmed: 2, ...all })
      assert.equal(coded.length, 1)
      codes.add(coded[0]?.code)
      assert.match(reason, /^[A-Z0-9].{10,}\.$/)
      seen.add(reason)
      assert.match(gateClause(obstacle, all), /^[a-z].{10,}[^.]$/)
      assert.equal(gateClause(obstacle, { ...all, unreachable: south }), 'Gate South unheard for 1 minute')
    }
    assert.equal(seen.size, OBSTACLES.length + 1)
    assert.equal(codes.size, seen.size)
    assert.match(modeReason('unconfirmed', { unconfirmed: 1, ...all }).text, /^1 admission is /)
    assert.match(modeReason('unreachable', { unconfirmed: 0, ...all, unreachable: south }).text, /\(Gate South unheard/)
  })

  it('do not promise that entries arrive where a journal is refused, and say which and why', () => {
    const south = {
      name: 'Gate South',
      problem: { text: 'an entry out of order', coded: { code: 'misshapen' } },
    } as const
    const state = { unconfirmed: 0, unreachable: [{ name: 'Gate East', ms: 5000 }], refused: [south] }
    const reason = 'Nothing can be taken from Gate South: an entry out of order.'
    assert.equal(modeReason('behind', state).text, reason)
    assert.equal(modeReason('behind', { ...state, refused: [south, south] }).text, `${reason} Nor from 1 more.`)
    assert.equal(gateClause('behind', state), 'nothing can be taken from Gate South')
    // An obstacle that matters more comes first, as always.
    assert.match(modeReason('unreachable', state).text, /do not answer/)
    assert.match(gateClause('unreachable', state), /^Gate East/)
  })

  it('come as codes with their values, one for each sentence', () => {
    const silent = [
      { name: 'Gate East', ms: 1000 },
      { name: 'Gate South', ms: 185_000.4 },
    ]
    const state = { unconfirmed: 3, unreachable: silent, refused: [] }
    assert.deepEqual(modeReason('unreachable', state).coded, [
      { code: 'votes_unreachable' },
      { code: 'silent', values: { name: 'Gate South', for_ms: 185_000 } },
      { code: 'silent_more', values: { n: 1 } },
    ])
    assert.deepEqual(modeReason('epoch', { ...state, unreachable: [{ name: 'Gate West', ms: null }] }).coded, [
      { code: 'authority_unknown' },
      { code: 'silent_since_start', values: { name: 'Gate West' } },
    ])
    assert.deepEqual(modeReason('unconfirmed', state).coded, [{ code: 'confirming', values: { n: 3 } }])
    const refused = [
      { name: 'Gate South', problem: LOCKED },
      { name: 'Gate North', problem: LOCKED },
    ]
    assert.deepEqual(modeReason('behind', { ...state, refused }).coded, [
      { code: 'refused', values: { name: 'Gate South' } },
      { code: 'other_key' },
      { code: 'refused_more', values: { n: 1 } },
    ])
  })
})

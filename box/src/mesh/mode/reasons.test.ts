import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
    const all = { unreachable: [], refused: [] }
    const south = [{ name: 'Gate South', ms: 61_000 }]
    for (const obstacle of [null, ...OBSTACLES]) {
      const reason = modeReason(obstacle, { unconfirmed: 2, ...all })
      assert.match(reason, /^[A-Z0-9].{10,}\.$/)
      seen.add(reason)
      assert.match(gateClause(obstacle, all), /^[a-z].{10,}[^.]$/)
      assert.equal(gateClause(obstacle, { ...all, unreachable: south }), 'Gate South unheard for 1 minute')
    }
    assert.equal(seen.size, OBSTACLES.length + 1)
    assert.match(modeReason('unconfirmed', { unconfirmed: 1, ...all }), /^1 admission is /)
    assert.match(modeReason('unreachable', { unconfirmed: 0, ...all, unreachable: south }), /\(Gate South unheard/)
  })

  it('do not promise that entries arrive where a journal is refused, and say which and why', () => {
    const south = { name: 'Gate South', problem: 'an entry out of order' }
    const state = { unconfirmed: 0, unreachable: [{ name: 'Gate East', ms: 5000 }], refused: [south] }
    const reason = 'Nothing can be taken from Gate South: an entry out of order.'
    assert.equal(modeReason('behind', state), reason)
    assert.equal(modeReason('behind', { ...state, refused: [south, south] }), `${reason} Nor from 1 more.`)
    assert.equal(gateClause('behind', state), 'nothing can be taken from Gate South')
    // An obstacle that matters more comes first, as always.
    assert.match(modeReason('unreachable', state), /do not answer/)
    assert.match(gateClause('unreachable', state), /^Gate East/)
  })
})

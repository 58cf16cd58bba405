import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OBSTACLES } from './mode.ts'
import { gateClause, modeReason, unheardClause } from './words.ts'

describe('the words for who is not heard', () => {
  it('name the longest silence first, and how many more there are', () => {
    assert.equal(unheardClause([]), undefined)
    assert.equal(unheardClause([{ name: 'Gate South', ms: 185_000 }]), 'Gate South unheard for 3 minutes')
    const three = [
      { name: 'Gate East', ms: 1000 },
      { name: 'Gate West', ms: null },
      { name: 'Gate South', ms: 185_000 },
    ]
    assert.equal(unheardClause(three), 'Gate West not heard since this box started, and 2 more')
  })

  it('say something for every reason there is', () => {
    const seen = new Set<string>()
    const all = { unheard: [], refused: [] }
    const south = [{ name: 'Gate South', ms: 61_000 }]
    for (const obstacle of [null, ...OBSTACLES]) {
      const reason = modeReason(obstacle, { owed: 2, ...all })
      assert.match(reason, /^[A-Z0-9].{10,}\.$/)
      seen.add(reason)
      assert.match(gateClause(obstacle, all), /^[a-z].{10,}[^.]$/)
      assert.equal(gateClause(obstacle, { ...all, unheard: south }), 'Gate South unheard for 1 minute')
    }
    assert.equal(seen.size, OBSTACLES.length + 1)
    assert.match(modeReason('owing', { owed: 1, ...all }), /^1 admission is /)
    assert.match(modeReason('unheard', { owed: 0, ...all, unheard: south }), /\(Gate South unheard/)
  })

  it('do not say that something arrives where nothing can be taken, and say from whom and why', () => {
    const south = { name: 'Gate South', problem: 'an entry out of order' }
    const told = { owed: 0, unheard: [{ name: 'Gate East', ms: 5000 }], refused: [south] }
    const reason = 'Nothing can be taken from Gate South: an entry out of order.'
    assert.equal(modeReason('behind', told), reason)
    assert.equal(modeReason('behind', { ...told, refused: [south, south] }), `${reason} Nor from 1 more.`)
    assert.equal(gateClause('behind', told), 'nothing can be taken from Gate South')
    // What matters more is said first, as ever.
    assert.match(modeReason('unheard', told), /do not answer/)
    assert.match(gateClause('unheard', told), /^Gate East/)
  })
})

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
    for (const obstacle of [null, ...OBSTACLES]) {
      const reason = modeReason(obstacle, { owed: 2, unheard: [] })
      assert.match(reason, /^[A-Z0-9].{10,}\.$/)
      seen.add(reason)
      assert.match(gateClause(obstacle, []), /^[a-z].{10,}[^.]$/)
      assert.equal(gateClause(obstacle, [{ name: 'Gate South', ms: 61_000 }]), 'Gate South unheard for 1 minute')
    }
    assert.equal(seen.size, OBSTACLES.length + 1)
    assert.match(modeReason('owing', { owed: 1, unheard: [] }), /^1 admission is /)
    assert.match(
      modeReason('unheard', { owed: 0, unheard: [{ name: 'Gate South', ms: 5000 }] }),
      /\(Gate South unheard/,
    )
  })
})

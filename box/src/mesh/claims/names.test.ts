import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { claimNames } from './names.ts'

const names = claimNames('00ff', 3)

describe('what claims are called', () => {
  it('is one subject for each right, whatever characters are in it', () => {
    assert.equal(names.stream, 'CLAIM_00ff_3')
    fc.assert(
      fc.property(fc.string(), fc.string(), (ref, slot) => {
        assert.match(names.claimOf(ref, slot), /^gh\.00ff\.claim\.3\.[0-9a-f]{32}$/)
      }),
    )
    assert.match(names.probeOf('box-1'), /^gh\.00ff\.probe\.3\.[0-9a-f]{32}$/)
  })

  it('is another for another ticket, right or epoch', () => {
    const subjects = [
      names.claimOf('a', 'b'),
      names.claimOf('b', 'b'),
      names.claimOf('a', 'c'),
      names.claimOf('ab', ''),
      claimNames('00ff', 4).claimOf('a', 'b'),
      claimNames('00fe', 3).claimOf('a', 'b'),
    ]
    assert.equal(new Set(subjects).size, subjects.length)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { leftAt } from './timeline.ts'

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

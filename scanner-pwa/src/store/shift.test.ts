import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ScanRecord } from '../gate/model.ts'
import { counted, newShift } from './shift.ts'

const record = (more: Partial<ScanRecord>) =>
  ({ scanId: '1', at: 100, class: 'admit', alone: false, verdict: { verdict: 'ADMIT' }, ...more }) as ScanRecord

describe('a shift', () => {
  it('counts each scan as what it has become', () => {
    const first = record({ class: 'used' })
    const admitted = record({ class: 'admit', supervised: true })
    const undone = record({ class: 'admit', supervised: true, undone: true })
    const start = newShift(50, 'Ana')
    const shift = [counted(start, undefined, first)]
    shift.push(counted(shift[0] ?? assert.fail(), first, admitted))
    shift.push(counted(shift[1] ?? assert.fail(), admitted, undone))
    assert.deepEqual(
      shift.map(({ byClass, supervised, undone }) => [byClass.used, byClass.admit, supervised, undone]),
      [
        [1, 0, 0, 0],
        [0, 1, 1, 0],
        [0, 1, 1, 1],
      ],
    )
    assert.equal(counted(start, undefined, record({ alone: true })).alone, 1)
  })

  it('leaves alone what was handed over, and what decided nothing', () => {
    const shift = newShift(200, null)
    assert.equal(counted(shift, record({ at: 100 }), record({ at: 100, undone: true })), shift)
    assert.equal(counted(shift, undefined, record({ at: 300, failed: true })), shift)
  })
})

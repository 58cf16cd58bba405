import assert from 'node:assert/strict'
import { it } from 'node:test'
import { percentSteps } from './percent-steps.ts'

it('progress is told a hundred times at most, at the beginning of each step of the work and at its end', () => {
  const isTold = percentSteps()
  for (const step of ['read', 'compare']) {
    const told = Array.from({ length: 1001 }, (_, n) => n / 1000).filter((fraction) => isTold(fraction, step))
    assert.deepEqual([told[0], told.at(-1)], [0, 1])
    assert.ok(told.length <= 101 && told.length > 90, `${told.length}`)
  }
})

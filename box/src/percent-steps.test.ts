import assert from 'node:assert/strict'
import { it } from 'node:test'
import { percentSteps } from './percent-steps.ts'

it('progress is told once for each per cent of a phase, and at the end of it', () => {
  const shouldTell = percentSteps()
  const fractions = [...Array.from({ length: 1001 }, (_, n) => n / 1000), 1]
  for (const phase of ['read', 'compare']) {
    const told = fractions.filter((fraction) => shouldTell(fraction, phase))
    assert.deepEqual([told[0], told.at(-1)], [0, 1])
    assert.ok(told.length <= 101 && told.length > 90, `${told.length}`)
    assert.equal(new Set(told).size, told.length)
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LiveScans } from './live-scans.ts'

function gate() {
  const clock = { ms: 10_000 }
  return { clock, scans: new LiveScans(() => clock.ms) }
}

describe('live scans', () => {
  it('are in flight until they are answered, and recent for a second', () => {
    const { clock, scans } = gate()
    assert.deepEqual([scans.areInFlight, scans.areRecent], [false, false])
    const one = scans.begin()
    const other = scans.begin()
    one[Symbol.dispose]()
    assert.deepEqual([scans.areInFlight, scans.areRecent], [true, true])
    other[Symbol.dispose]()
    assert.deepEqual([scans.areInFlight, scans.areRecent], [false, true])
    clock.ms += 1_000
    assert.equal(scans.areRecent, false)
  })

  it('that wait for other boxes hold up nothing for long', () => {
    const { clock, scans } = gate()
    scans.begin()
    clock.ms += 50
    assert.equal(scans.areInFlight, false)
  })
})

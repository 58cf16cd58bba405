import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { againAlone, type Ran } from './again-alone.ts'
import type { Ended } from './test-process.ts'

const ended = (passed: number, failed: number, printed = ''): Ended => ({
  counts: { passed, failed, skipped: [] },
  isKilled: false,
  printed,
})
const never = () => assert.fail('it ran again')
const ran = (name: string, first: Ended, again: Ran['again'] = never): Ran => ({ name, ended: first, again })

describe('a test file that failed beside others', () => {
  it('is the only one that runs again, and counts as it ended alone', async () => {
    const again = async () => ended(2, 0)
    const { counts, reports } = await againAlone([ran('a', ended(3, 0)), ran('b', ended(1, 1, 'too late'), again)])
    assert.deepEqual(counts, [ended(3, 0).counts, ended(2, 0).counts])
    assert.deepEqual(reports, ['b failed beside others, and passed alone: look for its cause. It said:\ntoo late'])
  })

  it('has failed where it fails alone as well', async () => {
    const { counts, reports } = await againAlone([ran('b', ended(1, 1, 'wrong'), async () => ended(1, 1))])
    assert.equal(counts[0]?.failed, 1)
    assert.deepEqual(reports, ['b failed. It said:\nwrong'])
  })

  it('does not run again where many failed', async () => {
    const { counts } = await againAlone(Array.from({ length: 5 }, (_, i) => ran(`${i}`, ended(0, 1))))
    assert.equal(counts.filter(({ failed }) => failed === 1).length, 5)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { Redeemed } from './redeemed.ts'

const EVENING = Date.parse('2026-07-04T23:00:00+01:00')
/** The festival day begins at six. */
const QUARTER_TO = Date.parse('2026-07-05T05:45:00+01:00')
const SIX = Date.parse('2026-07-05T06:00:00+01:00')

describe('the list of what is used up on the next festival day', () => {
  it('is read before that begins, keeps step with scans until then, and nobody waits for it', async () => {
    using desk = await Desk.open({ now: EVENING })
    const { event, ledger, tickets, codes } = desk.deps
    await desk.import(['A,daily', 'B,daily', 'C,once', 'D,once'])
    let pages = 0
    const pause = async () => void pages++
    const redeemed = new Redeemed({ event, ledger, tickets, now: () => desk.now })
    const listed = () =>
      ['A', 'B', 'C', 'D'].filter((code) => {
        const prefix = codes.hash(code).subarray(0, 8)
        const all = redeemed.prefixes(['arena'])
        return Array.from({ length: all.length / 8 }, (_, i) => all.subarray(i * 8, i * 8 + 8)).some((p) =>
          p.equals(prefix),
        )
      })
    for (const code of ['A', 'C']) assert.equal((await desk.scan(code)).verdict, 'ADMIT')
    await redeemed.readAhead(pause)
    assert.equal(pages, 0, 'it is hours away')
    await redeemed.refresh(pause)
    desk.now = QUARTER_TO
    await redeemed.readAhead(pause)
    for (const code of ['B', 'D']) assert.equal((await desk.scan(code)).verdict, 'ADMIT')
    await redeemed.refresh(pause)
    assert.deepEqual(listed(), ['A', 'B', 'C', 'D'])

    desk.now = SIX
    pages = 0
    await redeemed.refresh(pause)
    assert.deepEqual([pages, listed()], [0, ['C', 'D']])
  })

  it('is read when the day has begun where reading ahead has failed', async () => {
    using desk = await Desk.open({ now: QUARTER_TO })
    const { event, ledger, tickets } = desk.deps
    await desk.import(['A,daily', 'C,once'])
    for (const code of ['A', 'C']) assert.equal((await desk.scan(code)).verdict, 'ADMIT')
    const redeemed = new Redeemed({ event, ledger, tickets, now: () => desk.now })
    const failing = redeemed.readAhead(() => Promise.reject(new Error('the disk')))
    await assert.rejects(failing, /the disk/)
    desk.now = SIX
    await redeemed.refresh(async () => {})
    // The printed code and the key of C.
    assert.equal(redeemed.prefixes(['arena']).length, 2 * 8)
  })
})

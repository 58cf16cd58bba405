import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { Phone } from '../../test/world/phone.ts'
import { claimTicket } from './claim.ts'
import { CodeListThreads } from './code-lists-thread.ts'
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

describe('the list of what is used up today', () => {
  it('has, read by a thread, also scans that are not in the file yet, and what happens while it is read', async (t) => {
    using desk = await Desk.open({ now: EVENING })
    const { event, ledger, tickets, identity } = desk.deps
    const own = { event, ledger, tickets, now: () => desk.now }
    const path = join(desk.folder, 'ledger.db')
    const threads = new CodeListThreads({ path, event, salt: identity.manifestSalt })
    t.after(() => threads[Symbol.asyncDispose]())
    const codes = Array.from({ length: 40 }, (_, i) => `T-${i}`)
    await desk.import(codes.map((code) => `${code},once`))
    const scan = (from: number, to: number) => Promise.all(codes.slice(from, to).map((code) => desk.scan(code)))
    await scan(0, 10)
    const seen = await threads.readUsed('2026-07-04')
    // As in a fold that is open: the thread does not see them.
    await scan(10, 20)
    const read = async () => {
      await scan(20, 30)
      return seen
    }
    const redeemed = new Redeemed({ ...own, read })
    const prefixes = async (of: Redeemed) => {
      await of.refresh(async () => {})
      return of.prefixes(['arena'])
    }
    const first = await prefixes(redeemed)
    assert.deepEqual(first, await prefixes(new Redeemed(own)))
    // Two codes each.
    assert.equal(first.length, 2 * 30 * 8)
    await scan(30, 40)
    assert.equal((await prefixes(redeemed)).length, 2 * 40 * 8)
    assert.deepEqual(await prefixes(redeemed), await prefixes(new Redeemed(own)))
  })

  it('has the new code of a ticket that is claimed while others are looked up', async () => {
    using desk = await Desk.open({ now: EVENING })
    const { event, ledger, tickets } = desk.deps
    const deps = { ...desk.deps, now: () => desk.now }
    const codes = Array.from({ length: 400 }, (_, i) => `T-${i}`)
    await desk.import(codes.map((code) => `${code},once`))
    const redeemed = new Redeemed({ event, ledger, tickets, now: () => desk.now })
    await redeemed.refresh(async () => {})
    await Promise.all(codes.map((code) => desk.scan(code)))
    let claims = 0
    await redeemed.refresh(async () => {
      if (claims++ > 0) return
      const [ticket] = [...tickets.pages.all()].flat()
      if (ticket) await claimTicket(ticket.capability, new Phone().claim(ticket.capability), deps)
    })
    assert.ok(claims > 0, 'there was a pause')
    // Its printed code, its first key and the phone's.
    assert.equal(redeemed.prefixes(['arena']).length, (2 * 400 + 1) * 8)
  })

  it('is that of the festival day at whose time it is ready', async () => {
    using desk = await Desk.open({ now: SIX - 1_000 })
    const { event, ledger, tickets } = desk.deps
    await desk.import(['A,daily', 'C,once'])
    for (const code of ['A', 'C']) assert.equal((await desk.scan(code)).verdict, 'ADMIT')
    const redeemed = new Redeemed({ event, ledger, tickets, now: () => desk.now })
    await redeemed.refresh(async () => {
      desk.now = SIX
    })
    assert.equal(redeemed.prefixes(['arena']).length, 2 * 8)
  })

  it('is refused while the latest scans cannot be read from a failing disk', async () => {
    using desk = await Desk.open({ now: EVENING })
    const { event, ledger, tickets } = desk.deps
    await desk.import(['A,once'])
    await desk.scan('A')
    const failing = {
      db: { drizzle: ledger.db.drizzle, isBehind: true },
      size: ledger.size,
      read: ledger.read.bind(ledger),
      subscribe: ledger.subscribe.bind(ledger),
    }
    const redeemed = new Redeemed({ event, ledger: failing as unknown as typeof ledger, tickets, now: () => desk.now })
    await assert.rejects(
      redeemed.refresh(async () => {}),
      { code: 'ledger_unavailable' },
    )
    failing.db.isBehind = false
    await redeemed.refresh(async () => {})
    assert.equal(redeemed.prefixes(['arena']).length, 2 * 8)
  })
})

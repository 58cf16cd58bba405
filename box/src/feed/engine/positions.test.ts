import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import type { Position } from '../lsn.ts'
import { Acknowledgement } from './positions.ts'

/** An event of a source: one of the three. */
interface Told {
  event?: Position
  commit?: bigint
  idle?: bigint
}

const at = (commitLsn: bigint, index = 0) => ({ commitLsn, index })

describe('what is acknowledged', () => {
  it('is the end of a transaction, and not its commit', () => {
    const marks = new Acknowledgement()
    marks.event(at(10n))
    marks.commit(10n, 18n)
    assert.equal(marks.advance(10n), undefined, 'while the event is outstanding')
    assert.equal(marks.advance(undefined), 18n)
    assert.equal(marks.acknowledged, 18n)
    assert.equal(marks.advance(undefined), undefined, 'once')
  })

  it('stops before the first transaction that is outstanding', () => {
    const marks = new Acknowledgement()
    for (const lsn of [10n, 20n, 30n]) {
      marks.event(at(lsn))
      marks.commit(lsn, lsn + 8n)
    }
    assert.equal(marks.advance(30n), 28n)
    assert.equal(marks.reached(undefined), 38n, 'of a sink that has taken all')
    assert.equal(marks.reached(30n), 28n)
    assert.equal(marks.advance(undefined), 38n)
  })

  it('is an idle position only when nothing before it is outstanding (fault 17)', () => {
    const marks = new Acknowledgement()
    marks.event(at(10n))
    marks.commit(10n, 18n)
    marks.idle(500n)
    assert.equal(marks.advance(10n), undefined)
    assert.equal(marks.advance(undefined), 500n)
  })

  it('is no idle position in the middle of a transaction, though its events so far are taken', () => {
    const marks = new Acknowledgement()
    marks.event(at(10n))
    marks.idle(500n)
    assert.equal(marks.advance(undefined), undefined)
    // The source loses its connection, and tells an earlier transaction first.
    marks.commit(5n, 9n)
    marks.idle(500n)
    assert.equal(marks.advance(undefined), 9n)
    marks.commit(10n, 18n)
    assert.equal(marks.advance(undefined), 18n)
    marks.idle(500n)
    assert.equal(marks.advance(undefined), 500n)
  })

  it('grows by empty transactions, and by nothing that was told before', () => {
    const marks = new Acknowledgement()
    marks.commit(10n, 18n)
    assert.equal(marks.advance(undefined), 18n)
    marks.commit(10n, 18n)
    marks.idle(3n)
    assert.equal(marks.advance(undefined), undefined)
  })

  it('an event that comes a second time is known', () => {
    const marks = new Acknowledgement()
    assert.deepEqual(
      [at(10n, 0), at(10n, 1), at(10n, 0), at(9n, 7), at(10n, 2), at(11n, 0)].map((p) => marks.event(p)),
      [true, true, false, false, true, true],
    )
  })
})

test('whatever is told again and whatever is outstanding: never beyond it, never back, and all of it in the end', () => {
  // Transactions at 100, 200, ...; each ends 8 further on. Taking is in order.
  const step = fc.oneof(
    fc.record({ what: fc.constant('tell' as const), n: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ what: fc.constant('take' as const), n: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ what: fc.constant('back' as const), n: fc.constant(0) }),
  )
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 12 }), fc.array(step, { maxLength: 80 }), (sizes, steps) => {
      const script = sizes.flatMap((size, i): Told[] => {
        const commitLsn = BigInt(i + 1) * 100n
        const events = Array.from({ length: size }, (_, index) => ({ event: at(commitLsn, index) }))
        return [...events, { commit: commitLsn }, { idle: commitLsn + 50n }]
      })
      const marks = new Acknowledgement()
      const outstanding: bigint[] = []
      let next = 0
      let committed = 0n
      const check = () => {
        const before = marks.acknowledged
        const end = marks.advance(outstanding[0])
        if (end === undefined) return
        assert.ok(end > before)
        const [oldest] = outstanding
        assert.ok(oldest === undefined || end < oldest, `${end} with ${oldest} outstanding`)
        const open = script[next - 1]
        if (open?.event && open.event.commitLsn > committed)
          assert.ok(end < open.event.commitLsn, 'in the middle of a transaction')
      }
      const tell = () => {
        const item = script[next]
        if (!item) return
        next++
        if (item.event) {
          if (marks.event(item.event)) outstanding.push(item.event.commitLsn)
        } else if (item.commit) {
          marks.commit(item.commit, item.commit + 8n)
          if (item.commit > committed) committed = item.commit
        } else if (item.idle) marks.idle(item.idle)
      }
      for (const { what, n } of steps) {
        if (what === 'back') {
          // To the beginning of the first transaction that is not acknowledged.
          const from = marks.acknowledged
          const again = script.findIndex(({ commit }) => commit !== undefined && commit + 8n > from)
          const { commit = 0n } = script[again] ?? {}
          if (again !== -1) next = again - (sizes[Number(commit / 100n) - 1] ?? 0)
        }
        for (let i = 0; i < n; i++) {
          if (what === 'tell') tell()
          else outstanding.shift()
          check()
        }
      }
      while (next < script.length) tell()
      outstanding.length = 0
      check()
      if (sizes.length > 0) assert.equal(marks.acknowledged, BigInt(sizes.length) * 100n + 50n)
    }),
    { numRuns: 500 },
  )
})

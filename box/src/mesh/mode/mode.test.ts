import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  ANSWERS_UP,
  type Conditions,
  initialState,
  MISSES_DOWN,
  type ModeState,
  OBSTACLES,
  type Observation,
  type Obstacle,
  SETTLING_MS,
  step,
} from './mode.ts'

const well: Conditions = {
  forced: false,
  epochKnown: true,
  synced: true,
  backfilled: true,
  unconfirmed: 0,
  caughtUp: true,
}
const looked = (at: number, change: Partial<Conditions> = {}): Observation => ({
  kind: 'looked',
  at,
  conditions: { ...well, ...change },
})
const after = (state: ModeState, ...observations: Observation[]) => observations.reduce(step, state)
const answers = (from: number, to: number, every = 300): Observation[] =>
  Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, i) => ({ kind: 'answered', at: from + i * every }))
const strict = after(initialState(well), ...answers(0, SETTLING_MS + 300))

describe('the mode', () => {
  it('is DEGRADED at the start, and STRICT after ten seconds of answers', () => {
    const state = after(initialState(well), ...answers(0, SETTLING_MS - 300))
    assert.deepEqual([state.mode, state.obstacle], ['DEGRADED', 'settling'])
    assert.deepEqual([strict.mode, strict.obstacle], ['STRICT', null])
  })

  it('goes down at the second unanswered wait in a row, and at a reservation that got no answer within its deadline', () => {
    const one = step(strict, { kind: 'unanswered', at: 20_000 })
    assert.equal(one.mode, 'STRICT')
    assert.equal(after(one, { kind: 'answered', at: 20_100 }, { kind: 'unanswered', at: 20_200 }).mode, 'STRICT')
    const two = step(one, { kind: 'unanswered', at: 20_300 })
    assert.deepEqual([two.mode, two.obstacle, two.reachable], ['DEGRADED', 'unreachable', false])
    assert.equal(step(strict, { kind: 'timed_out', at: 20_000 }).mode, 'DEGRADED')
  })

  it('lets rights be reserved again before it is up, so that the queue can be emptied', () => {
    const down = step(strict, { kind: 'timed_out', at: 20_000 })
    const state = after(down, looked(20_100, { unconfirmed: 7 }), ...answers(21_000, 21_600))
    assert.deepEqual([state.mode, state.reachable, state.obstacle], ['DEGRADED', true, 'unconfirmed'])
  })

  for (const [what, conditions, obstacle] of [
    ['an admin forces it', { forced: true }, 'forced'],
    ['there may be a newer epoch', { epochKnown: false }, 'epoch'],
    ['the voters do not write to disk', { synced: false }, 'unsynced'],
    ['the stream is another one', { backfilled: false }, 'backfill'],
  ] as const satisfies readonly [string, Partial<Conditions>, Obstacle][]) {
    it(`is DEGRADED at once when ${what}, and back when that is over`, () => {
      const down = step(strict, looked(20_000, conditions))
      assert.deepEqual([down.mode, down.obstacle], ['DEGRADED', obstacle])
      assert.equal(step(down, looked(20_100)).mode, 'STRICT')
    })
  }

  for (const [what, conditions, obstacle] of [
    ['an admission is unconfirmed', { unconfirmed: 1 }, 'unconfirmed'],
    ['entries are still arriving', { caughtUp: false }, 'behind'],
  ] as const satisfies readonly [string, Partial<Conditions>, Obstacle][]) {
    it(`does not come up while ${what}, and does not go down for it`, () => {
      assert.equal(step(strict, looked(20_000, conditions)).mode, 'STRICT')
      const down = after(
        strict,
        { kind: 'timed_out', at: 20_000 },
        looked(20_001, conditions),
        ...answers(20_300, 40_000),
      )
      assert.deepEqual([down.mode, down.obstacle], ['DEGRADED', obstacle])
      assert.equal(step(down, looked(40_100)).mode, 'STRICT')
    })
  }

  it('reports the obstacle that matters most', () => {
    assert.equal(new Set(OBSTACLES).size, OBSTACLES.length)
    const all = step(initialState(well), looked(0, { forced: true, epochKnown: false, synced: false, unconfirmed: 3 }))
    assert.equal(all.obstacle, 'forced')
  })
})

const anyConditions = fc.record<Conditions>({
  forced: fc.boolean(),
  epochKnown: fc.boolean(),
  synced: fc.boolean(),
  backfilled: fc.boolean(),
  unconfirmed: fc.nat(3),
  caughtUp: fc.boolean(),
})
const kinds = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'answered' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'unanswered' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'timed_out' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'looked' as const, conditions: well }) },
  { weight: 1, arbitrary: anyConditions.map((conditions) => ({ kind: 'looked' as const, conditions })) },
)
const histories = fc.array(fc.record({ what: kinds, after: fc.nat(4000) }), { maxLength: 120 }).map((steps) => {
  let at = 0
  return steps.map(({ what, after }): Observation => {
    at += after
    return { ...what, at }
  })
})

describe('whatever happens', () => {
  const walk = (history: readonly Observation[]) => {
    const states = [initialState(well)]
    for (const observation of history) states.push(step(states.at(-1) as ModeState, observation))
    return states
  }

  it('is never STRICT against an admin, an unknown epoch, voters that do not sync, or an empty stream', () => {
    fc.assert(
      fc.property(histories, (history) => {
        for (const { mode, obstacle, conditions, reachable } of walk(history)) {
          assert.equal(mode === 'STRICT', obstacle === null)
          if (mode !== 'STRICT') continue
          const { forced, epochKnown, synced, backfilled } = conditions
          assert.deepEqual([forced, epochKnown, synced, backfilled, reachable], [false, true, true, true, true])
        }
      }),
    )
  })

  it('comes up only with nothing unconfirmed, everything replicated, and ten seconds in which every question was answered', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const states = walk(history)
        history.forEach((observation, i) => {
          const [before, now] = [states[i] as ModeState, states[i + 1] as ModeState]
          if (before.mode === 'STRICT' || now.mode !== 'STRICT') return
          assert.ok(now.conditions.caughtUp && now.conditions.unconfirmed === 0)
          const recent = history.slice(0, i + 1).filter(({ at }) => at > observation.at - SETTLING_MS)
          assert.ok(recent.every(({ kind }) => kind === 'answered' || kind === 'looked'))
        })
      }),
      { numRuns: 500 },
    )
  })

  it('goes down with two unanswered waits in a row, and asks again after three answers', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const state = walk(history).at(-1) as ModeState
        const silent = Array.from({ length: MISSES_DOWN }, () => ({ kind: 'unanswered', at: 1e9 }) as const)
        const down = after(state, ...silent)
        assert.deepEqual([down.mode, down.reachable], ['DEGRADED', false])
        const back = Array.from({ length: ANSWERS_UP }, () => ({ kind: 'answered', at: 2e9 }) as const)
        assert.equal(after(down, ...back).reachable, true)
      }),
    )
  })

  it('comes up at most once in ten seconds, however loose the cable', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const states = walk(history.map((o) => (o.kind === 'looked' ? { ...o, conditions: well } : o)))
        const ups = history.flatMap(({ at }, i) =>
          states[i]?.mode === 'DEGRADED' && states[i + 1]?.mode === 'STRICT' ? [at] : [],
        )
        for (const [i, at] of ups.entries()) assert.ok(i === 0 || at - (ups[i - 1] ?? 0) >= SETTLING_MS)
      }),
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  ANSWERS_UP,
  OBSTACLES,
  type Observation,
  type Obstacle,
  SETTLING_MS,
  SILENCES_DOWN,
  type Standing,
  type State,
  started,
  step,
} from './mode.ts'

const well: Standing = { forced: false, epochKnown: true, synced: true, filled: true, owed: 0, caughtUp: true }
const looked = (at: number, change: Partial<Standing> = {}): Observation => ({
  ...{ kind: 'looked', at },
  standing: { ...well, ...change },
})
const after = (state: State, ...observations: Observation[]) => observations.reduce(step, state)
const answers = (from: number, to: number, every = 300): Observation[] =>
  Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, i) => ({ kind: 'answered', at: from + i * every }))
const strict = after(started(well), ...answers(0, SETTLING_MS + 300))

describe('the mode', () => {
  it('is DEGRADED at the start, and STRICT after ten seconds of answers', () => {
    const state = after(started(well), ...answers(0, SETTLING_MS - 300))
    assert.deepEqual([state.mode, state.obstacle], ['DEGRADED', 'settling'])
    assert.deepEqual([strict.mode, strict.obstacle], ['STRICT', null])
  })

  it('goes down at the second silence in a row, and at a claim that has had no answer in all its time', () => {
    const one = step(strict, { kind: 'silence', at: 20_000 })
    assert.equal(one.mode, 'STRICT')
    assert.equal(after(one, { kind: 'answered', at: 20_100 }, { kind: 'silence', at: 20_200 }).mode, 'STRICT')
    const two = step(one, { kind: 'silence', at: 20_300 })
    assert.deepEqual([two.mode, two.obstacle, two.heard], ['DEGRADED', 'unheard', false])
    assert.equal(step(strict, { kind: 'gave_up', at: 20_000 }).mode, 'DEGRADED')
  })

  it('lets claims be asked again before it is up, so that what is owed can be told', () => {
    const down = step(strict, { kind: 'gave_up', at: 20_000 })
    const state = after(down, looked(20_100, { owed: 7 }), ...answers(21_000, 21_600))
    assert.deepEqual([state.mode, state.heard, state.obstacle], ['DEGRADED', true, 'owing'])
  })

  for (const [what, standing, obstacle] of [
    ['an admin says so', { forced: true }, 'forced'],
    ['there may be a later epoch', { epochKnown: false }, 'epoch'],
    ['the voters do not write to disk', { synced: false }, 'unsynced'],
    ['the stream is another one', { filled: false }, 'unfilled'],
  ] as const satisfies readonly [string, Partial<Standing>, Obstacle][]) {
    it(`is DEGRADED at once when ${what}, and back when that is over`, () => {
      const down = step(strict, looked(20_000, standing))
      assert.deepEqual([down.mode, down.obstacle], ['DEGRADED', obstacle])
      assert.equal(step(down, looked(20_100)).mode, 'STRICT')
    })
  }

  for (const [what, standing, obstacle] of [
    ['an admission is owed', { owed: 1 }, 'owing'],
    ['journals are still arriving', { caughtUp: false }, 'behind'],
  ] as const satisfies readonly [string, Partial<Standing>, Obstacle][]) {
    it(`does not come up while ${what}, and does not go down for it`, () => {
      assert.equal(step(strict, looked(20_000, standing)).mode, 'STRICT')
      const down = after(strict, { kind: 'gave_up', at: 20_000 }, looked(20_001, standing), ...answers(20_300, 40_000))
      assert.deepEqual([down.mode, down.obstacle], ['DEGRADED', obstacle])
      assert.equal(step(down, looked(40_100)).mode, 'STRICT')
    })
  }

  it('has the words of an order in which what matters more is said', () => {
    assert.equal(new Set(OBSTACLES).size, OBSTACLES.length)
    const all = step(started(well), looked(0, { forced: true, epochKnown: false, synced: false, owed: 3 }))
    assert.equal(all.obstacle, 'forced')
  })
})

const standings = fc.record<Standing>({
  forced: fc.boolean(),
  epochKnown: fc.boolean(),
  synced: fc.boolean(),
  filled: fc.boolean(),
  owed: fc.nat(3),
  caughtUp: fc.boolean(),
})
const kinds = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'answered' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'silence' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'gave_up' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'looked' as const, standing: well }) },
  { weight: 1, arbitrary: standings.map((standing) => ({ kind: 'looked' as const, standing })) },
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
    const states = [started(well)]
    for (const observation of history) states.push(step(states.at(-1) as State, observation))
    return states
  }

  it('is never STRICT against an admin, an unknown epoch, voters that do not sync, or an empty stream', () => {
    fc.assert(
      fc.property(histories, (history) => {
        for (const { mode, obstacle, standing, heard } of walk(history)) {
          assert.equal(mode === 'STRICT', obstacle === null)
          if (mode !== 'STRICT') continue
          const { forced, epochKnown, synced, filled } = standing
          assert.deepEqual([forced, epochKnown, synced, filled, heard], [false, true, true, true, true])
        }
      }),
    )
  })

  it('comes up only with nothing owed, everything here, and ten seconds in which nothing was silent', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const states = walk(history)
        history.forEach((observation, i) => {
          const [before, now] = [states[i] as State, states[i + 1] as State]
          if (before.mode === 'STRICT' || now.mode !== 'STRICT') return
          assert.ok(now.standing.caughtUp && now.standing.owed === 0)
          const recent = history.slice(0, i + 1).filter(({ at }) => at > observation.at - SETTLING_MS)
          assert.ok(recent.every(({ kind }) => kind === 'answered' || kind === 'looked'))
        })
      }),
      { numRuns: 500 },
    )
  })

  it('goes down with two silences in a row, and asks again after three answers', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const state = walk(history).at(-1) as State
        const silent = Array.from({ length: SILENCES_DOWN }, () => ({ kind: 'silence', at: 1e9 }) as const)
        const down = after(state, ...silent)
        assert.deepEqual([down.mode, down.heard], ['DEGRADED', false])
        const back = Array.from({ length: ANSWERS_UP }, () => ({ kind: 'answered', at: 2e9 }) as const)
        assert.equal(after(down, ...back).heard, true)
      }),
    )
  })

  it('changes its mind at most once in ten seconds upwards, however loose the cable', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const states = walk(history.map((o) => (o.kind === 'looked' ? { ...o, standing: well } : o)))
        const ups = history.flatMap(({ at }, i) =>
          states[i]?.mode === 'DEGRADED' && states[i + 1]?.mode === 'STRICT' ? [at] : [],
        )
        for (const [i, at] of ups.entries()) assert.ok(i === 0 || at - (ups[i - 1] ?? 0) >= SETTLING_MS)
      }),
    )
  })
})

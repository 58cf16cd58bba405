import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  answered,
  atHome,
  type FailoverState,
  found,
  homeAsked,
  isAway,
  isSearching,
  LASTED_MS,
  SILENT_MS,
  STEADY,
  silent,
} from './failover-state.ts'

const [HOME, SOUTH, WEST] = ['https://home', 'https://south', 'https://west']

/** Home falls silent at `now`, and the scanner goes on at the south box. */
const leave = (here: FailoverState, now: number) => found(silent(here, now), SOUTH, now + SILENT_MS)
/** Home answers from `now` on, until it is gone back to. */
const goBack = (here: FailoverState, now: number) => homeAsked(homeAsked(here, true, now), true, now + here.steadyMs)

describe('where a scanner is', () => {
  it('stays through a silence that is short', () => {
    const here = silent(atHome(HOME), 1_000)
    assert.equal(isSearching(here, 1_000 + SILENT_MS - 1), false)
    assert.equal(found(here, SOUTH, 1_000 + SILENT_MS - 1).active, HOME)
    assert.equal(isSearching(answered(here), 60_000), false)
  })

  it('counts a silence from its beginning, and goes on at the box that answers', () => {
    const here = silent(silent(atHome(HOME), 1_000), 1_000 + SILENT_MS - 1)
    assert.equal(isSearching(here, 1_000 + SILENT_MS), true)
    assert.equal(found(here, SOUTH, 1_000 + SILENT_MS).active, SOUTH)
  })

  it('leaves no box that has answered while another was looked for', () => {
    assert.equal(found(answered(silent(atHome(HOME), 0)), SOUTH, 10_000).active, HOME)
  })

  it('goes home once home has answered for a while without a miss', () => {
    const away = leave(atHome(HOME), 0)
    let here = homeAsked(away, true, 10_000)
    here = homeAsked(here, true, 10_000 + STEADY.leastMs - 1)
    assert.ok(isAway(here))
    here = homeAsked(here, false, 10_000 + STEADY.leastMs)
    here = homeAsked(here, true, 40_000)
    assert.ok(isAway(homeAsked(here, true, 40_000 + STEADY.leastMs - 1)), 'a miss begins the wait anew')
    assert.equal(homeAsked(here, true, 40_000 + STEADY.leastMs).active, HOME)
  })

  it('goes home at once, or to the next, when the box that it went to is gone as well', () => {
    const lost = silent(leave(atHome(HOME), 0), 10_000)
    assert.equal(found(lost, HOME, 10_000 + SILENT_MS).active, HOME)
    assert.equal(found(lost, WEST, 10_000 + SILENT_MS).active, WEST)
  })

  it('waits longer each time that home did not last, and forgives one that did', () => {
    let here = atHome(HOME)
    const waits: number[] = []
    for (let now = 0, i = 0; i < 7; i++, now += STEADY.mostMs + 10_000) {
      here = leave(here, now)
      waits.push(here.steadyMs / STEADY.leastMs)
      // Back at the very moment of the next round, and lost at once.
      here = goBack(here, now + STEADY.mostMs + 10_000 - here.steadyMs)
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 16, 16])
    assert.equal(leave(here, (here.backAt ?? 0) + LASTED_MS).steadyMs, STEADY.leastMs)
  })

  it('whatever comes and goes: it is somewhere, leaves only silence, and does not flap', () => {
    const step = fc.record({
      waitMs: fc.nat(8_000),
      what: fc.constantFrom('heard', 'unheard', 'south', 'west', 'home', 'home answers', 'home is silent'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        let here = atHome(HOME)
        let now = 0
        let left = 0
        for (const { waitMs, what } of steps) {
          now += waitMs
          const before = here
          if (what === 'heard') here = answered(here)
          else if (what === 'unheard') here = silent(here, now)
          else if (what === 'home answers' || what === 'home is silent')
            here = homeAsked(here, what === 'home answers', now)
          else here = found(here, { south: SOUTH, west: WEST, home: HOME }[what as 'home'] ?? HOME, now)
          assert.ok([HOME, SOUTH, WEST].includes(here.active))
          if (here.active === before.active) continue
          assert.ok(here.active === HOME || isSearching(before, now), 'it was not silent')
          if (before.active === HOME) left++
        }
        assert.ok(left <= 1 + now / (2 * SILENT_MS), `left home ${left} times in ${now} ms`)
      }),
    )
  })

  it('a home that comes and goes every few seconds is left once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 15_000 }), fc.integer({ min: 4_000, max: 15_000 }), (upMs, downMs) => {
        let here = atHome(HOME)
        let left = 0
        for (let now = 0; now < 600_000; now += 1_000) {
          const up = now % (upMs + downMs) < upMs
          const before = here.active
          // The south box is always there.
          if (isAway(here)) here = homeAsked(here, up, now)
          else here = up ? answered(here) : found(silent(here, now), SOUTH, now)
          if (before === HOME && here.active !== HOME) left++
        }
        assert.equal(left, 1)
      }),
    )
  })
})

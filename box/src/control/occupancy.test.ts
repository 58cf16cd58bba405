import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TEST_EVENT } from '../../test/world/event.ts'
import { addTo } from './minutes.ts'
import { countStep, occupancyOf } from './occupancy.ts'
import { newTally } from './tally.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.parse('2026-07-04T12:00:00Z')

/** A tally of these changes of the arena: minutes after noon, people, and how late the box learned of it. */
function tallyOf(changes: readonly (readonly [minute: number, people: number, lateMs?: number])[]) {
  const tally = newTally()
  const steps = new Map<number, number>()
  tally.zoneSteps.set('arena', steps)
  for (const [minute, people, late = 0] of changes) {
    addTo(tally.zones, 'arena', people)
    const observedAt = NOON + minute * MINUTE
    countStep(steps, people, { at: observedAt + late, observedAt })
  }
  return tally
}

function arenaAt(minute: number, changes: Parameters<typeof tallyOf>[0]) {
  const answer = occupancyOf(tallyOf(changes), TEST_EVENT, NOON + minute * MINUTE)
  const arena = answer.zones.find(({ id }) => id === 'arena') ?? assert.fail()
  return { from: answer.from, people: arena.people, answer }
}

describe('people in a zone over time', () => {
  it('are those at the end of each step, the last one now, in the time zone of the event', () => {
    const { from, people, answer } = arenaAt(11, [
      [1, 3],
      [6, 2],
      [7, -1],
      [10, 4],
    ])
    assert.deepEqual(people, [0, 3, 4, 8])
    assert.equal(from, '2026-07-04T12:00:00.000Z')
    assert.deepEqual([answer.step_seconds, answer.time_zone], [300, TEST_EVENT.timezone])
  })

  it('stand where they stood when a scanner uploads late, and a passage of more than a day ago is in every step', () => {
    const late = arenaAt(20, [
      [16, 1],
      [1, 5, 19 * MINUTE],
    ])
    assert.deepEqual(late.people, [0, 5, 5, 5, 6, 6])
    const older = arenaAt(1, [
      [0, 1],
      [-26 * 60, 7, 26 * HOUR],
    ])
    assert.deepEqual(older.people, [7, 8])
  })

  it('are one point before anybody came, never below nobody, and a day at most', () => {
    assert.deepEqual(arenaAt(0, []).people, [0, 0])
    assert.deepEqual(arenaAt(1, [[0, -2]]).people, [0, 0])
    const week = Array.from({ length: 7 * 24 }, (_, hour) => [hour * 60, 1] as const)
    const { people } = arenaAt(7 * 24 * 60, week)
    assert.deepEqual([people.length, people.at(-1)], [289, 168])
  })

  it('believe a scanner no later than the box, and keep nothing of a clock that was in another year', () => {
    const steps = new Map<number, number>()
    countStep(steps, 1, { at: NOON + 1e11, observedAt: NOON + 1e11 })
    countStep(steps, 1, { at: NOON, observedAt: NOON + HOUR })
    countStep(steps, 1, { at: NOON, observedAt: Number.NaN })
    assert.deepEqual([...steps], [[NOON / (5 * MINUTE), 2]])
  })
})

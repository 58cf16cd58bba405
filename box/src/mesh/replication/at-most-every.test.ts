import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AtMostEvery } from './at-most-every.ts'

test('an action runs at once, and then once in each interval, however often it is asked for', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let runs = 0
  using action = new AtMostEvery(100, () => runs++)
  for (let i = 0; i < 1_000; i++) action.ask()
  assert.equal(runs, 1)
  t.mock.timers.tick(100)
  assert.equal(runs, 2, 'what was asked for meanwhile')
  for (let i = 0; i < 10; i++) {
    action.ask()
    t.mock.timers.tick(50)
  }
  assert.equal(runs, 7)
  t.mock.timers.tick(1_000)
  assert.equal(runs, 7, 'and not without being asked for')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { POLL_MS, poll, pollDelay } from './polling.ts'

test('twice as long after each failure, five minutes at most, and not for all phones at once', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 50].map((failures) => pollDelay(failures, 0.5)),
    [30_000, 60_000, 120_000, 240_000, 300_000, 300_000],
  )
  assert.equal(pollDelay(0, 0), 27_000)
  assert.equal(pollDelay(0, 1), 33_000)
})

const settle = () => new Promise((resolve) => setImmediate(resolve))

function asked(answers: boolean[]) {
  const waits: number[] = []
  let next = () => {}
  const state = { asked: 0, visible: true }
  const polling = poll(
    async () => {
      state.asked++
      return answers.shift() ?? true
    },
    {
      visible: () => state.visible,
      random: () => 0.5,
      after(ms, run) {
        waits.push(ms)
        next = run
        return () => {
          next = () => {}
        }
      },
    },
  )
  const fire = () => {
    next()
    return settle()
  }
  return { state, waits, polling, fire }
}

test('backs off while the box is away, and is quick again once it has answered', async () => {
  const { waits, polling, fire } = asked([true, false, false, true])
  await polling.now()
  await fire()
  await fire()
  await fire()
  assert.deepEqual(waits, [POLL_MS, 2 * POLL_MS, 4 * POLL_MS, POLL_MS])
})

test('a hidden page asks nothing, and asks when it is looked at again', async () => {
  const { state, polling, fire } = asked([])
  await polling.now()
  state.visible = false
  await fire()
  assert.equal(state.asked, 1)
  state.visible = true
  await polling.now()
  await fire()
  assert.equal(state.asked, 3)
})

test('what came up while a question is under way is asked after it, once', async () => {
  const { state, polling } = asked([])
  const first = polling.now()
  await Promise.all([polling.anew(), polling.anew()])
  await first
  assert.equal(state.asked, 2)
  await polling.anew()
  assert.equal(state.asked, 3)
})

test('two reasons to ask at once are one question, and after the end there is none', async () => {
  const { state, polling, fire } = asked([])
  await Promise.all([polling.now(), polling.now()])
  assert.equal(state.asked, 1)
  polling.stop()
  await fire()
  assert.equal(state.asked, 1)
})

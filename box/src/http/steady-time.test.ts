import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inSteadyTime, STEADY_MS } from './steady-time.ts'

// A timer may fire a millisecond before its time by another clock.
const LEAST = STEADY_MS - 1

async function timed<T>(work: () => Promise<T> | T): Promise<{ took: number; result: PromiseSettledResult<T> }> {
  const started = performance.now()
  const [result] = await Promise.allSettled([inSteadyTime(work)])
  return { took: performance.now() - started, result }
}

test('what was found at once, and what failed at once, are answered when the time is over', async () => {
  const found = await timed(() => 'found')
  assert.deepEqual(found.result, { status: 'fulfilled', value: 'found' })
  const nothing = new Error('nothing')
  const failures = [() => Promise.reject(nothing), () => sleep(1).then(() => Promise.reject(nothing))]
  const thrown = () => {
    throw nothing
  }
  for (const work of [...failures, thrown]) {
    const { took, result } = await timed(work)
    assert.deepEqual(result, { status: 'rejected', reason: nothing })
    assert.ok(took >= LEAST, `${took}`)
  }
  assert.ok(found.took >= LEAST, `${found.took}`)
})

test('what takes longer is not held up further', async () => {
  const { took } = await timed(() => sleep(STEADY_MS * 2))
  assert.ok(took >= STEADY_MS * 2 - 1)
  assert.ok(took < STEADY_MS * 8, `${took}: not the two one after the other, on a machine however slow`)
})

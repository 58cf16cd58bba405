import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { ChangeEvent } from '../change.ts'
import { afterFailure, eventToSkip, type FailedDelivery, retryWaitMs, stuckEvent } from './after-failure.ts'
import { readFailure } from './failure.ts'

const eventOf = (id: string) => ({ id }) as ChangeEvent
const batch = ['0:1', '0:2', '0:3'].map(eventOf)
const first = batch.slice(0, 1)

describe('after a failed delivery', () => {
  const last: FailedDelivery = {
    ...{ batch, attempts: 3, maxAttempts: 3, isApart: false, isRunning: true, isAutomatic: true, inARow: 0 },
  }
  const refused = { message: 'no', refused: true }
  for (const [what, error, change, step] of [
    ['is tried again until the last attempt', refused, { attempts: 2 }, 'retry'],
    ['is tried for ever without a limit', {}, { attempts: 1_000_000, maxAttempts: 0 }, 'retry'],
    ['pauses after the last attempt, where the receiver said nothing of the events', {}, {}, 'pause'],
    ['pauses at once when no attempt can succeed', { pause: true }, { attempts: 1 }, 'pause'],
    ['pauses where the configuration has no dead letters', refused, { isAutomatic: false }, 'pause'],
    ['pauses after ten dead letters in a row', refused, { batch: first, inARow: 10 }, 'pause'],
    ['makes the tenth dead letter', refused, { batch: first, inARow: 9 }, 'bury'],
    ['stays paused where a person has paused it', refused, { batch: first, isRunning: false }, 'pause'],
    ['takes a refused batch apart', refused, {}, 'take apart'],
    ['buries what is refused alone', refused, { batch: first, isApart: true, attempts: 1 }, 'bury'],
    ['buries an event that is named', { pause: true, event: '0:2' }, { attempts: 1 }, 'bury'],
    ['buries none that is not in the batch', { pause: true, event: '0:9' }, { attempts: 1 }, 'pause'],
  ] as const)
    it(what, () => {
      assert.equal(afterFailure(readFailure(error), { ...last, ...change }).kind, step)
    })
})

test('the next attempt waits as long as the receiver asks, within bounds', () => {
  const backoff = { initialMs: 100, maxMs: 1_000, factor: 2, jitter: 0.1 }
  const wait = (attempts: number, asked?: number) => retryWaitMs(attempts, backoff, asked, 0.5)
  assert.deepEqual([wait(1), wait(2), wait(30)], [100, 200, 1_000])
  assert.deepEqual([wait(5, 0), wait(5, 5_000), wait(5, Number.MAX_VALUE)], [100, 5_000, 3_600_000])
})

test('an admin skips the event that is named, or the only one', () => {
  assert.deepEqual(eventToSkip(batch, '0:2'), { event: batch[1] })
  assert.deepEqual(eventToSkip(first, undefined), { event: batch[0] })
  for (const [of, id, why] of [
    [[], undefined, /nothing to skip/],
    [batch, undefined, /has 3 events, 0:1 to 0:3: name one/],
    [first, '0:2', /none has this id/],
  ] as const) {
    const found = eventToSkip(of, id)
    assert.match('refused' in found ? found.refused : '', why)
  }
})

test('a batch is stuck on the event that the failure names, or on its only one', () => {
  assert.deepEqual(
    [stuckEvent(batch, '0:3'), stuckEvent(batch, undefined), stuckEvent(first, '0:9'), stuckEvent([], undefined)],
    ['0:3', null, '0:1', null],
  )
})

import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Pace } from './pace.ts'

/** When each that is asked for comes, by a clock that the test moves. */
async function paced(boxes: number, askedAt: readonly number[], jump = 0): Promise<number[]> {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let now = 1_000
    const pace = new Pace({ now: () => now, boxes: () => boxes })
    const came: number[] = []
    let elapsed = 0
    for (; elapsed <= 200; elapsed++) {
      for (const [i, at] of askedAt.entries()) {
        if (at !== elapsed) continue
        void pace.turn().then(() => {
          came[i] = elapsed
        })
      }
      await turn()
      now += elapsed === 1 ? 1 - jump : 1
      mock.timers.tick(1)
      await turn()
    }
    return came
  } finally {
    mock.timers.reset()
  }
}

describe('what is replicated', () => {
  it('is written down at once among few boxes, however much there is', async () => {
    assert.deepEqual(await paced(5, [0, 0, 1, 2]), [0, 0, 1, 2])
  })

  it('is written down at once where it comes alone, and with what comes close after it among many', async () => {
    const came = await paced(45, [0, 3, 10, 39, 120])
    assert.equal(came[0], 0)
    // Three of them at one moment, shortly after the first.
    assert.equal(new Set(came.slice(1, 4)).size, 1)
    assert.ok((came[1] ?? 0) >= 38 && (came[1] ?? 0) <= 41, String(came))
    assert.equal(came[4], 120)
  })

  it('waits no longer for a clock that was set back', async () => {
    const [, second = Number.POSITIVE_INFINITY] = await paced(25, [0, 3], 3_600_000)
    assert.ok(second <= 25, String(second))
  })
})

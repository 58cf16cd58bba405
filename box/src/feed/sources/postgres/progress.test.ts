import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Progress } from './progress.ts'

describe('progress', () => {
  it('is remembered before it is told, and only grows', async () => {
    const steps: string[] = []
    const written = Promise.withResolvers<void>()
    const progress = new Progress(
      async (end) => {
        await written.promise
        steps.push(`remember ${end}`)
      },
      (end) => steps.push(`tell ${end}`),
    )
    progress.begin(10n)
    progress.acknowledge(10n)
    progress.acknowledge(9n)
    assert.equal(progress.remembered, 10n)
    progress.acknowledge(11n)
    progress.acknowledge(13n)
    progress.acknowledge(12n)
    await turn()
    assert.deepEqual([steps, progress.remembered], [[], 10n])
    written.resolve()
    await progress.flush()
    assert.deepEqual(steps, ['remember 11', 'tell 11', 'remember 13', 'tell 13'])
    assert.equal(progress.remembered, 13n)
    // A server that lost some of it in a crash is told again; one that stands further on is believed.
    progress.begin(5n)
    assert.equal(progress.remembered, 13n)
    progress.begin(20n)
    progress.acknowledge(19n)
    assert.equal(progress.remembered, 20n)
    await progress.flush()
    assert.equal(steps.length, 4)
  })

  it('does not tell of every step', async () => {
    const told: bigint[] = []
    const progress = new Progress(
      async () => {},
      (end) => told.push(end),
    )
    for (let end = 1n; end <= 1000n; end++) {
      progress.acknowledge(end)
      if (end % 100n === 0n) await turn()
    }
    assert.ok(told.length <= 2, String(told))
    await progress.flush()
    assert.equal(told.at(-1), 1000n)
    // And goes on after it.
    progress.acknowledge(1001n)
    await progress.flush()
    assert.equal(told.at(-1), 1001n)
  })
})

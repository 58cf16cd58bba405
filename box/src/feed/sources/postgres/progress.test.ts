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
    const begun = progress.begin(10n)
    progress.acknowledge(10n)
    progress.acknowledge(9n)
    assert.equal(progress.remembered, 10n)
    progress.acknowledge(11n)
    progress.acknowledge(13n)
    progress.acknowledge(12n)
    await turn()
    assert.deepEqual([steps, progress.remembered], [[], 10n])
    written.resolve()
    await begun
    await progress.flush()
    assert.deepEqual(steps, ['remember 11', 'remember 11', 'tell 11', 'remember 13', 'tell 13'])
    assert.equal(progress.remembered, 13n)
    // A server that lost some of it in a crash is told again; one that stands further on is believed.
    await progress.begin(5n)
    assert.equal(progress.remembered, 13n)
    await progress.begin(20n)
    progress.acknowledge(19n)
    assert.equal(progress.remembered, 20n)
    await progress.flush()
    assert.deepEqual(steps.slice(5), ['remember 13', 'remember 20'])
  })

  it('what was acknowledged while it begins is not taken back by where the server stood', async () => {
    const files: bigint[] = []
    let told = 0n
    // The first write is the slow one: without order, the end that began to be written last would be the file's.
    const turns = [2, 1, 0]
    const progress = new Progress(
      async (end) => {
        for (let left = turns.shift() ?? 0; left > 0; left--) await turn()
        files.push(end)
      },
      (end) => {
        assert.ok((files.at(-1) ?? 0n) >= end, `told ${end}, remembered ${files.at(-1)}`)
        told = end
      },
    )
    progress.acknowledge(11n)
    await progress.begin(10n)
    await progress.flush()
    assert.deepEqual([told, files.at(-1), progress.remembered], [11n, 11n, 11n])
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

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { loadPlugin } from './plugin.ts'

function write(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'changefeed-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'a sink #1.mjs')
  writeFileSync(path, text)
  return path
}

const GOOD = `export default {
  durability: 'ephemeral',
  options: { type: 'object' },
  open: async () => ({ batch: { maxEvents: 1, maxBytes: 1 }, deliver: async () => {}, [Symbol.asyncDispose]: async () => {} }),
}`

describe('a plugin', () => {
  it('is loaded by its path, whatever characters are in it', async (t) => {
    const kind = await loadPlugin(write(t, GOOD))
    assert.equal(kind.durability, 'ephemeral')
    const sink = await kind.open({} as never, {} as never)
    assert.equal(sink.batch.maxEvents, 1)
  })

  it('may be named from the working folder', async (t) => {
    assert.equal((await loadPlugin(relative('.', write(t, GOOD)))).durability, 'ephemeral')
  })

  it('that is none says what is missing, and where', async (t) => {
    const cases: [string, RegExp][] = [
      ['export const open = 1', /its default export must be an object/],
      ['export default null', /its default export must be an object/],
      [GOOD.replace("'ephemeral'", "'sometimes'"), /not a sink: durability must be "durable" or "ephemeral"\.$/],
      ['export default { durability: "durable" }', /options must be .*; open must be a function\.$/],
      [GOOD.replace('durability', 'check: true, durability'), /check must be a function/],
    ]
    for (const [text, message] of cases) {
      const path = write(t, text)
      const isTold = (error: Error) => error.message.includes(path) && message.test(error.message)
      await assert.rejects(loadPlugin(path), isTold, text)
    }
  })

  it('that cannot be loaded says why', async (t) => {
    await assert.rejects(
      loadPlugin('/nowhere/sink.mjs'),
      /^Error: The plugin \/nowhere\/sink\.mjs cannot be loaded: .*find/,
    )
    await assert.rejects(loadPlugin(write(t, 'export default {')), /cannot be loaded: /)
    await assert.rejects(
      loadPlugin(write(t, 'throw new Error("no network here")')),
      /cannot be loaded: no network here$/,
    )
    await assert.rejects(loadPlugin(write(t, 'throw null')), /cannot be loaded: null$/)
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { TEST_EVENT, writeEventFolder } from '../../test/world/event.ts'
import { checkEvent } from './check-event.ts'
import type { Values } from './command.ts'

describe('gatehouse check-event', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function run(t: TestContext, positionals: string[], values: Values = {}, environment = {}) {
    const log = t.mock.method(console, 'log', () => {})
    const ok = await checkEvent.run({ values, positionals, environment })
    const output = log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n')
    log.mock.restore()
    return { ok, output }
  }

  it('says what a good event has, from the folder named or from the settings', async (t) => {
    const event = writeEventFolder(join(folder, 'good'))
    for (const where of [[[event], {}] as const, [[], { GATEHOUSE_EVENT_DIR: event }] as const]) {
      const { ok, output } = await run(t, [...where[0]], {}, where[1])
      assert.ok(ok)
      assert.match(output, /^Test Fair: 6 ticket types, 2 zones, 3 gates, 6 checkpoints\. No mistake\.$/m)
    }
    const { output } = await run(t, [event], { json: true })
    const nothing = { mistakes: [], warnings: [], mapping: [] }
    assert.deepEqual(JSON.parse(output), { ok: true, id: 'test-fair', name: 'Test Fair', ...nothing })
  })

  it('lists every mistake at once, each with its place, and answers no', async (t) => {
    const broken = writeEventFolder(join(folder, 'broken'), {
      event: {
        ...TEST_EVENT,
        timezone: 'Europe/Lissabon',
        tiers: TEST_EVENT.tiers.map((tier, i) => (i === 1 ? { ...tier, colour: 'green' } : tier)),
        checkpoints: TEST_EVENT.checkpoints.map((c, i) => (i === 2 ? { ...c, gate: 'bb', tiers: ['oncce'] } : c)),
      },
    })
    const { ok, output } = await run(t, [broken])
    assert.ok(!ok)
    const paths = ['checkpoints[2].gate', 'checkpoints[2].tiers[0]', 'tiers[1].colour', 'timezone']
    assert.deepEqual(
      output.split('\n').map((line) => line.slice(0, line.indexOf(':'))),
      paths,
    )
    assert.match(output, /no tier "oncce"; did you mean "once"\?/)
    const json = JSON.parse((await run(t, [broken], { json: true })).output)
    assert.equal(json.ok, false)
    assert.deepEqual(
      json.mistakes.map(({ path }: { path: string }) => path),
      paths,
    )
  })

  it('answers no to a folder without an event', async (t) => {
    for (const where of [join(folder, 'nowhere'), folder]) {
      const { ok, output } = await run(t, [where])
      assert.ok(!ok)
      assert.match(output, /there is no folder|holds no event\.json/)
    }
    writeFileSync(join(folder, 'event.json'), '{"id": }')
    assert.match((await run(t, [folder])).output, /^line 1, column 8: not JSON/)
  })
})

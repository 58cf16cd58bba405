import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { formatPositions, type Positions, PositionsFile, parsePositions } from './positions-file.ts'

function open(t: TestContext, everyMs = 10_000) {
  const folder = mkdtempSync(join(tmpdir(), 'changefeed-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'positions.json')
  const lines: object[] = []
  const write = (fields: object) => void lines.push(fields)
  let positions: Positions = { identity: 'a', sinks: new Map() }
  const log = { info: write, warn: write, error: write }
  const file = new PositionsFile({ path, log, snapshot: () => positions, everyMs })
  return {
    file,
    folder,
    path,
    lines,
    move: (index: number) => {
      positions = { identity: 'a', sinks: new Map([['warehouse', { position: { commitLsn: 0x1_0000_00ffn, index } }]]) }
      file.changed()
    },
  }
}

test('what is known of the sinks comes back from its text as it was', () => {
  const commitLsn = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  const gap = fc.record({ reason: fc.string() }, { noNullPrototype: true })
  const state = fc.record(
    {
      position: fc.record({ commitLsn, index: fc.nat() }, { noNullPrototype: true }),
      committed: fc.string(),
      paused: fc.string(),
      gaps: fc.array(gap, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string({ minLength: 1 }), state), (identity, sinks) => {
      const positions = { identity, sinks: new Map(Object.entries(sinks)) }
      assert.deepEqual(parsePositions(formatPositions(positions)), positions)
    }),
  )
})

describe('the file of positions', () => {
  it('is written some time after a change, and once for many', async (t) => {
    const { file, move, path, folder } = open(t, 5)
    for (let i = 0; i < 100; i++) move(i)
    assert.deepEqual(readdirSync(folder), [])
    await file.flush()
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
      version: 2,
      identity: 'a',
      sinks: { warehouse: { delivered: '1/FF:99' } },
    })
    assert.deepEqual((await file.read())?.sinks.get('warehouse'), {
      position: { commitLsn: 0x1_0000_00ffn, index: 99 },
    })
    await file.flush()
    assert.deepEqual(readdirSync(folder), ['positions.json'])
  })

  it('that is not there is no trouble', async (t) => {
    const { file, lines } = open(t)
    assert.equal(await file.read(), undefined)
    assert.deepEqual(lines, [])
  })

  it('that holds anything else is not used, and the log says so', async (t) => {
    const { file, path, lines } = open(t)
    const broken = [
      '',
      '{',
      'null',
      '[]',
      '{"version":3,"identity":"a","sinks":{}}',
      '{"version":2,"identity":"a","sinks":{"x":"0/1:0"}}',
      '{"version":2,"identity":"a","sinks":{"x":{"delivered":"0/1"}}}',
      '{"version":2,"identity":"a","sinks":{"x":{"paused":true}}}',
      '{"version":2,"identity":"a","sinks":{"x":{"gaps":[{}]}}}',
      '{"version":1,"identity":7,"sinks":{}}',
      '{"version":1,"identity":"a","sinks":null}',
      '{"version":1,"identity":"a","sinks":{"x":"0/1"}}',
      '{"version":1,"identity":"a","sinks":{"x":5}}',
    ]
    for (const text of broken) {
      writeFileSync(path, text)
      assert.equal(await file.read(), undefined, text)
    }
    assert.equal(lines.length, broken.length)
  })

  it('that cannot be written is told of once, tried again, and leaves nothing lying about', async (t) => {
    const { file, move, lines, folder, path } = open(t)
    rmSync(folder, { recursive: true })
    for (let i = 0; i < 3; i++) {
      move(i)
      await file.flush()
      assert.match(file.lastError ?? '', /ENOENT/)
    }
    assert.deepEqual(
      lines.map((line) => (line as { event: string }).event),
      ['positions_not_saved'],
    )
    mkdirSync(folder)
    move(7)
    await file.flush()
    assert.equal(file.lastError, null)
    assert.deepEqual(readdirSync(folder), ['positions.json'])
    assert.match(readFileSync(path, 'utf8'), /:7"/)
  })
})

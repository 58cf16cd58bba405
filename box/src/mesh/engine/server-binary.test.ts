import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { findServer, isAtLeast, NoServerError } from './server-binary.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-binary-'))
after(() => rmSync(folder, { recursive: true }))

function program(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('a nats-server', () => {
  test('that the operator names is taken', async () => {
    const file = program('mine', 'echo "nats-server: v2.10.27"')
    assert.deepEqual(await findServer(file), { file, version: '2.10.27' })
  })

  test('is found where programs are', async () => {
    const file = program('nats-server', 'echo "nats-server: v2.14.4"')
    assert.deepEqual(await findServer(undefined, `/nowhere:${folder}`), { file, version: '2.14.4' })
  })

  for (const [why, text, words] of [
    ['too old', 'echo "nats-server: v2.9.10"', /is nats-server 2\.9\.10, and 2\.10\.27 is the oldest/],
    ['of no version', 'echo hello', /of no version/],
    ['broken', 'exit 1', /does not run/],
  ] as const) {
    test(`that is ${why} is refused, saying what to install`, async () => {
      const wrong = findServer(program(`is ${why}`, text))
      await assert.rejects(wrong, (error: Error) => {
        assert.ok(error instanceof NoServerError)
        assert.match(error.message, words)
        assert.match(error.message, /GATEHOUSE_NATS_SERVER/)
        return true
      })
    })
  }

  test('that is not there is refused', async () => {
    await assert.rejects(findServer(join(folder, 'nothing')), NoServerError)
  })
})

for (const [version, expected] of [
  ['2.10.27', true],
  ['2.10.28', true],
  ['2.11.0', true],
  ['3.0.0', true],
  ['2.10.27-RC.1', false],
  ['2.11.0-dev', true],
  ['2.10.9', false],
  ['2.9.30', false],
  ['1.99.99', false],
  ['', false],
  ['2.10', false],
] as const) {
  test(`${version || 'nothing'} is ${expected ? '' : 'not '}new enough`, () => {
    assert.equal(isAtLeast(version, '2.10.27'), expected)
  })
}

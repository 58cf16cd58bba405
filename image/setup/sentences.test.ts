/** Each code of `gatehouse.toml` that apps have a sentence for is given with a problem, and no problem is without one. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '../../proto/said.ts'

const BOX = ['appliance/machine-state', 'boot/http', 'ca/server-identity'].map((name) => `../../box/src/${name}.ts`)
const all = globSync('*.ts', { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .concat(BOX)
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

test('no code is without a problem that has it', () => {
  const calls = [
    // Also one of two, by a condition.
    /\bcoded\(\s*'(\w+)'/g,
    /code: '(\w+)' satisfies CodeOf/g,
  ]
  const sent = new Set(calls.flatMap((call) => [...all.matchAll(call)].map(([, code]) => code)))
  assert.deepEqual(new Set<string | undefined>(Object.keys(SAID.setting)).difference(sent), new Set())
})

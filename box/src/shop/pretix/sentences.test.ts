/** Each code about pretix that apps have a sentence for is given with an error of it, or where pretix stops to be told. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const all = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

test('no code is without an error that has it', () => {
  const calls = [
    // Also one of two, by a condition.
    /\bcoded\(\s*(?:[^'()]+ === '\w+'\s*\? )?'(\w+)'(?:\s*: '(\w+)')?/g,
    /\bno\(\s*'[^']*',\s*'(\w+)'/g,
  ]
  const sent = new Set(calls.flatMap((call) => [...all.matchAll(call)].flatMap(([, ...codes]) => codes)))
  assert.deepEqual(new Set<string | undefined>(Object.keys(SAID.pretix)).difference(sent), new Set())
})

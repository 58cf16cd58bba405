/** Each refusal of staff that the control room has a sentence for is given. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const all = globSync(['**/*.ts', '../http/staff-auth.ts'], { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

test('no code is without what has it', () => {
  const calls = [/\breason: '(\w+)'/g, /\b(?:refuse|notAdded)\([^)]*,\s*'(\w+)'/g]
  const given = new Set(calls.flatMap((call) => [...all.matchAll(call)].map(([, code]) => code)))
  assert.deepEqual(new Set<string | undefined>(Object.keys(SAID.staff)).difference(given), new Set())
})

/** Each refusal of an act of the control room that it has a sentence for is given. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const FOLDERS = ['desk', 'gates', 'pretixscan', 'rehearsal', 'seal']
const all = globSync(`../{${FOLDERS.join(',')}}/**/*.ts`, { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

test('no code is without what has it', () => {
  const given = new Set([...all.matchAll(/'(\w+)'/g)].map(([, code]) => code))
  assert.deepEqual(new Set<string | undefined>(Object.keys(SAID.acts)).difference(given), new Set())
})

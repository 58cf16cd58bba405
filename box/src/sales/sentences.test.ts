/** Each code about a guest list or a sale that the control room has a sentence for is given. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const all = globSync('*.ts', { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

test('no code is without what has it', () => {
  const given = new Set<string | undefined>([...all.matchAll(/\bcoded\(\s*'(\w+)'/g)].map(([, code]) => code))
  assert.deepEqual(new Set<string | undefined>(Object.keys(SAID.sale)).difference(given), new Set())
})

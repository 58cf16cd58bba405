/** Each refusal of the screen Event that the control room has a sentence for is given, and none is without one. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const files = globSync('*.ts', { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')] as const)
const all = files.map(([, text]) => text).join('\n')

test('no code is without a refusal that has it', () => {
  const sent = new Set([...all.matchAll(/\breason: '(\w+)'/g)].map(([, code]) => code))
  assert.deepEqual(new Set<string | undefined>(Object.keys(SAID.guide)).difference(sent), new Set())
})

test('no refusal is without a reason', () => {
  for (const [name, text] of files)
    for (const { index } of text.matchAll(/new GatehouseError\(/g))
      assert.match(
        text.slice(index, index + 400).split(/(?<!^)new GatehouseError\(/)[0] ?? '',
        /\breason\b/,
        `${name}: ${text.slice(index, index + 80)}`,
      )
})

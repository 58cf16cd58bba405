/** Each kind of problem that apps have words for is one that a verification reports. The other way round, the compiler sees to it. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PLACES, THINGS } from '@gatehouse/proto/record-problems.ts'

const all = globSync('{*,explain/*}.ts', { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

test('no words are without a kind', () => {
  for (const place of PLACES) assert.ok(all.includes(`'${place}'`), place)
  for (const thing of THINGS) assert.match(all, new RegExp(`'${thing}'|'${thing}_`), thing)
})

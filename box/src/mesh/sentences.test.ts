/** Each refusal of a change of the boxes that the control room has a sentence for is given. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const all = ['topology.ts', 'membership/admin-routes.ts']
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

test('no code is without what has it', () => {
  const given = new Set([...all.matchAll(/(?:\bcoded\(|\breason: )'(\w+)'/g)].map(([, code]) => code))
  assert.deepEqual(new Set<string | undefined>(Object.keys(SAID.boxes)).difference(given), new Set())
})

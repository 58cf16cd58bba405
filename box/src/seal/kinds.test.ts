/** Each kind of problem that a verification reports is one that apps have words for. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FOUND, PLACES, partsOf, THINGS } from '@gatehouse/proto/record-problems.ts'

const all = globSync('{*,explain/*}.ts', { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')
const found = (call: RegExp) => [...all.matchAll(call)].map(([, name = '']) => name)

test('every kind that is reported has its words', () => {
  const kinds = found(/\bproblems\.add\(\s*'(\w+)'/g)
  const names = found(/new (?:ExpectedRows|ExpectedNotes|\w*Notes)\(\s*'(\w+)'/g)
  const tables = found(/^ {4}(\w+): (?:explain\w+|new \w+Explainer)\(/gm)
  assert.ok(
    kinds.length > 20 && names.length > 10 && tables.length === 18,
    `${kinds.length} ${names.length} ${tables.length}`,
  )
  for (const kind of kinds) assert.ok(partsOf(kind), kind)
  for (const name of names) for (const what of FOUND) assert.ok(partsOf(`${name}_${what}`), `${name}_${what}`)
  for (const table of [...tables, 'peer_journal']) assert.ok(partsOf(`unreadable_${table}`), table)
})

test('and no words are without a kind', () => {
  for (const place of PLACES) assert.ok(all.includes(`'${place}'`), place)
  for (const thing of THINGS) assert.match(all, new RegExp(`'${thing}'|'${thing}_`), thing)
})

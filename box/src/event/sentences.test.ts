/** Each code that apps have a sentence for is given by a mistake of the event, of its file or of what lies beside it. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const SOURCES = ['*.ts', '../guide/*.ts', '../boot/check-folder.ts', '../boot/check-draft.ts', '../venue/*.ts']
const all = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: import.meta.dirname }))
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

/** Codes that a pattern finds as its last group. */
const given = (call: RegExp) => [...all.matchAll(call)].map((found) => found.at(-1) ?? '')

test('no code is without a mistake that has it', () => {
  const sent = new Set([
    ...given(/\bcoded\(\s*'(\w+)'/g),
    ...given(/\bmust\(\s*(["'`])(?:\\.|(?!\1)[^\\])*\1,\s*'(\w+)'/g),
    // Of the event and of the map, by what is unknown.
    ...given(/\bunknown\(\s*'(gate|zone|tier|checkpoint)'/g).map((noun) => `no_${noun}`),
    ...given(/\bunknown\(\s*'unknown_(\w+)'/g).map((noun) => `no_${noun}`),
  ])
  assert.match(all, /\bcoded\(`no_\$\{noun\}`/)
  assert.match(all, /\bcoded\(UNKNOWN\[kind\]/)
  const known = Object.keys({ ...SAID.event, ...SAID.map })
  assert.deepEqual(new Set(known).difference(sent), new Set())
})

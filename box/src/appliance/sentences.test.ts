/** Each code of the machine that the control room has a sentence for is given, by a refusal or by a report. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const all = globSync(['*.ts', '../backup/*.ts'], { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

test('no code is without what has it', () => {
  const calls = [
    // The table of the reports.
    /^ {2}\[\s*\/.*\/i?,\s*'(\w+)',/gm,
    /\b(?:code|reason|file_\w+): '(\w+)'/g,
  ]
  const given = new Set(calls.flatMap((call) => [...all.matchAll(call)].map(([, code]) => code)))
  assert.deepEqual(new Set<string | undefined>(Object.keys(SAID.machine)).difference(given), new Set())
})

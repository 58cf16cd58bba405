/** Each sentence of the report, and each reason why a file cannot be used, has a code that apps know, with the values of its words. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'

const sources = globSync('*.ts', { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith('.test.ts'))
  .concat('../import-file.ts', '../import-tickets.ts', '../tiers-thread.ts', '../staging/thread.ts')
  .map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')] as const)
const all = sources.map(([, text]) => text).join('\n')

test('every code that apps have words for is given, with its values', () => {
  for (const [code, names] of Object.entries({ ...SAID.import, ...SAID.file })) {
    const at = all.indexOf(`'${code}'`)
    assert.ok(at >= 0, `nothing gives ${code}`)
    // Every column that is missing comes by one function, with its values.
    const from = code.startsWith('column_') ? all.indexOf('export function missing(') : at
    const around = all.slice(from, from + 700)
    for (const name of names) assert.match(around, new RegExp(`\\b${name}\\b`), `${code} ${name}`)
  }
})

test('no sentence is without a code', () => {
  for (const [name, text] of sources) {
    assert.doesNotMatch(text, /\breturn \{ reason: ['`]|[:?] \{ reason: ['`]/, name)
    assert.doesNotMatch(text, /\bwarn\(\s*['`]/, name)
  }
})

/** Mistakes of whoever types a command: no screen leads to them. */
const TYPED = [
  /of the form (NAME=TIER|FIELD=COLUMN|WORD=STATUS)/,
  /without naming any/,
  /Further files/,
  /Columns are named/,
]
/** A screen asks for the columns of such a file before it sends it. */
const ASKED = [/--format/, /Name either the column/]

test('no error is without a reason, but those that only a command leads to', () => {
  for (const [name, text] of sources) {
    for (const { index } of text.matchAll(/new GatehouseError\(/g)) {
      const call = text.slice(index, index + 700).split(/\n\n|(?<!^)new GatehouseError\(/)[0] ?? ''
      const isKnown = [...TYPED, ...ASKED].some((one) => one.test(call)) || /\b(?:reason|coded)\b/.test(call)
      assert.ok(isKnown, `${name}: ${call.slice(0, 200)}`)
    }
  }
})

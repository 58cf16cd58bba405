import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { rewriteJson } from './rewrite.ts'

const DEMO = readFileSync(join(import.meta.dirname, '../../demo/event.json'), 'utf8')

test('a file whose value has not changed keeps every byte', () => {
  assert.equal(rewriteJson(DEMO, JSON.parse(DEMO)), DEMO)
})

test('one changed value changes one line, and a new entry is written like those beside it', () => {
  const event = JSON.parse(DEMO)
  event.name = 'Our fair'
  event.zones.push({ id: 'yard', name: 'Yard', capacity: 20 })
  const lines = rewriteJson(DEMO, event).split('\n')
  const before = new Set(DEMO.split('\n'))
  assert.deepEqual(
    lines.filter((line) => !before.has(line)),
    [
      '  "name": "Our fair",',
      '    { "id": "backstage", "name": "Backstage", "capacity": 120 },',
      '    { "id": "yard", "name": "Yard", "capacity": 20 }',
    ],
  )
})

test('tabs, Windows line ends around it and a byte order mark stay', () => {
  const file = '\uFEFF{\n\t"id": "a",\n\t"list": [1,   2]\n}\r\n'
  assert.equal(rewriteJson(file, { id: 'b', list: [1, 2] }), '\uFEFF{\n\t"id": "b",\n\t"list": [1,   2]\n}\r\n')
})

test('a file with lines of every indentation keeps each of them', () => {
  const file = '{\n\n      "mine" :  {"a":1},\n  "zones": [\n    { "id": "x",\n      "name": "X" }\n  ]\n}\n'
  assert.equal(
    rewriteJson(file, {
      mine: { a: 1 },
      zones: [
        { id: 'x', name: 'Y' },
        { id: 'z', name: 'Z' },
      ],
    }),
    file.replace('"X" }', '"Y" },\n    { "id": "z",\n      "name": "Z" }'),
  )
})

test('a removed entry takes its own text with it and no other', () => {
  const file = '[\n  {"id": "a",  "x": 1},\n  {"id": "b",  "x": 2}\n]\n'
  assert.equal(rewriteJson(file, [{ id: 'b', x: 2 }]), '[\n  {"id": "b",  "x": 2}\n]\n')
})

/** `__proto__` as a key of a JSON object is one that neither the schema of an event nor a form has. */
const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"')))

test('whatever the file was, it reads as the new value afterwards', () => {
  fc.assert(
    fc.property(json, json, fc.constantFrom(undefined, 1, 2, '\t'), (before, after, indent) => {
      const text = JSON.stringify(before, null, indent)
      assert.deepEqual(JSON.parse(rewriteJson(text, after)), after)
      assert.equal(rewriteJson(text, before), text)
    }),
  )
})

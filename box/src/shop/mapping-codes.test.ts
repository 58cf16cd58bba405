/** A mistake of the mapping has a code with its place, and what stands there, for the screens Shop and Event. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'
import type { Event } from '../event/event.ts'
import { MappingError } from './mapping.ts'
import { mappingCodes } from './mapping-codes.ts'
import { readMapping } from './pretix/mapping.ts'

const folder = mkdtempSync(join(tmpdir(), 'mapping-'))
after(() => rmSync(folder, { recursive: true }))

const EVENT = {
  tiers: [{ id: 'day', name: 'Day' }],
  checkpoints: [{ id: 'main-in' }],
  timezone: 'UTC',
} as unknown as Event

const given = new Set<string>()

function codesOf(yaml: string | Buffer) {
  const path = join(folder, 'pretix.yaml')
  writeFileSync(path, yaml)
  try {
    readMapping(folder, EVENT)
  } catch (error) {
    assert.ok(error instanceof MappingError)
    const codes = mappingCodes(error, path)
    for (const { code } of codes) given.add(code)
    for (const { code, values = {} } of codes) assert.deepEqual(Object.keys(values), SAID.mapping[code], code)
    return codes.map(({ code, values = {} }) => [code, ...Object.values(values)])
  }
  return []
}

test('a tier and a checkpoint that the event does not have, each with its line', () => {
  assert.deepEqual(codesOf("tiers:\n  item:1: dya\n  item:2: day\nlists:\n  '7': [main-in, side]\n"), [
    ['mapping_tier', 'pretix.yaml', 2, 'tiers["item:1"]', 'dya'],
    ['mapping_checkpoint', 'pretix.yaml', 5, 'lists.7[1]', 'side'],
  ])
})

test('a key that is not known or not there, a value of another type, and what is not YAML', () => {
  assert.deepEqual(codesOf('teirs: {}\n'), [
    ['mapping_missing', 'pretix.yaml', 1, 'tiers'],
    ['mapping_key', 'pretix.yaml', 1, 'teirs'],
  ])
  assert.partialDeepStrictEqual(codesOf('tiers: 7\n'), [['mapping_other', 'pretix.yaml', 1]])
  assert.partialDeepStrictEqual(codesOf('tiers:\n  item:1: "day\n'), [['mapping_other', 'pretix.yaml']])
})

test('a file that is no text, and more mistakes than anybody reads', () => {
  assert.partialDeepStrictEqual(codesOf(Buffer.from([0xff, 0xfe, 0xfd])), [['mapping_unreadable', 'pretix.yaml']])
  const many = Array.from({ length: 20 }, (_, i) => `  item:${i}: gone`).join('\n')
  const codes = codesOf(`tiers:\n${many}\n`)
  assert.equal(codes.length, 13)
  assert.deepEqual(codes.at(-1), ['mapping_more', 8])
})

test('no code is without a mistake that has it', () => {
  assert.deepEqual(given, new Set(Object.keys(SAID.mapping)))
})

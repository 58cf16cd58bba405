import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { actionWords as words } from '../../words/late.ts'
import { MOST_BYTES, refusalOf } from './file-check.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const seen = (name: string, head: Uint8Array, size = Math.max(1, head.length)) => refusalOf({ name, size }, head)

test('a file of the size that the box takes is sent, one byte more is not', () => {
  const routes = readFileSync(new URL('../../../../box/src/tickets/routes.ts', import.meta.url), 'utf8')
  const [, limit = ''] = /IMPORT_LIMIT = ([\d* ]+)/.exec(routes) ?? []
  assert.equal(
    limit.split('*').reduce((product, factor) => product * Number(factor), 1),
    MOST_BYTES,
  )
  assert.equal(seen('tickets.csv', bytes('code,tier\n'), MOST_BYTES), null)
  assert.equal(seen('tickets.csv', bytes('code,tier\n'), MOST_BYTES + 1), 'too_large')
  assert.equal(seen('tickets.csv', bytes(''), 0), 'empty')
})

test('what is a list of tickets in any encoding is sent', () => {
  assert.equal(seen('a.csv', bytes('\ufeffcode;tier\r\n')), null)
  assert.equal(seen('a.csv', Uint8Array.of(0xff, 0xfe, 0x63, 0, 0x6f, 0)), null)
  assert.equal(seen('orders.json', bytes('{"results": []}')), null)
  assert.equal(seen('a.csv', bytes('<b>,code\n')), null)
})

test('what is none is refused before it travels, with what to do', () => {
  const zip = Uint8Array.of(0x50, 0x4b, 3, 4)
  assert.equal(seen('list.xlsx', zip), 'workbook')
  assert.equal(seen('list.zip', zip), 'archive')
  assert.equal(seen('list.xls', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)), 'workbook')
  assert.equal(seen('list.csv.gz', Uint8Array.of(0x1f, 0x8b, 8)), 'archive')
  assert.equal(seen('list.pdf', bytes('%PDF-1.7')), 'pdf')
  assert.equal(seen('export.csv', bytes('\n<!DOCTYPE html><html>')), 'page')
  assert.equal(seen('photo.jpg', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)), 'picture')
})

test('every refusal has a sentence', () => {
  for (const refusal of ['empty', 'too_large', 'workbook', 'pdf', 'page', 'archive', 'picture'] as const)
    assert.match(words.import.refused[refusal], /\.$/)
})

test('sizes are read as people read them', () => {
  assert.deepEqual([0, 999, 1_000, 48_210, 268_435_456, 5e9].map(words.import.size), [
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '48.2 kB',
    '268 MB',
    '5.0 GB',
  ])
})

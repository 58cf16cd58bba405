import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChangeEvent } from './change.ts'
import { eventJson } from './json.ts'

const event: ChangeEvent = {
  id: '16/B374D848:1',
  lsn: '16/B374D7A8',
  commitLsn: '16/B374D848',
  commitTime: '2026-07-25T18:20:00.123456Z',
  schema: 'public',
  table: 'a "quoted" one',
  op: 'update',
  beforeJson: '',
  afterJson: '{"id":"9007199254740993","price":"1.10","note":null,"text":"line\\nbreak 🎪"}',
  position: { commitLsn: 0x16b374d848n, index: 1 },
  bytes: 300,
}

test('an event has the names of the protobuf message, and its images as objects', () => {
  assert.deepEqual(JSON.parse(eventJson(event)), {
    id: '16/B374D848:1',
    lsn: '16/B374D7A8',
    commit_lsn: '16/B374D848',
    commit_time: '2026-07-25T18:20:00.123456Z',
    schema: 'public',
    table: 'a "quoted" one',
    op: 'update',
    before: null,
    after: { id: '9007199254740993', price: '1.10', note: null, text: 'line\nbreak 🎪' },
  })
})

test('the images stand in it byte by byte, on one line', () => {
  assert.ok(eventJson(event).endsWith(`"before":null,"after":${event.afterJson}}`))
  assert.doesNotMatch(eventJson(event), /[\r\n]/)
})

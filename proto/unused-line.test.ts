import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leavesLineUnused } from './unused-line.ts'

test('a file that was not read, and one without an event, have no line that was not used', () => {
  const noEvent = { where: 'box.event', message: 'is not set', coded: [{ code: 'no_event' }] }
  assert.equal(leavesLineUnused(noEvent), false)
  assert.equal(leavesLineUnused({ where: 'gatehouse.toml', message: 'was not read' }), false)
  const notToml = { where: 'line 1', message: 'cannot be read', coded: [{ code: 'not_toml', values: { why: 'x' } }] }
  assert.equal(leavesLineUnused(notToml), false)
  assert.equal(leavesLineUnused({ where: 'line 1', message: 'is broken' }), true)
  assert.equal(leavesLineUnused({ where: 'box.name', message: 'is a host name' }), true)
})

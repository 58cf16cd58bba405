import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { incident, stats } from '../test-samples.ts'
import { isIncident, isStats, readEvent } from './event.ts'

test('figures and incidents come through as they were sent', () => {
  assert.deepEqual(readEvent('stats', JSON.stringify(stats())), { kind: 'stats', stats: stats() })
  const fire = incident({ kind: 'fire', emergency: true, alert: 2 })
  assert.deepEqual(readEvent('incident', JSON.stringify(fire)), { kind: 'incident', incident: fire })
})

test('an incident of a kind and state that this page has never heard of is not dropped', () => {
  const flood = { ...incident(), kind: 'flood', state: 'escalated' }
  assert.ok(readEvent('incident', JSON.stringify(flood)))
})

test('a field more is taken, a field less or of another type is not', () => {
  assert.ok(isStats({ ...stats(), links: [{ up: true }] }))
  for (const name of Object.keys(stats()) as (keyof ReturnType<typeof stats>)[]) {
    if (['hlc', 'entries', 'flags_by_kind'].includes(name)) continue
    const { [name]: _, ...less } = stats()
    assert.equal(isStats(less), false, `without ${name}`)
    assert.equal(isStats({ ...stats(), [name]: Symbol() }), false, `with another ${name}`)
  }
  assert.equal(isStats({ ...stats(), zones: [{ ...stats().zones[0], occupancy: '9' }] }), false)
  assert.equal(isStats({ ...stats(), as_of: 'yesterday' }), false)
  assert.equal(isIncident({ ...incident(), version: Number.NaN }), false)
  assert.equal(isIncident({ ...incident(), reported_at: 'soon' }), false)
  assert.equal(isIncident({ ...incident(), actions: [null] }), false)
})

test('nothing that comes over a wire throws, and nothing strange comes through', () => {
  const name = fc.oneof(fc.constantFrom('stats', 'incident', 'message', '__proto__', ''), fc.string())
  const data = fc.oneof(fc.string(), fc.json(), fc.constant('{"as_of":'), fc.constant('null'), fc.constant('[]'))
  fc.assert(fc.property(name, data, (event, text) => readEvent(event, text) === null))
})

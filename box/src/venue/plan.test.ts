import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Event, readEvent } from '../event/event.ts'
import { compilePlan } from './plan.ts'

const event = await readEvent(fileURLToPath(new URL('../../demo', import.meta.url)))

test('the plan holds the zones, gates and checkpoints of the event file', () => {
  const { id: event_id, zones, gates, checkpoints } = event
  assert.deepEqual(JSON.parse(compilePlan(event).body), { event_id, zones, gates, checkpoints })
})

test('the ETag is the hash of the body, in quotes', () => {
  const { body, etag } = compilePlan(event)
  assert.equal(etag, `"sha256-${createHash('sha256').update(body, 'utf8').digest('hex')}"`)
})

test('the order in which fields were written changes nothing', () => {
  const backwards = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(backwards)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, field]) => [key, backwards(field)]),
    )
  }
  const { tierById, zoneById, gateById, checkpointById, ...file } = event
  assert.deepEqual(compilePlan({ ...event, ...(backwards(file) as typeof file) }), compilePlan(event))
})

test('a change that people would see changes the ETag, and one that they would not leaves it', () => {
  const etag = (change: Partial<Event>) => compilePlan({ ...event, ...change }).etag
  const [zone, ...zones] = event.zones
  assert.ok(zone)
  assert.notEqual(etag({ zones: [{ ...zone, capacity: zone.capacity + 1 }, ...zones] }), etag({}))
  assert.equal(etag({ warnings: [{ path: 'gates[0]', message: 'none' }] }), etag({}))
})

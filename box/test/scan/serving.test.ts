import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isServed, servingCheckpoints } from '@gatehouse/proto/serving.ts'
import { type Checkpoint, type EventFile, parseEvent } from '../../src/event/event.ts'
import { TEST_EVENT } from '../world/event.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const HOUR = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

function servedAt(
  tier: string,
  from: string,
  at = NOON,
  file: EventFile = TEST_EVENT,
  held: readonly string[] = [],
): string[] {
  const parsed = parseEvent(file)
  assert.ok('event' in parsed, JSON.stringify(parsed))
  const here = parsed.event.checkpointById.get(from) ?? assert.fail(from)
  const isHeld = (gate: string) => held.includes(gate)
  return servingCheckpoints(parsed.event.checkpoints, tier, here, { at, isHeld }).map(({ id }) => id)
}

/** The test event with some checkpoints changed. */
function otherwise(changes: Record<string, Partial<Checkpoint>>, order = (all: Checkpoint[]) => all): EventFile {
  const checkpoints = TEST_EVENT.checkpoints.map((c) => ({ ...c, ...changes[c.id] }) as Checkpoint)
  return { ...TEST_EVENT, checkpoints: order(checkpoints) }
}

for (const [why, tier, from, expected] of [
  ['into the same zone, as the file lists them', 'once', 'v-in', ['a-in', 'b-in']],
  ['the same gate first', 'once', 'b-in', ['b-in', 'a-in']],
  ['from the street, not what lies inside', 'vip', 'a-in', ['b-in', 'v-in']],
  ['from inside, what leads on', 'vip', 'v-in', ['v-in', 'b-in']],
  ['nothing for a tier that nobody lets in', 'gone', 'a-in', []],
] as const) {
  test(`a tier is served ${why}`, () => assert.deepEqual(servedAt(tier, from), expected))
}

test('checkpoints that lead on from here come first, wherever the file lists them', () => {
  assert.deepEqual(
    servedAt(
      'vip',
      'a-in',
      NOON,
      otherwise({}, (all) => all.reverse()),
    ),
    ['b-in', 'v-in'],
  )
})

test('a closed checkpoint is not suggested while one is open, to the second', () => {
  const hours = otherwise({ 'a-in': { opens_at: iso(NOON), closes_at: iso(NOON + HOUR) } })
  assert.deepEqual(servedAt('once', 'a-out', NOON - 1, hours), ['b-in'])
  assert.deepEqual(servedAt('once', 'a-out', NOON, hours), ['a-in', 'b-in'])
  assert.deepEqual(servedAt('once', 'a-out', NOON + HOUR - 1, hours), ['a-in', 'b-in'])
  assert.deepEqual(servedAt('once', 'a-out', NOON + HOUR, hours), ['b-in'])
})

test('before doors open, every checkpoint is suggested', () => {
  const opens_at = iso(NOON)
  const closed = otherwise({ 'a-in': { opens_at }, 'b-in': { opens_at } })
  assert.deepEqual(servedAt('once', 'a-out', NOON - 1, closed).sort(), ['a-in', 'b-in', 'late-in'])
})

test('a gate on hold is never suggested, also when all others are closed or all are on hold', () => {
  assert.deepEqual(servedAt('once', 'v-in', NOON, TEST_EVENT, ['a']), ['b-in'])
  const hours = otherwise({ 'b-in': { opens_at: iso(NOON + HOUR) } })
  assert.deepEqual(servedAt('once', 'v-in', NOON, hours, ['a']), ['b-in', 'late-in'])
  assert.deepEqual(servedAt('once', 'v-in', NOON, TEST_EVENT, ['a', 'b']), [])
})

test('nothing behind the gates on hold is suggested', () => {
  assert.deepEqual(servedAt('crew', 'a-in', NOON, TEST_EVENT, ['a']), ['b-in', 'v-in'])
  assert.deepEqual(servedAt('vip', 'a-in', NOON, TEST_EVENT, ['b']), [])
  assert.deepEqual(servedAt('vip', 'v-out', NOON, TEST_EVENT, ['b']), ['v-in'])
})

test('a tier is served where a checkpoint admits it; exits do not count', () => {
  const parsed = parseEvent(TEST_EVENT)
  assert.ok('event' in parsed)
  const { checkpoints } = parsed.event
  const exits = checkpoints.filter(({ direction }) => direction === 'out')
  const served = [isServed(checkpoints, 'vip'), isServed(checkpoints, 'gone'), isServed(exits, 'vip')]
  assert.deepEqual(served, [true, false, false])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, toBinary } from '@bufbuild/protobuf'
import { ChangeEventBatchSchema } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { anyText, runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import type { ChangeEvent } from '../change.ts'
import { BatchEncoder } from './batch-encoder.ts'

/** Around the lengths at which a text is written another way, or its length takes another byte. */
const sizes = fc.constantFrom(0, 1, 15, 16, 42, 43, 47, 48, 127, 128, 5461, 5462, 16_383, 16_384, 70_000)
const text = fc.oneof(
  anyText({ maxLength: 60 }),
  fc.tuple(fc.constantFrom('a', 'é', '€', '😀', '\ud800'), sizes).map(([unit, size]) => unit.repeat(size)),
)
const event: fc.Arbitrary<ChangeEvent> = fc.record({
  id: text,
  lsn: text,
  commitLsn: text,
  commitTime: text,
  schema: text,
  table: text,
  op: fc.constantFrom('insert', 'update', 'delete', 'truncate'),
  beforeJson: text,
  afterJson: text,
  position: fc.constant({ commitLsn: 0n, index: 0 }),
  bytes: fc.constant(0),
})

test('a batch is what the generated code makes of it, one after the other', () => {
  const encoder = new BatchEncoder()
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), (events) => {
      const wanted = toBinary(ChangeEventBatchSchema, create(ChangeEventBatchSchema, { events }))
      assert.ok(encoder.encode(events).equals(wanted))
    }),
    runs(100, 1000),
  )
})

test('what was handed out stays what it was', () => {
  const encoder = new BatchEncoder()
  const [first, second] = fc.sample(event, { numRuns: 2, seed: 1 }) as [ChangeEvent, ChangeEvent]
  const message = encoder.encode([first])
  const copy = Buffer.from(message)
  encoder.encode([second, second])
  assert.ok(message.equals(copy))
})

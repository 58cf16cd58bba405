import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type DescMessage, fromBinary, ScalarType, toBinary } from '@bufbuild/protobuf'
import {
  ChangeEventBatchSchema,
  ChangeEventSchema,
  ChangefeedSink,
  DeliverAckSchema,
} from '../../gen/changefeed/v1/changefeed_pb.ts'

const fields = (message: DescMessage) =>
  message.fields.map((field) => {
    const type = field.message?.typeName ?? (field.scalar && ScalarType[field.scalar].toLowerCase())
    return `${field.fieldKind === 'list' ? 'repeated ' : ''}${type} ${field.name} = ${field.number}`
  })

test('the contract, name by name and number by number', () => {
  assert.equal(ChangefeedSink.typeName, 'changefeed.v1.ChangefeedSink')
  assert.deepEqual(
    ChangefeedSink.methods.map(({ name, methodKind, input, output }) => [name, methodKind, input.name, output.name]),
    [['Deliver', 'unary', 'ChangeEventBatch', 'DeliverAck']],
  )
  assert.deepEqual(fields(ChangeEventBatchSchema), ['repeated changefeed.v1.ChangeEvent events = 1'])
  assert.deepEqual(fields(ChangeEventSchema), [
    'string id = 1',
    'string lsn = 2',
    'string commit_lsn = 3',
    'string commit_time = 4',
    'string schema = 5',
    'string table = 6',
    'string op = 7',
    'string before_json = 8',
    'string after_json = 9',
  ])
  assert.deepEqual(fields(DeliverAckSchema), ['bool ok = 1', 'string message = 2'])
})

test('protoc makes a Go package of it without an option of the caller', () => {
  assert.equal(ChangefeedSink.file.proto.options?.goPackage, 'gatehouse/proto/changefeed/v1;changefeedv1')
})

test('a batch comes back as it was, in order, its large integers untouched', () => {
  const event = {
    commitLsn: '16/B374D848',
    commitTime: '2026-07-25T18:20:00.123456+01:00',
    schema: 'public',
    table: 'tickets',
  }
  const batch = create(ChangeEventBatchSchema, {
    events: [
      { ...event, id: '16/B374D848:0', lsn: '16/B374D700', op: 'insert', afterJson: '{"id":"9007199254740993"}' },
      {
        ...event,
        id: '16/B374D848:1',
        lsn: '16/B374D7A8',
        op: 'update',
        beforeJson: '{"a":"é"}',
        afterJson: '{"a":"🎪"}',
      },
      { ...event, id: '16/B374D848:2', lsn: '16/B374D7F0', op: 'delete', beforeJson: '{"id":"1"}' },
      { ...event, id: '16/B374D848:3', lsn: '16/B374D810', op: 'truncate' },
    ],
  })
  const read = fromBinary(ChangeEventBatchSchema, toBinary(ChangeEventBatchSchema, batch))
  assert.deepEqual(read, batch)
  assert.equal(read.events[3]?.afterJson, '', 'an absent row image is the empty string')
})

test('the bytes of an ack, as any protobuf library writes them', () => {
  const ack = create(DeliverAckSchema, { ok: false, message: 'disk full' })
  assert.equal(Buffer.from(toBinary(DeliverAckSchema, ack)).toString('latin1'), '\x12\x09disk full')
  assert.deepEqual(fromBinary(DeliverAckSchema, Uint8Array.of(0x08, 0x01)), create(DeliverAckSchema, { ok: true }))
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeRecord, encodeRecord, GENERATION_BYTES, HEADER_BYTES, isHeadOf, type Payload } from './record.ts'

const generation = fc
  .uint8Array({ minLength: GENERATION_BYTES, maxLength: GENERATION_BYTES })
  .map((bytes) => Buffer.from(bytes))
const param = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.bigInt(),
  fc.constant(null),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
)
const statement = fc
  .tuple(fc.nat(20), fc.array(param))
  .map(([text, params]): [number, ...unknown[]] => [text, ...params])
const payload: fc.Arbitrary<Payload> = fc.record(
  { texts: fc.array(fc.string()), first: fc.boolean(), statements: fc.array(statement) },
  { noNullPrototype: true },
)
const record = fc.record({ seq: fc.nat({ max: Number.MAX_SAFE_INTEGER }), payload }, { noNullPrototype: true })

describe('a record of the redo log', () => {
  it('is read as it was written, wherever it stands', () => {
    fc.assert(
      fc.property(generation, record, fc.uint8Array(), fc.uint8Array(), (of, written, before, behind) => {
        const bytes = encodeRecord(of, written)
        const file = Buffer.concat([before, bytes, behind])
        const { next, ...read } = decodeRecord(file, before.length, of) ?? assert.fail()
        assert.equal(next, before.length + bytes.length)
        assert.deepEqual(read, written)
        assert.ok(isHeadOf(bytes.subarray(0, HEADER_BYTES), { generation: of, seq: written.seq }))
      }),
    )
  })

  it('is none where a byte was changed, where it is cut short, in zeros, and in another generation', () => {
    fc.assert(
      fc.property(generation, record, fc.nat(), fc.integer({ min: 1, max: 255 }), (of, written, place, change) => {
        const bytes = encodeRecord(of, written)
        assert.equal(decodeRecord(bytes.subarray(0, place % bytes.length), 0, of), undefined)
        const other = Buffer.from(of)
        other[place % GENERATION_BYTES] = (other[place % GENERATION_BYTES] ?? 0) ^ change
        assert.equal(decodeRecord(bytes, 0, other), undefined)
        const at = place % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ change
        assert.equal(decodeRecord(bytes, 0, of), undefined)
      }),
    )
    assert.equal(decodeRecord(Buffer.alloc(4096), 0, Buffer.alloc(GENERATION_BYTES)), undefined)
    assert.equal(decodeRecord(Buffer.alloc(0), 0, Buffer.alloc(GENERATION_BYTES)), undefined)
  })
})

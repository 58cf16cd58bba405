import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { describe, it } from 'node:test'
import { anyText } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { Decoder, type Message, ProtocolError } from './pgoutput.ts'

/** The server's half, as the manual describes it. */
const int = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const int64 = (value: bigint) => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64BE(BigInt.asUintN(64, value))
  return buffer
}
const text = (value: string) => Buffer.from(`${value}\0`)
const join = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))

/** undefined: unchanged, and not sent. */
type Value = string | null | undefined
interface Column {
  name: string
  key: boolean
}

const relation = (id: number, schema: string, table: string, columns: readonly Column[]) =>
  join(
    'R',
    int(id, 4),
    text(schema),
    text(table),
    'd',
    int(columns.length, 2),
    ...columns.map(({ name, key }) => join(int(key ? 1 : 0, 1), text(name), int(25, 4), int(0xffff_ffff, 4))),
  )
const tuple = (values: readonly Value[]) =>
  join(
    int(values.length, 2),
    ...values.map((value) => {
      if (value === null) return Buffer.from('n')
      if (value === undefined) return Buffer.from('u')
      return join('t', int(Buffer.byteLength(value), 4), value)
    }),
  )
const insert = (id: number, row: readonly Value[]) => join('I', int(id, 4), 'N', tuple(row))
const update = (id: number, row: readonly Value[], marker = '', old: readonly Value[] = []) =>
  join('U', int(id, 4), marker, marker ? tuple(old) : '', 'N', tuple(row))
const remove = (id: number, marker: string, old: readonly Value[]) => join('D', int(id, 4), marker, tuple(old))
const begin = (lsn: bigint, micros = 0n) => join('B', int64(lsn), int64(micros), int(7, 4))
const commit = (lsn: bigint, end: bigint) => join('C', int(0, 1), int64(lsn), int64(end), int64(0n))
const truncate = (...ids: number[]) => join('T', int(ids.length, 4), int(3, 1), ...ids.map((id) => int(id, 4)))

const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((name) => !name.includes('\0'))
const columns = fc.uniqueArray(fc.record({ name: names, key: fc.boolean() }), {
  selector: ({ name }) => name,
  maxLength: 6,
})
const value = fc.oneof(
  fc.constant(null),
  anyText(),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0001', '\u001f', 'é', '\u2028', '😀', 'a'), maxLength: 2000 }),
)
const table = columns.chain((columns) => {
  const row = fc.tuple(...columns.map(() => value)) as fc.Arbitrary<(string | null)[]>
  return fc.record({ columns: fc.constant(columns), row, old: row })
})

/** Built another way: the object, then its JSON. */
const json = (
  columns: readonly Column[],
  row: readonly Value[],
  wanted: (column: Column, i: number) => boolean = () => true,
) =>
  `{${columns
    .flatMap(({ name, key }, i) => {
      const value = row[i]
      return value === undefined || !wanted({ name, key }, i)
        ? []
        : [`${JSON.stringify(name)}:${JSON.stringify(value)}`]
    })
    .join(',')}}`

function decoder(columns: readonly Column[]): Decoder {
  const decoder = new Decoder()
  assert.deepEqual(decoder.decode(relation(1, 'public', 't', columns)), { kind: 'other' })
  return decoder
}

function images(message: Message): [string, string] {
  if (!('beforeJson' in message)) return assert.fail(message.kind)
  assert.equal(message.bytes, Buffer.byteLength(message.beforeJson) + Buffer.byteLength(message.afterJson))
  return [message.beforeJson, message.afterJson]
}

describe('pgoutput', () => {
  it('rows are the JSON that JSON.stringify would have made of their texts', () => {
    fc.assert(
      fc.property(table, ({ columns, row, old }) => {
        const decode = decoder(columns)
        assert.deepEqual(images(decode.decode(insert(1, row))), ['', json(columns, row)])
        assert.deepEqual(images(decode.decode(update(1, row))), ['', json(columns, row)])
        assert.deepEqual(images(decode.decode(update(1, row, 'O', old))), [json(columns, old), json(columns, row)])
        assert.deepEqual(images(decode.decode(remove(1, 'O', old))), [json(columns, old), ''])
        const keys = json(columns, old, ({ key }) => key)
        assert.deepEqual(images(decode.decode(remove(1, 'K', old))), [keys, ''])
        assert.deepEqual(images(decode.decode(update(1, row, 'K', old))), [keys, json(columns, row)])
      }),
    )
  })

  it('what is unchanged is that of the whole old row, or is left out', () => {
    fc.assert(
      fc.property(table, fc.infiniteStream(fc.boolean()), ({ columns, row, old }, flags) => {
        const sent = row.map((value) => (flags.next().value ? undefined : value))
        const decode = decoder(columns)
        const whole = sent.map((value, i) => (value === undefined ? (old[i] ?? undefined) : value))
        assert.deepEqual(images(decode.decode(update(1, sent, 'O', old)))[1], json(columns, whole))
        for (const [marker, given] of [
          ['', []],
          ['K', old],
        ] as const) {
          assert.deepEqual(images(decode.decode(update(1, sent, marker, given)))[1], json(columns, sent))
        }
        assert.deepEqual(images(decode.decode(insert(1, sent)))[1], json(columns, sent))
      }),
    )
  })

  it('a value of any length, one after the other', () => {
    const decode = decoder([{ name: 'v', key: true }])
    for (const length of [0, 1, 65_535, 65_536, 3_000_000, 5]) {
      const quotes = '"'.repeat(length)
      assert.deepEqual(images(decode.decode(insert(1, [quotes]))), ['', json([{ name: 'v', key: true }], [quotes])])
    }
  })

  it('bytes that are not UTF-8 are replaced, as far as they go', () => {
    const row = join('I', int(1, 4), 'N', int(1, 2), 't', int(3, 4), Buffer.from([0x61, 0xff, 0x62]))
    const message = decoder([{ name: 'v', key: false }]).decode(row)
    assert.equal('afterJson' in message && message.afterJson, '{"v":"a\ufffdb"}')
  })

  it('transactions, truncates, and what is nothing to a receiver', () => {
    const decode = decoder([])
    assert.deepEqual(decode.decode(begin(2n ** 64n - 1n, -5n)), {
      kind: 'begin',
      commitLsn: 2n ** 64n - 1n,
      committedAt: -5n,
    })
    assert.deepEqual(decode.decode(commit(5n, 6n)), { kind: 'commit', commitLsn: 5n, end: 6n })
    decode.decode(relation(0xffff_ffff, '', 'pg_x', []))
    const { relations } = decode.decode(truncate(1, 0xffff_ffff)) as Extract<Message, { kind: 'truncate' }>
    assert.deepEqual(
      relations.map(({ schema, table }) => `${schema}.${table}`),
      ['public.t', 'pg_catalog.pg_x'],
    )
    for (const message of OTHERS) assert.deepEqual(decode.decode(message), { kind: 'other' })
    // A relation that is described again is what it is described as now.
    decode.decode(relation(1, 'public', 'u', [{ name: 'n', key: true }]))
    assert.deepEqual(images(decode.decode(insert(1, ['1']))), ['', '{"n":"1"}'])
  })

  it('every beginning of a message is an error, and so is every message with more behind it', () => {
    fc.assert(
      fc.property(table, ({ columns, row, old }) => {
        const messages = [
          insert(1, row),
          update(1, row),
          update(1, row, 'O', old),
          update(1, row, 'K', old),
          remove(1, 'K', old),
        ]
        for (const message of [
          ...messages,
          relation(2, 'public', 'u', columns),
          ...OTHERS,
          begin(1n),
          commit(1n, 2n),
          truncate(1, 1),
        ]) {
          const decode = decoder(columns)
          for (let length = 0; length < message.length; length += 1 + Math.floor(message.length / 200)) {
            assert.throws(() => decode.decode(message.subarray(0, length)), ProtocolError)
          }
          assert.throws(() => decode.decode(join(message, '\0')), ProtocolError)
          decode.decode(message)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('anything at all is a message or an error', () => {
    const type = fc.constantFrom(...'BCORYIUDTMSEcAbPKrp')
    fc.assert(
      fc.property(type, fc.uint8Array({ maxLength: 64 }), table, (type, noise, { columns, row }) => {
        const valid = insert(1, row)
        const hurt = Buffer.from(valid)
        for (const [i, byte] of noise.entries()) hurt[(i * 7 + byte) % hurt.length] = byte
        for (const message of [join(type, Buffer.from(noise)), hurt]) {
          const decode = decoder(columns)
          try {
            decode.decode(message)
          } catch (error) {
            assert.ok(error instanceof ProtocolError, String(error))
          }
        }
      }),
    )
  })

  it('says what is wrong', () => {
    const decode = decoder([{ name: 'a', key: true }])
    const wrong: [Buffer, RegExp][] = [
      [join('S', int(1, 4)), /type "S", which protocol version 1 has not/],
      [insert(2, ['a']), /relation 2, which was not described/],
      [insert(1, ['a', 'b']), /a row of 2 columns for t, which has 1/],
      [join('I', int(1, 4), 'N', int(1, 2), 'b', int(0, 4)), /a value of kind "b"/],
      [join('I', int(1, 4), 'X', int(1, 2), 'n'), /"X" where N belongs/],
      [remove(1, 'X', ['a']), /an old row marked "X"/],
      [join('I', int(1, 4), 'N', int(1, 2), 't', int(0xffff_ffff, 4)), /ends too early/],
      [join('Y', int(1, 4), 'never ends'), /a name that does not end/],
      [truncate(1, 1).fill(0xff, 1, 5), /ends too early|not described/],
    ]
    for (const [message, why] of wrong)
      assert.throws(() => decode.decode(message), { name: 'ProtocolError', message: why })
  })
})

const OTHERS = [
  join('Y', int(1, 4), text('public'), text('mood')),
  join('O', int64(1n), text('origin')),
  join('M', int(1, 1), int64(1n), text('prefix'), int(3, 4), 'abc'),
]

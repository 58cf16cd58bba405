import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  bucketOf,
  type CodeTable,
  cellsFor,
  codeTableFromWire,
  codeTableToWire,
  fillBucket,
  lookUp,
  packCells,
} from './code-table.ts'
import vectors from './vectors/code-table.json' with { type: 'json' }

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

for (const { name, wire, codes, others } of vectors.tables) {
  test(`golden table: ${name}`, () => {
    const table = codeTableFromWire(wire)
    assert.deepEqual(codeTableToWire(table), wire)
    for (const [hash, number] of [...codes, ...others]) assert.equal(lookUp(table, hex(String(hash))), number)
    const made = tableOf(new Map(codes.map(([hash, number]) => [String(hash), Number(number)])), wire)
    for (const [hash, number] of codes) assert.equal(lookUp(made, hex(String(hash))), number)
  })
}

/** @param numbers by hash, hex */
function tableOf(
  numbers: ReadonlyMap<string, number>,
  { buckets, width, cells }: { buckets: number; width: number; cells?: number },
): CodeTable {
  const parts = Array.from({ length: buckets }, () => ({ hashes: [] as Uint8Array[], numbers: [] as number[] }))
  for (const [hash, number] of numbers) {
    const part = parts[bucketOf(hex(hash), buckets)]
    part?.hashes.push(hex(hash))
    part?.numbers.push(number)
  }
  const most = cells ?? cellsFor(Math.max(...parts.map((part) => part.numbers.length)))
  const filled = parts.map((part) => fillBucket(Buffer.concat(part.hashes), part.numbers, most))
  const all = Uint16Array.from(filled.flatMap((part) => [...part.cells]))
  const seeds = Uint8Array.from(filled, ({ seed }) => seed)
  return { buckets, width, cells: most, seeds, bits: packCells(all, width) }
}

test('every code has its number, in any table, and after the wire', () => {
  const codeHash = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'))
  const shape = fc.record({ buckets: fc.constantFrom(1, 2, 4, 64), width: fc.integer({ min: 1, max: 16 }) })
  fc.assert(
    fc.property(shape, fc.uniqueArray(codeHash, { maxLength: 80 }), fc.integer(), (shape, hashes, factor) => {
      const numbers = new Map(hashes.map((hash, i) => [hash, ((i * factor) >>> 0) % 2 ** shape.width]))
      const table = codeTableFromWire(codeTableToWire(tableOf(numbers, shape)))
      for (const [hash, number] of numbers) assert.equal(lookUp(table, hex(hash)), number)
    }),
  )
})

test('a hundred thousand codes take under 1.4 cells each, and others get any number', (t) => {
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(Buffer.alloc(1_600_000))
  const hashes = Array.from({ length: 100_000 }, (_, i) => noise.subarray(i * 16, i * 16 + 16).toString('hex'))
  const numbers = new Map(hashes.slice(0, 90_000).map((hash, i) => [hash, i % 8]))
  const start = performance.now()
  const table = tableOf(numbers, { buckets: 64, width: 3 })
  t.diagnostic(`${Math.round(performance.now() - start)} ms, ${table.bits.length} bytes`)
  assert.ok(table.cells * table.buckets < 1.4 * numbers.size)
  for (const [hash, number] of numbers) assert.equal(lookUp(table, hex(hash)), number)
  const counts = new Array(8).fill(0)
  for (const hash of hashes.slice(90_000)) counts[lookUp(table, hex(hash))]++
  for (const count of counts) assert.ok(count > 1000 && count < 1500, String(counts))
})

test('what has no table is refused', () => {
  const twice = Buffer.alloc(32)
  assert.throws(() => fillBucket(twice, [1, 2], cellsFor(2)), RangeError)
  const [{ wire } = assert.fail()] = vectors.tables
  const changes = [
    ...[{ buckets: 0 }, { buckets: 3 }, { buckets: 1.5 }, { buckets: 2 ** 17 }, { buckets: 2 }],
    ...[{ cells: 0 }, { cells: 56 }, { cells: 60 }, { cells: 3 * 2 ** 24 }, { width: 0 }, { width: 17 }, { width: 4 }],
    ...[{ seeds: '' }, { seeds: 'AAA=' }, { seeds: 'A' }, { bits: '' }, { bits: wire.bits.slice(0, -1) }],
  ]
  for (const change of changes) assert.throws(() => codeTableFromWire({ ...wire, ...change }), RangeError)
  const [table] = vectors.tables.map((each) => codeTableFromWire(each.wire))
  assert.throws(() => lookUp(table ?? assert.fail(), new Uint8Array(8)), RangeError)
})

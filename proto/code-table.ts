// The manifest's table of kinds: the kind of each code, in a few bits a code, for a scanner that is offline. It contains no
// codes: for a hash that it was made with it yields that hash's number, and for any other hash an arbitrary number, so whoever
// gets hold of it learns nothing about codes that they do not have. (A Bloomier filter; the cells are found by peeling, after
// Botelho, Pagh and Ziviani.) The format, for an implementation in another language:
//
//   the cells are numbers of `width` bits, one after the other, the most significant bit first
//   they lie in `buckets` (a power of two) groups of `cells` each, `cells` being a multiple of three
//   a hash's bucket is its first log2(buckets) bits; the bucket's seed is byte `bucket` of `seeds`
//   for i = 0, 1, 2:  w = (bytes 4 + 4i – 7 + 4i as a big-endian number) xor (seed * 0x9e3779b9 mod 2^32)
//                     w = w xor (w >> 16);  w = w * 0x85ebca6b mod 2^32
//                     w = w xor (w >> 13);  w = w * 0xc2b2ae35 mod 2^32;  w = w xor (w >> 16)
//                     cell i is the bucket's cell number  i * cells/3 + w mod (cells/3)
//   the hash's number is cell 0 xor cell 1 xor cell 2

import { fromBase64, toBase64 } from './base64.ts'

const CODE_HASH_BYTES = 16
const MAX_BUCKETS = 2 ** 16
const MAX_CELLS = 2 ** 24
const MAX_WIDTH = 16
const SEEDS = 256
/** Cells for each code: with fewer than 1.222, peeling does not succeed. */
const SPARSE = 1.23
/** Extra cells for each bucket, which a bucket with few codes needs. */
const SPARE = 32

export interface CodeTable {
  readonly buckets: number
  /** Of a bucket. */
  readonly cells: number
  /** Bits of a cell, 1 to 16. */
  readonly width: number
  /** One byte for each bucket. */
  readonly seeds: Uint8Array
  readonly bits: Uint8Array
}

/** The table as the manifest carries it; `seeds` and `bits` are Base64. */
export interface WireCodeTable {
  buckets: number
  cells: number
  width: number
  seeds: string
  bits: string
}

/** Number of cells that a bucket with this many codes needs. */
export function cellsFor(codes: number): number {
  return Math.ceil((codes * SPARSE + SPARE) / 3) * 3
}

/** @param hash at least 4 bytes @param buckets a power of two */
export function bucketOf(hash: Uint8Array, buckets: number): number {
  const first = new DataView(hash.buffer, hash.byteOffset).getUint32(0)
  return buckets === 1 ? 0 : first >>> (32 - Math.log2(buckets))
}

/** The number of a 16-byte code hash that the table was made with; an arbitrary number for any other. */
export function lookUp(table: CodeTable, hash: Uint8Array): number {
  if (hash.length !== CODE_HASH_BYTES) throw new RangeError(`a code hash has ${CODE_HASH_BYTES} bytes`)
  const bucket = bucketOf(hash, table.buckets)
  const view = new DataView(hash.buffer, hash.byteOffset)
  let number = 0
  for (let i = 0; i < 3; i++) {
    number ^= cellAt(table, bucket * table.cells + cellOf(view, i, table.seeds[bucket] ?? 0, table.cells / 3))
  }
  return number
}

/**
 * One bucket with a number for each of its codes.
 * @param hashes 16 bytes each, no two alike @param numbers one for each, below 2^16 @param cells at least `cellsFor`
 * @throws RangeError where there is no such bucket: a hash that comes twice, or too few cells
 */
export function fillBucket(
  hashes: Uint8Array,
  numbers: ArrayLike<number>,
  cells: number,
): { seed: number; cells: Uint16Array } {
  for (let seed = 0; seed < SEEDS; seed++) {
    const filled = peel(hashes, numbers, cells, seed)
    if (filled) return { seed, cells: filled }
  }
  throw new RangeError(`${numbers.length} codes do not fit into ${cells} cells, or one of them comes twice`)
}

/**
 * A code that has one of its cells to itself can have any number, whatever else is in the table. It is removed, which may
 * leave another code with a cell to itself. If all codes can be removed in this way, they are put back in reverse order, each
 * by setting its own cell. Undefined where they cannot.
 */
function peel(hashes: Uint8Array, numbers: ArrayLike<number>, cells: number, seed: number): Uint16Array | undefined {
  const codes = numbers.length
  const places = new Uint32Array(codes * 3)
  const sharing = new Uint32Array(cells)
  /** The exclusive or of the codes that share a cell: where there is one, that code. */
  const codesIn = new Uint32Array(cells)
  for (let code = 0; code < codes; code++) {
    const view = new DataView(hashes.buffer, hashes.byteOffset + code * CODE_HASH_BYTES)
    for (let i = 0; i < 3; i++) {
      const cell = cellOf(view, i, seed, cells / 3)
      places[code * 3 + i] = cell
      sharing[cell] = at(sharing, cell) + 1
      codesIn[cell] = at(codesIn, cell) ^ code
    }
  }
  const single: number[] = []
  for (let cell = 0; cell < cells; cell++) if (sharing[cell] === 1) single.push(cell)
  const removed: [code: number, cell: number][] = []
  for (let cell = single.pop(); cell !== undefined; cell = single.pop()) {
    if (sharing[cell] !== 1) continue
    const code = at(codesIn, cell)
    removed.push([code, cell])
    for (let i = 0; i < 3; i++) {
      const other = at(places, code * 3 + i)
      sharing[other] = at(sharing, other) - 1
      codesIn[other] = at(codesIn, other) ^ code
      if (sharing[other] === 1) single.push(other)
    }
  }
  if (removed.length < codes) return undefined
  const filled = new Uint16Array(cells)
  for (const [code, cell] of removed.reverse()) {
    let number = numbers[code] ?? 0
    for (let i = 0; i < 3; i++) number ^= at(filled, at(places, code * 3 + i))
    filled[cell] = number
  }
  return filled
}

const at = (numbers: Uint32Array | Uint16Array, i: number) => numbers[i] ?? 0

/** A hash's i-th cell within its bucket, which is in the i-th third of the cells. @param third how many cells that is */
function cellOf(view: DataView, i: number, seed: number, third: number): number {
  let w = view.getUint32(4 + 4 * i) ^ Math.imul(seed, 0x9e3779b9)
  w = Math.imul(w ^ (w >>> 16), 0x85ebca6b)
  w = Math.imul(w ^ (w >>> 13), 0xc2b2ae35)
  return i * third + (((w ^ (w >>> 16)) >>> 0) % third)
}

function cellAt({ bits, width }: CodeTable, cell: number): number {
  let number = 0
  for (let bit = cell * width; bit < (cell + 1) * width; bit++) {
    number = (number << 1) | (((bits[Math.floor(bit / 8)] ?? 0) >> (7 - (bit % 8))) & 1)
  }
  return number
}

/** @param cells of every bucket, one after the other, each below 2^width */
export function packCells(cells: Uint16Array, width: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil((cells.length * width) / 8))
  let held = 0
  let holding = 0
  let byte = 0
  for (const cell of cells) {
    held = ((held << width) | cell) & 0xffffff
    holding += width
    for (; holding >= 8; holding -= 8) bits[byte++] = held >> (holding - 8)
  }
  if (holding > 0) bits[byte] = held << (8 - holding)
  return bits
}

export function codeTableToWire({ buckets, cells, width, seeds, bits }: CodeTable): WireCodeTable {
  return { buckets, cells, width, seeds: toBase64(seeds), bits: toBase64(bits) }
}

/** The table of a manifest. Throws RangeError, naming the field, for one that cannot be a table. */
export function codeTableFromWire(wire: WireCodeTable): CodeTable {
  const { buckets, cells, width } = wire
  requireInteger('number of buckets', buckets, 1, MAX_BUCKETS)
  requireInteger('number of cells', cells, 3, MAX_CELLS)
  requireInteger('width', width, 1, MAX_WIDTH)
  if (!Number.isInteger(Math.log2(buckets))) throw new RangeError("the table's number of buckets is not a power of two")
  if (cells % 3 !== 0) throw new RangeError("the table's number of cells is not a multiple of three")
  const seeds = bytesOf('seeds', wire.seeds, buckets)
  return { buckets, cells, width, seeds, bits: bytesOf('bits', wire.bits, Math.ceil((buckets * cells * width) / 8)) }
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`the table's ${name} is ${value}, not a whole number from ${min} to ${max}`)
  }
}

function bytesOf(name: string, base64: string, length: number): Uint8Array {
  const bytes = typeof base64 === 'string' ? fromBase64(base64) : undefined
  if (bytes?.length !== length) throw new RangeError(`the table's ${name} are not ${length} bytes in Base64`)
  return bytes
}

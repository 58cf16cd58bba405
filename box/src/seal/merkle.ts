/**
 * The Merkle tree over the journal: RFC 6962, section 2.1. Makes roots and proofs from the hashes of ranges, and checks
 * proofs by the algorithms of RFC 9162, sections 2.1.3.2 and 2.1.4.2. A proof that is checked may be an attacker's.
 */
import { hash } from 'node:crypto'

const LEAF = Buffer.of(0x00)
const NODE = Buffer.of(0x01)
const HASH_BYTES = 32

/** The root of an empty log. */
export const EMPTY_ROOT: Buffer = hash('sha256', '', 'buffer')

/** Reason why a proof is invalid. */
export type ProofFailure =
  /** An impossible size or index. */
  | 'bad_position'
  /** A hash that is not 32 bytes long. */
  | 'bad_hash'
  | 'proof_too_short'
  | 'proof_too_long'
  /** The proof leads to another root than the one given. */
  | 'wrong_root'
  /** Consistency: it leads to another root of the smaller tree. */
  | 'wrong_first_root'

export class ProofError extends Error {
  override readonly name = 'ProofError'
  readonly code: ProofFailure

  constructor(code: ProofFailure) {
    super(`The proof does not hold: ${code}.`)
    this.code = code
  }
}

/**
 * The root over the entries from `start` up to, not including, `end`, as if they were a tree of their own; there is at
 * least one. Asked only for ranges that are subtrees: `start` is a multiple of the least power of two that holds them.
 */
export type RangeHash = (start: number, end: number) => Uint8Array

export function leafHash(entry: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([LEAF, entry]), 'buffer')
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer')
}

/** Number of the `count` entries under the left child: the largest power of two below `count`, which is at least 2. */
export function leftCount(count: number): number {
  let left = 1
  while (left * 2 < count) left *= 2
  return left
}

/** Hashes of ranges, by hashing everything below them; `leaf` is the leaf hash of an entry. */
export function hashesOver(leaf: (index: number) => Uint8Array): RangeHash {
  const range: RangeHash = (start, end) => {
    if (end - start === 1) return leaf(start)
    const middle = start + leftCount(end - start)
    return nodeHash(range(start, middle), range(middle, end))
  }
  return range
}

/** The root of the first `size` entries. */
export function rootOf(size: number, range: RangeHash): Uint8Array {
  return size === 0 ? EMPTY_ROOT : range(0, size)
}

/** Inclusion proof that entry `index` is in the tree of the first `size`: PATH(m, D[n]), from the leaf's sibling up. */
export function inclusionProof(index: number, size: number, range: RangeHash): Uint8Array[] {
  requirePosition(index, size - 1)
  const path = (start: number, end: number): Uint8Array[] => {
    if (end - start === 1) return []
    const middle = start + leftCount(end - start)
    return index < middle ? [...path(start, middle), range(middle, end)] : [...path(middle, end), range(start, middle)]
  }
  return path(0, size)
}

/** Consistency proof that the tree of the first `first` entries is the beginning of the tree of the first `second`: PROOF(m, D[n]). */
export function consistencyProof(first: number, second: number, range: RangeHash): Uint8Array[] {
  requirePosition(first, second)
  /** @param known whether the verifier has the hash of this subtree: it is the whole smaller tree */
  const path = (start: number, end: number, known: boolean): Uint8Array[] => {
    if (end === first) return known ? [] : [range(start, end)]
    const middle = start + leftCount(end - start)
    return first <= middle
      ? [...path(start, middle, known), range(middle, end)]
      : [...path(middle, end, false), range(start, middle)]
  }
  return first === 0 ? [] : path(0, second, true)
}

/**
 * Accepts a proof that the entry with this leaf hash is entry `index` of the tree of `size` entries with this root.
 * @throws ProofError for anything else
 */
export function verifyInclusion(
  claim: { index: number; size: number; leafHash: Uint8Array; root: Uint8Array },
  proof: readonly Uint8Array[],
): void {
  const { index, size, root } = claim
  requirePosition(index, size - 1)
  requireHashes([claim.leafHash, root, ...proof])
  let [node, last] = [index, size - 1]
  let hash = claim.leafHash
  for (const sibling of proof) {
    if (last === 0) throw new ProofError('proof_too_long')
    if (isRight(node) || node === last) {
      hash = nodeHash(sibling, hash)
      // The last node of a row without a sibling is its own parent.
      while (!isRight(node) && node !== 0) [node, last] = [parent(node), parent(last)]
    } else {
      hash = nodeHash(hash, sibling)
    }
    ;[node, last] = [parent(node), parent(last)]
  }
  if (last !== 0) throw new ProofError('proof_too_short')
  if (!equal(hash, root)) throw new ProofError('wrong_root')
}

/**
 * Accepts a proof that the tree of `first` entries is the beginning of the tree of `second`, by their roots.
 * @throws ProofError for anything else
 */
export function verifyConsistency(
  claim: { first: number; second: number; firstRoot: Uint8Array; secondRoot: Uint8Array },
  proof: readonly Uint8Array[],
): void {
  const { first, second, firstRoot, secondRoot } = claim
  requirePosition(first, second)
  requireHashes([firstRoot, secondRoot, ...proof])
  if (first === 0 || first === second) {
    if (proof.length > 0) throw new ProofError('proof_too_long')
    // RFC 9162 does not define these cases: every tree begins with the empty one, and with itself.
    if (!equal(firstRoot, first === 0 ? EMPTY_ROOT : secondRoot)) throw new ProofError('wrong_first_root')
    if (second === 0 && !equal(secondRoot, EMPTY_ROOT)) throw new ProofError('wrong_root')
    return
  }
  let [node, last] = [first - 1, second - 1]
  while (isRight(node)) [node, last] = [parent(node), parent(last)]
  // A power of two: the smaller tree is a subtree of the larger one, and the verifier has its hash already.
  const [start, ...rest] = node === 0 ? [firstRoot, ...proof] : proof
  if (!start) throw new ProofError('proof_too_short')
  let [firstHash, secondHash] = [start, start]
  for (const hash of rest) {
    if (last === 0) throw new ProofError('proof_too_long')
    if (isRight(node) || node === last) {
      firstHash = nodeHash(hash, firstHash)
      secondHash = nodeHash(hash, secondHash)
      while (!isRight(node) && node !== 0) [node, last] = [parent(node), parent(last)]
    } else {
      secondHash = nodeHash(secondHash, hash)
    }
    ;[node, last] = [parent(node), parent(last)]
  }
  if (last !== 0) throw new ProofError('proof_too_short')
  if (!equal(firstHash, firstRoot)) throw new ProofError('wrong_first_root')
  if (!equal(secondHash, secondRoot)) throw new ProofError('wrong_root')
}

// Without bit operators, which work on 32 bits: a tree may have more entries.
const isRight = (node: number) => node % 2 === 1
const parent = (node: number) => Math.floor(node / 2)

/** Whole numbers, and `lesser` from 0 to `greater`. */
function requirePosition(lesser: number, greater: number): void {
  if (!Number.isSafeInteger(lesser) || !Number.isSafeInteger(greater) || lesser < 0 || lesser > greater) {
    throw new ProofError('bad_position')
  }
}

function requireHashes(hashes: readonly Uint8Array[]): void {
  if (hashes.some((hash) => hash.length !== HASH_BYTES)) throw new ProofError('bad_hash')
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

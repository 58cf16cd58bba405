/** Checks inclusion proofs by the recursive definition (RFC 6962, 2.1.1), to compare the box's own loop with. */
import { createHash } from 'node:crypto'

/** True when `proof` shows that the leaf is number `index` of the tree with this size and root. */
export function isIncluded(
  leaf: Uint8Array,
  place: { index: number; size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  const { index, size, root } = place
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false
  if ([leaf, root, ...proof].some((part) => part.length !== 32)) return false
  const found = climb(leaf, index, size, [...proof])
  return found !== undefined && Buffer.compare(found, root) === 0
}

/** The root that the proof leads to, taken apart from the top: the last hash is the other half's. */
function climb(leaf: Uint8Array, index: number, size: number, proof: Uint8Array[]): Uint8Array | undefined {
  if (size === 1) return proof.length === 0 ? leaf : undefined
  const other = proof.pop()
  if (!other) return undefined
  let half = 1
  while (half * 2 < size) half *= 2
  if (index >= half) {
    const right = climb(leaf, index - half, size - half, proof)
    return right && nodeHash(other, right)
  }
  const left = climb(leaf, index, half, proof)
  return left && nodeHash(left, other)
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
}

/** Sorted 8-byte prefixes of code hashes, as one array of bytes: searched in place, and never made into objects. */
import { fromBase64, toBase64 } from '@gatehouse/proto/base64.ts'

export const PREFIX_BYTES = 8

export function prefixOf(codeHash: Uint8Array): string {
  return toBase64(codeHash.subarray(0, PREFIX_BYTES))
}

/** @param codeHash base64, the hash or its prefix */
export function prefixOfText(codeHash: string): string {
  return prefixOf(fromBase64(codeHash) ?? new Uint8Array(PREFIX_BYTES))
}

/** Binary search needs the order: a list without it would hide every use that is in the wrong place. */
export function isSorted(prefixes: Uint8Array): boolean {
  for (let at = PREFIX_BYTES; at < prefixes.length; at += PREFIX_BYTES) {
    if (order(prefixes, at - PREFIX_BYTES, prefixes.subarray(at)) > 0) return false
  }
  return true
}

export function isAmong(prefixes: Uint8Array | undefined, codeHash: Uint8Array): boolean {
  if (!prefixes) return false
  let low = 0
  let high = prefixes.length / PREFIX_BYTES
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference = order(prefixes, middle * PREFIX_BYTES, codeHash)
    if (difference === 0) return true
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return false
}

/** The prefixes that are not in `gone`; the same bytes where none is. @param gone base64 */
export function without(prefixes: Uint8Array, gone: ReadonlySet<string>): Uint8Array {
  if (gone.size === 0) return prefixes
  const left = new Uint8Array(prefixes.length)
  let at = 0
  for (let from = 0; from < prefixes.length; from += PREFIX_BYTES) {
    const prefix = prefixes.subarray(from, from + PREFIX_BYTES)
    if (gone.has(prefixOf(prefix))) continue
    left.set(prefix, at)
    at += PREFIX_BYTES
  }
  return left.slice(0, at)
}

/** The prefixes that are not in `others`; both are sorted. */
export function withoutAll(prefixes: Uint8Array, others: Uint8Array | undefined): Uint8Array {
  if (!others || others.length === 0) return prefixes
  const left = new Uint8Array(prefixes.length)
  let at = 0
  for (let from = 0, among = 0; from < prefixes.length; from += PREFIX_BYTES) {
    const prefix = prefixes.subarray(from, from + PREFIX_BYTES)
    while (among < others.length && order(others, among, prefix) < 0) among += PREFIX_BYTES
    if (among < others.length && order(others, among, prefix) === 0) continue
    left.set(prefix, at)
    at += PREFIX_BYTES
  }
  return left.slice(0, at)
}

/** @param prefixes base64, each once */
export function packed(prefixes: Iterable<string>): Uint8Array {
  const all = [...prefixes].map((prefix) => fromBase64(prefix) ?? new Uint8Array(PREFIX_BYTES))
  all.sort((a, b) => order(a, 0, b))
  const bytes = new Uint8Array(all.length * PREFIX_BYTES)
  all.forEach((prefix, i) => {
    bytes.set(prefix, i * PREFIX_BYTES)
  })
  return bytes
}

/** Negative, zero or positive, as the prefix at `at` sorts before, with or after that of `codeHash`. */
function order(prefixes: Uint8Array, at: number, codeHash: Uint8Array): number {
  for (let i = 0; i < PREFIX_BYTES; i++) {
    const difference = (prefixes[at + i] ?? 0) - (codeHash[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

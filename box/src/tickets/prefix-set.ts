/** A set of 8-byte prefixes of code hashes: sorted bytes, and beside them the latest changes, which are merged into a copy. A million take 8 MB. */

export const PREFIX_BYTES = 8

/** More changes than this are merged at once: a scan may wait for one merge, which copies all bytes. */
const MOST_CHANGED = 1_000

export class PrefixSet {
  #sorted: Buffer
  /** Changes that are not merged into `#sorted` yet: each prefix, as latin1, and whether it is in the set. */
  readonly #changed = new Map<string, boolean>()

  /** @param sorted as `sortedPrefixes` returns them; is not written to */
  constructor(sorted: Buffer = Buffer.alloc(0)) {
    this.#sorted = sorted
  }

  add(prefix: Buffer): void {
    this.#put(prefix.toString('latin1'), true)
  }

  delete(prefix: Buffer): void {
    this.#put(prefix.toString('latin1'), false)
  }

  /** All prefixes, sorted. Not to be written to. */
  bytes(): Buffer {
    if (this.#changed.size > 0) this.#sorted = merged(this.#sorted, this.#changed)
    this.#changed.clear()
    return this.#sorted
  }

  #put(prefix: string, isIn: boolean): void {
    if (hasAt(placeOf(prefix, this.#sorted, 0), prefix, this.#sorted) === isIn) this.#changed.delete(prefix)
    else this.#changed.set(prefix, isIn)
    if (this.#changed.size > MOST_CHANGED) this.bytes()
  }
}

/** Those that are in at least one of the sets. @param sets each as `sortedPrefixes` returns it; several are sorted anew */
export function unionOf(sets: readonly Buffer[]): Buffer {
  return sets.length === 1 && sets[0] ? sets[0] : sortedPrefixes(Buffer.concat(sets))
}

/**
 * Each prefix once, sorted by bytes.
 * @param prefixes one after the other
 */
export function sortedPrefixes(prefixes: Buffer): Buffer {
  // As numbers, which takes a tenth of the time that as many texts take. A view of numbers begins at an offset that they divide, and has
  // the machine's order of bytes.
  const numbers = new BigUint64Array(prefixes.length / PREFIX_BYTES)
  const bytes = Buffer.from(numbers.buffer)
  prefixes.copy(bytes)
  if (LITTLE_ENDIAN) bytes.swap64()
  numbers.sort()
  let size = 0
  for (const number of numbers) if (size === 0 || number !== numbers[size - 1]) numbers[size++] = number
  if (LITTLE_ENDIAN) bytes.swap64()
  return bytes.subarray(0, size * PREFIX_BYTES)
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** @param changed each differs from what is in `sorted` @returns a copy of `sorted` with the changes */
function merged(sorted: Buffer, changed: ReadonlyMap<string, boolean>): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (const prefix of [...changed.keys()].sort()) {
    const at = placeOf(prefix, sorted, from)
    pieces.push(sorted.subarray(from, at))
    if (changed.get(prefix)) pieces.push(Buffer.from(prefix, 'latin1'))
    from = changed.get(prefix) ? at : at + PREFIX_BYTES
  }
  return Buffer.concat([...pieces, sorted.subarray(from)])
}

/** Offset of the first prefix that is not below this one, at `from` or behind it. */
function placeOf(prefix: string, sorted: Buffer, from: number): number {
  let [low, high] = [from / PREFIX_BYTES, sorted.length / PREFIX_BYTES]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (prefixAt(sorted, middle * PREFIX_BYTES) < prefix) low = middle + 1
    else high = middle
  }
  return low * PREFIX_BYTES
}

function hasAt(at: number, prefix: string, sorted: Buffer): boolean {
  return at < sorted.length && prefixAt(sorted, at) === prefix
}

/** As latin1, whose order is that of its bytes. */
function prefixAt(sorted: Buffer, at: number): string {
  return sorted.toString('latin1', at, at + PREFIX_BYTES)
}

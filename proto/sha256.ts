/**
 * SHA-256 (FIPS 180-4) where WebCrypto is not: a page on plain HTTP has no `crypto.subtle`. Several times slower than the
 * engine's own, which for the few hundred bytes of a key or a request nobody notices. For public data: its time is not
 * looked after.
 */

/** 32 bytes. @param bytes shorter than 2^29 */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Uint32Array.from(INITIAL)
  const schedule = new Uint32Array(64)
  const padded = pad(bytes)
  for (let at = 0; at < padded.byteLength; at += 64) compress(state, schedule, padded, at)
  const digest = new DataView(new ArrayBuffer(32))
  for (const [i, word] of state.entries()) digest.setUint32(i * 4, word)
  return new Uint8Array(digest.buffer)
}

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of the first
// eight: computed, as the standard defines them, because 72 numbers by hand are 72 places for a slip.
// 35 bits of the 53 are used, so that engines may differ in the last ones.
const PRIMES = primes(64)
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const INITIAL = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

/** A one bit, zeros, and the length in bits as 64 bits, to a multiple of 64 bytes. */
function pad(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0)
  return view
}

function compress(state: Uint32Array, schedule: Uint32Array, block: DataView, at: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = block.getUint32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const [a, b] = [word(schedule, i - 15), word(schedule, i - 2)]
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
    schedule[i] = word(schedule, i - 16) + s0 + word(schedule, i - 7) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(ROUND, i) + word(schedule, i)) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = word(state, i) + value
}

function word(words: Uint32Array, i: number): number {
  return words[i] ?? 0
}

function turn(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}

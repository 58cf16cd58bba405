/** Random numbers that can be repeated: the same seed gives the same hour. */
export interface Chance {
  /** From 0 to under 1. */
  number(): number
  /** A whole number from 0 to under `n`. */
  below(n: number): number
  /** One of `values`; undefined where there is none. */
  one<T>(values: readonly T[]): T | undefined
  /** True with this probability. */
  happens(probability: number): boolean
}

/** Mulberry32: small, and random enough for a crowd. */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(number() * n)
  return {
    number,
    below,
    one: (values) => values[below(values.length)],
    happens: (probability) => number() < probability,
  }
}

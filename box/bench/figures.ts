/** Order statistics of a run: on a shared machine the mean says little, the median and the 99th percentile much. */

export interface Latency {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The smallest value that at least `q` (0 to 1) of `values` do not exceed; NaN for no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function latencyOf(values: readonly number[]): Latency {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99), max: quantile(values, 1) }
}

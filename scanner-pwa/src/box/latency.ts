/** The time that a scanner waits for an answer before it decides offline. Pure; the estimate is that of TCP (RFC 6298, 2). */

export interface Latency {
  /** Smoothed, ms. */
  mean: number
  deviation: number
}

/** A person holds out a ticket meanwhile: with a longer wait, the queue behind notices. */
const FIRST_MS = 1500
const LEAST_MS = 500
const MOST_MS = 2500

export function measured(latency: Latency | undefined, sampleMs: number): Latency {
  if (!latency) return { mean: sampleMs, deviation: sampleMs / 2 }
  return {
    mean: latency.mean * 0.875 + sampleMs * 0.125,
    deviation: latency.deviation * 0.75 + Math.abs(latency.mean - sampleMs) * 0.25,
  }
}

export function deadlineMs(latency: Latency | undefined): number {
  if (!latency) return FIRST_MS
  return Math.min(MOST_MS, Math.max(LEAST_MS, latency.mean + 4 * latency.deviation))
}

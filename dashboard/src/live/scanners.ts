/** Scanners by how much they need somebody. Pure. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

export type Scanner = Stats['scanners'][number]

/** A clock off by more than this makes a phone's rotating codes look too old. */
export const SKEW_MS = 5_000
/** A battery below this share will not last the evening. */
export const LOW_BATTERY = 0.2

/** Trouble first: lost with scans unsent, lost, quiet, skewed or low, live; out of service last. */
export function byTrouble(a: Scanner, b: Scanner): number {
  return (
    rank(a) - rank(b) ||
    (b.unsent ?? 0) - (a.unsent ?? 0) ||
    a.name.localeCompare(b.name, 'en', { numeric: true }) ||
    (a.device_id < b.device_id ? -1 : 1)
  )
}

function rank(scanner: Scanner): number {
  if (scanner.state === 'revoked') return 9
  if (scanner.state === 'lost') return (scanner.unsent ?? 0) > 0 ? 0 : 1
  if (scanner.state === 'quiet') return 2
  return isSkewed(scanner) || isLow(scanner) ? 3 : 4
}

export function isSkewed({ clock_offset_ms }: Scanner): boolean {
  return Math.abs(clock_offset_ms ?? 0) > SKEW_MS
}

export function isLow({ battery }: Scanner): boolean {
  return battery !== null && battery <= LOW_BATTERY
}

export interface Troubles {
  live: number
  quiet: number
  lost: number
  /** Scans that are still on scanners, and on whose, the most first. Those out of service are among them: they bring no more. */
  unsent: { scans: number; names: string[] }
}

export function troubles(scanners: readonly Scanner[]): Troubles {
  const of = (state: Scanner['state']) => scanners.filter((scanner) => scanner.state === state).length
  const holding = scanners.filter(({ unsent }) => (unsent ?? 0) > 0).sort((a, b) => (b.unsent ?? 0) - (a.unsent ?? 0))
  return {
    live: of('live'),
    quiet: of('quiet'),
    lost: of('lost'),
    unsent: {
      scans: holding.reduce((sum, { unsent }) => sum + (unsent ?? 0), 0),
      names: holding.map(({ name }) => name),
    },
  }
}

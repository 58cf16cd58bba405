/** The times at which the bell rings. Pure; `bell.ts` makes the noise, with the tunes of `tunes.ts`. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'

export type Tune = 'emergency' | 'call'

/** Between two rings of what nobody has acknowledged, in ms. */
const EVERY_MS: Record<Tune, number> = { emergency: 4_000, call: 12_000 }

/** The tune for these incidents; null for silence. */
export function tuneOf(unseen: readonly Pick<Incident, 'emergency'>[]): Tune | null {
  if (unseen.length === 0) return null
  return unseen.some(({ emergency }) => emergency) ? 'emergency' : 'call'
}

/** True when it is time to ring: at once for the first and for a graver one, then every so often. Times in ms, monotonic. */
export function rings(tune: Tune | null, last: { tune: Tune; at: number } | null, now: number): boolean {
  if (tune === null) return false
  if (last === null || (tune === 'emergency' && last.tune === 'call')) return true
  return now - last.at >= EVERY_MS[tune]
}

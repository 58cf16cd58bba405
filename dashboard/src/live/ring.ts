/** The times at which the bell rings, and its tunes. Pure; `bell.ts` makes the noise. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'

export type Tune = 'emergency' | 'call'

/** Between two rings of what nobody has acknowledged, in ms. */
const EVERY_MS: Record<Tune, number> = { emergency: 4_000, call: 12_000 }

/** Hz and seconds, one after the other. An emergency falls and repeats; a call is two soft tones that rise. */
export const TONES: Record<Tune, readonly { hz: number; seconds: number; gain: number }[]> = {
  emergency: [
    { hz: 988, seconds: 0.18, gain: 0.35 },
    { hz: 740, seconds: 0.18, gain: 0.35 },
    { hz: 988, seconds: 0.18, gain: 0.35 },
    { hz: 740, seconds: 0.3, gain: 0.35 },
  ],
  call: [
    { hz: 523, seconds: 0.14, gain: 0.2 },
    { hz: 784, seconds: 0.24, gain: 0.2 },
  ],
}

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

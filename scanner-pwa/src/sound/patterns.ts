/**
 * The sound and vibration of each verdict. They differ in rhythm and in the way the pitch moves, not in pitch alone: nobody with
 * a wet screen turned away from the sun should have to have an ear for music. A refusal is louder and longer than an admission.
 */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'

export interface Tone {
  /** Hertz at its start, and at its end where it glides. */
  from: number
  to?: number
  ms: number
  /** Silence after it, ms. */
  rest?: number
}

export interface Pattern {
  wave: 'sine' | 'triangle' | 'square' | 'sawtooth'
  /** 0 to 1, before the volume that the person chose. */
  loudness: number
  tones: readonly Tone[]
  /** For `navigator.vibrate`: on, off, on, ... in ms. */
  vibration: readonly number[]
}

export const PATTERNS: Record<VerdictClass, Pattern> = {
  // Two quick notes upwards: go.
  admit: {
    wave: 'triangle',
    loudness: 0.6,
    tones: [
      { from: 880, ms: 70, rest: 10 },
      { from: 1320, ms: 110 },
    ],
    vibration: [80],
  },
  // Two quick notes downwards: goodbye.
  exit: {
    wave: 'triangle',
    loudness: 0.6,
    tones: [
      { from: 1320, ms: 70, rest: 10 },
      { from: 880, ms: 110 },
    ],
    vibration: [40, 60, 40],
  },
  // The same note three times: again, again, again.
  used: {
    wave: 'square',
    loudness: 0.9,
    tones: [
      { from: 330, ms: 180, rest: 70 },
      { from: 330, ms: 180, rest: 70 },
      { from: 330, ms: 180 },
    ],
    vibration: [180, 70, 180, 70, 180],
  },
  // To and fro: over there.
  elsewhere: {
    wave: 'triangle',
    loudness: 0.8,
    tones: [
      { from: 523, ms: 120, rest: 20 },
      { from: 784, ms: 120, rest: 20 },
      { from: 523, ms: 120, rest: 20 },
      { from: 784, ms: 180 },
    ],
    vibration: [60, 60, 240, 60, 60, 60, 240],
  },
  // A clock that ticks.
  'not-now': {
    wave: 'square',
    loudness: 0.8,
    tones: [1200, 900, 1200, 900, 1200, 900].map((from) => ({ from, ms: 35, rest: 95 })),
    vibration: [30, 100, 30, 100, 30, 100, 30, 100, 30],
  },
  // A long slide upwards, a question: show me another.
  stale: {
    wave: 'sawtooth',
    loudness: 0.8,
    tones: [{ from: 300, to: 1100, ms: 550 }],
    vibration: [300, 150, 60],
  },
  // One long low buzz: no.
  invalid: {
    wave: 'sawtooth',
    loudness: 1,
    tones: [{ from: 130, ms: 800 }],
    vibration: [800],
  },
  // A siren.
  revoked: {
    wave: 'square',
    loudness: 1,
    tones: [
      { from: 500, to: 1100, ms: 250 },
      { from: 1100, to: 500, ms: 250 },
      { from: 500, to: 1100, ms: 250 },
      { from: 1100, to: 500, ms: 250 },
    ],
    vibration: [400, 100, 400, 100, 400],
  },
  // A slow chime, as when somebody is called to the desk.
  supervisor: {
    wave: 'sine',
    loudness: 1,
    tones: [
      { from: 784, ms: 260, rest: 40 },
      { from: 659, ms: 260, rest: 40 },
      { from: 523, ms: 420 },
    ],
    vibration: [240, 120, 240],
  },
}

/** Somebody elsewhere is in danger, or the gate was put on hold: heard over everything, mistaken for no verdict. */
export const ALARM: Pattern = {
  wave: 'square',
  loudness: 1,
  tones: [0, 1, 2].flatMap(() => [
    { from: 1500, ms: 90, rest: 40 },
    { from: 1500, ms: 90, rest: 240 },
  ]),
  vibration: [90, 40, 90, 240, 90, 40, 90, 240, 90, 40, 90],
}

export function lengthOf({ tones }: Pattern): number {
  return tones.reduce((sum, tone) => sum + tone.ms + (tone.rest ?? 0), 0)
}

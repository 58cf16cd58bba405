/** The bell's tunes, loaded once the page stands. WebAudio, since a file would be one more thing to fetch. */
import type { Tune } from './ring.ts'

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

/** Plays a tune once. */
export function ring(context: AudioContext, tune: Tune): void {
  let at = context.currentTime + 0.02
  for (const { hz, seconds, gain } of TONES[tune]) {
    const tone = new OscillatorNode(context, { frequency: hz, type: 'triangle' })
    const volume = new GainNode(context, { gain: 0 })
    // A tone that begins or ends at once clicks.
    volume.gain.setValueAtTime(0, at)
    volume.gain.linearRampToValueAtTime(gain, at + 0.02)
    volume.gain.setValueAtTime(gain, at + seconds - 0.03)
    volume.gain.linearRampToValueAtTime(0, at + seconds)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + seconds)
    at += seconds + 0.04
  }
}

/** The bell: rings until somebody has acknowledged. WebAudio, since a file would be one more thing to fetch. */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { unseen } from './live.ts'
import { rings, TONES, type Tune, tuneOf } from './ring.ts'

const KEY = 'gatehouse-sound'

/** One desk of three may be the one that rings; kept in this browser. */
const wanted = signal(stored() !== 'off')
const blocked = signal(false)
const audio: { context: AudioContext | null } = { context: null }

/** The browser makes no noise before somebody has pressed something. */
export const soundBlocked: ReadonlySignal<boolean> = blocked
export const soundState = {
  get value(): 'on' | 'off' | 'blocked' {
    return !wanted.value ? 'off' : blocked.value ? 'blocked' : 'on'
  },
}

/** After a press: browsers allow it only then. */
export async function allowSound(): Promise<void> {
  const context = contextNow()
  await context?.resume().catch(() => undefined)
  blocked.value = context?.state !== 'running'
}

/** On or off; a press on a bell that the browser blocks allows it. Switched on, it rings once, softly: that is what it sounds like. */
export async function toggleSound(): Promise<void> {
  if (soundState.value === 'blocked') return allowSound()
  wanted.value = !wanted.value
  try {
    localStorage.setItem(KEY, wanted.value ? 'on' : 'off')
  } catch {
    // For this page it is as it was pressed.
  }
  if (!wanted.value) return
  await allowSound()
  play('call')
}

/** Rings from now on. */
export function startBell(): () => void {
  let last: { tune: Tune; at: number } | null = null
  const beat = () => {
    const tune = tuneOf(unseen.value)
    if (tune === null) last = null
    const now = performance.now()
    if (!rings(tune, last, now) || tune === null) return
    last = { tune, at: now }
    if (wanted.value) play(tune)
  }
  const stop = effect(beat)
  const timer = setInterval(beat, 500)
  // Whatever is pressed first is a permission: nobody should have to look for it.
  const press = () => {
    if (wanted.value) void allowSound()
  }
  addEventListener('pointerdown', press, { once: true })
  addEventListener('keydown', press, { once: true })
  if (wanted.value) blocked.value = contextNow()?.state !== 'running'
  return () => {
    stop()
    clearInterval(timer)
    removeEventListener('pointerdown', press)
    removeEventListener('keydown', press)
  }
}

function play(tune: Tune): void {
  const context = contextNow()
  if (!context) return
  if (context.state !== 'running') {
    // A laptop that slept suspends it too: it may simply be willing again.
    void context.resume().catch(() => undefined)
    blocked.value = true
    return
  }
  blocked.value = false
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

function contextNow(): AudioContext | null {
  if (audio.context) return audio.context
  if (typeof AudioContext === 'undefined') return null
  const context = new AudioContext()
  context.addEventListener('statechange', () => {
    blocked.value = wanted.value && context.state !== 'running'
  })
  audio.context = context
  return context
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

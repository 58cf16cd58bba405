/** Plays patterns through WebAudio, made as they are played: no file, nothing to load, nothing that is late the first time. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Pattern } from './patterns.ts'

export interface Sound {
  /** Replaces what still sounds. */
  play(pattern: Pattern): void
  /** The browser is silent until the page is touched. */
  locked: ReadonlySignal<boolean>
  /** The browser has no sound at all: a touch changes nothing. */
  missing: ReadonlySignal<boolean>
}

export interface SoundSettings {
  /** 0 to 1. */
  volume: ReadonlySignal<number>
  vibration: ReadonlySignal<boolean>
}

/** Without these ramps every tone begins and ends with a click. */
const ATTACK_SECONDS = 0.004
const RELEASE_SECONDS = 0.012

export function createSound({ volume, vibration }: SoundSettings): Sound {
  const missing = signal(typeof AudioContext === 'undefined')
  const locked = signal(!missing.peek())
  let context: AudioContext | undefined
  let playing: GainNode | undefined

  const unlock = () => {
    if (missing.peek()) return
    context ??= open()
    if (!context) {
      missing.value = true
      locked.value = false
      return
    }
    const mine = context
    const settle = () => {
      locked.value = mine.state !== 'running'
    }
    mine.onstatechange = settle
    // iOS suspends it for a call, and names that state "interrupted".
    if (mine.state !== 'running') void mine.resume().then(settle, settle)
    else settle()
  }
  for (const type of ['pointerdown', 'keydown', 'touchend']) document.addEventListener(type, unlock, { capture: true })

  return {
    locked,
    missing,
    play(pattern) {
      if (vibration.peek()) navigator.vibrate?.([...pattern.vibration])
      if (context?.state !== 'running' || volume.peek() === 0) return
      playing?.disconnect()
      playing = schedule(context, pattern, volume.peek())
    },
  }
}

/** Undefined where the browser refuses it, as one does that has no device for sound. */
function open(): AudioContext | undefined {
  try {
    return new AudioContext({ latencyHint: 'interactive' })
  } catch {
    return undefined
  }
}

function schedule(context: AudioContext, { tones, wave, loudness }: Pattern, volume: number): GainNode {
  const out = new GainNode(context, { gain: volume * loudness })
  out.connect(context.destination)
  let at = context.currentTime + 0.005
  for (const { from, to, ms, rest = 0 } of tones) {
    const end = at + ms / 1000
    const oscillator = new OscillatorNode(context, { type: wave, frequency: from })
    const envelope = new GainNode(context, { gain: 0 })
    if (to !== undefined) oscillator.frequency.setValueAtTime(from, at).linearRampToValueAtTime(to, end)
    envelope.gain
      .setValueAtTime(0, at)
      .linearRampToValueAtTime(1, at + ATTACK_SECONDS)
      .setValueAtTime(1, end - RELEASE_SECONDS)
      .linearRampToValueAtTime(0, end)
    oscillator.connect(envelope).connect(out)
    oscillator.start(at)
    oscillator.stop(end)
    at = end + rest / 1000
  }
  return out
}

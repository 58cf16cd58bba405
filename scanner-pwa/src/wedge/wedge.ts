/**
 * A keyboard-wedge scanner types what it reads, faster than a person can, and most end with Enter. This tells the two apart, so
 * that such a scanner works on every part of the screen without a field to click into first.
 */

/** A pause that no scanner makes inside a code: what came before it is over. */
export const SILENCE_MS = 100
/** The mean from one key to the next. The fastest typists stay above 50 ms over a word; scanners send within 1 to 30. */
const FASTEST_HAND_MS = 40
/** Two keys that happen to fall together are no code. */
const SHORTEST = 4
/** More than any code may have: a device that never stops must not fill the memory. */
const LONGEST = 2048

export interface Burst {
  text: string
  /** Of the first and of the last key, on one monotonic clock, ms. */
  firstAt: number
  lastAt: number
}

export const QUIET: Burst = { text: '', firstAt: 0, lastAt: 0 }

export interface Press {
  /** `KeyboardEvent.key`. */
  key: string
  at: number
  /** Held down, and repeated by the keyboard: as fast as a scanner, and none. */
  repeat?: boolean
  /** Control, Alt or Meta is down: a command, not a text. */
  command?: boolean
}

export interface PressResult {
  burst: Burst
  /** A whole code. */
  scanned?: string
  /** The key belongs to a scanner: it must not press the button that has the focus. */
  swallow: boolean
}

export function press(before: Burst, { key, at, repeat, command }: Press): PressResult {
  const burst = at - before.lastAt > SILENCE_MS ? QUIET : before
  if (key === 'Enter' || key === 'Tab') {
    const scanned = isScan(burst) ? burst.text : undefined
    return { burst: QUIET, swallow: scanned !== undefined, ...(scanned !== undefined && { scanned }) }
  }
  // Shift and its like come between the letters of a code.
  if (key.length !== 1) return { burst, swallow: false }
  if (command || repeat || burst.text.length >= LONGEST) return { burst: QUIET, swallow: false }
  const next = {
    text: burst.text + key,
    firstAt: burst.text === '' ? at : burst.firstAt,
    lastAt: at,
  }
  return { burst: next, swallow: next.text.length > 1 && meanGap(next) <= FASTEST_HAND_MS }
}

/** `SILENCE_MS` have passed since the last key. */
export function silence(burst: Burst): string | undefined {
  return isScan(burst) ? burst.text : undefined
}

function isScan(burst: Burst): boolean {
  return burst.text.length >= SHORTEST && meanGap(burst) <= FASTEST_HAND_MS
}

function meanGap({ text, firstAt, lastAt }: Burst): number {
  return (lastAt - firstAt) / (text.length - 1)
}

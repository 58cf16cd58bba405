/**
 * A keyboard-wedge scanner types what it reads, faster than a person can, and most end with Enter. This tells the two apart, so
 * that such a scanner works on every part of the screen without a field to click into first. Only the keys' own times decide where a
 * code begins and ends: a busy phone hands them over late, all at once or a few at a time.
 */

/** A pause that no scanner makes inside a code: what came before it is over. */
export const SILENCE_MS = 100
/** The wait for more keys of a scanner that is not known to end without one. Wireless scanners that send Enter pause for less. */
export const PATIENCE_MS = 500
/** The mean from one key to the next. The fastest typists stay above 50 ms over a word; scanners send within 1 to 30. */
const FASTEST_HAND_MS = 40
/** Two keys that happen to fall together are no code. */
const SHORTEST = 4
/** More than any code may have: a device that never stops must not fill the memory. */
const LONGEST = 2048

export interface Burst {
  text: string
  /** From each key to the next, added up, ms. A longer pause counts as `SILENCE_MS`. */
  spentMs: number
  /** Of the last key, on a monotonic clock, ms. */
  lastAt: number
  /** It counted as a code because nothing followed. A key that was under way makes it a longer one. */
  taken: boolean
  /** It came within the patience of a code that a pause had ended: it may be the rest of that code. */
  rest?: boolean
  /** The end of the code before it: a key, or nothing. Undefined before the first. */
  ends?: 'key' | 'silence'
}

export const QUIET: Burst = { text: '', spentMs: 0, lastAt: 0, taken: false }

export interface Press {
  /** `KeyboardEvent.key`. */
  key: string
  /** When it was pressed, which may be long before the page is told. */
  at: number
  /** Held down, and repeated by the keyboard: as fast as a scanner, and none. */
  repeat?: boolean
  /** Control, Alt or Meta is down: a command, not a text. */
  command?: boolean
}

export interface PressResult {
  burst: Burst
  /** A whole code: the one that this key ends, or the one before it, which a pause has ended. */
  scanned?: string
  /** The key belongs to a scanner: it must not press the button that has the focus. */
  swallow: boolean
}

export function press(before: Burst, key: Press): PressResult {
  if (goesOn(before, key)) return pressIn(before, key)
  const { burst, scanned } = silence(before)
  const rest = isScan(before) && key.at - before.lastAt <= PATIENCE_MS
  const result = pressIn({ ...afresh(burst), ...(rest && { rest }) }, key)
  return scanned === undefined ? result : { ...result, scanned }
}

function pressIn(burst: Burst, { key, at, repeat, command }: Press): PressResult {
  if (isEnd(key)) {
    if (!isScan(burst) && !isShortRest(burst)) return { burst: afresh(burst), swallow: false }
    const ended = { burst: { ...QUIET, ends: 'key' as const }, swallow: true }
    return burst.taken || !isScan(burst) ? ended : { ...ended, scanned: burst.text }
  }
  // Shift and its like come between the letters of a code.
  if (key.length !== 1) return { burst, swallow: false }
  if (command || repeat || burst.text.length >= LONGEST) return { burst: afresh(burst), swallow: false }
  const gap = burst.text === '' ? 0 : Math.min(at - burst.lastAt, SILENCE_MS)
  const next = { ...burst, text: burst.text + key, spentMs: burst.spentMs + gap, lastAt: at, taken: false }
  return { burst: next, swallow: next.text.length > 1 && meanGap(next) <= FASTEST_HAND_MS }
}

/** Time to wait for another key before `silence`, ms. */
export function waitAfter({ ends }: Burst): number {
  return ends === 'silence' ? SILENCE_MS : PATIENCE_MS
}

/** Nothing follows, or not soon enough. */
export function silence(burst: Burst): { burst: Burst; scanned?: string } {
  if (burst.taken || !isScan(burst)) return { burst }
  return { burst: { ...burst, taken: true, ends: 'silence' }, scanned: burst.text }
}

/**
 * True if a key belongs to the burst. A scanner that ends with a key may pause within a code, once that is known of it. Its Enter may
 * be late in any case, also after the code was taken: it would press a button, and nobody would learn that codes end with it.
 */
function goesOn(burst: Burst, { key, at }: Press): boolean {
  const longest = isScan(burst) && (burst.ends === 'key' || isEnd(key)) ? PATIENCE_MS : SILENCE_MS
  return at - burst.lastAt <= longest
}

function isEnd(key: string): boolean {
  return key === 'Enter' || key === 'Tab'
}

/** The last letters of a code that a pause has cut in two: too few to be one, and their Enter is the scanner's all the same. */
function isShortRest(burst: Burst): boolean {
  const { rest, text } = burst
  if (!rest || text.length >= SHORTEST) return false
  return text.length === 1 || (text.length > 1 && meanGap(burst) <= FASTEST_HAND_MS)
}

function afresh({ ends }: Burst): Burst {
  return ends === undefined ? QUIET : { ...QUIET, ends }
}

function isScan(burst: Burst): boolean {
  return burst.text.length >= SHORTEST && meanGap(burst) <= FASTEST_HAND_MS
}

function meanGap({ text, spentMs }: Burst): number {
  return spentMs / (text.length - 1)
}

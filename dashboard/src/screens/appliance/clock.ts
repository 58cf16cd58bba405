/** The difference between the box's clock and this device's. Pure. */

/** A person reads a clock no better, and a code lives for fifteen seconds. */
const WORTH_MS = 2_000

/**
 * @param answer when it was asked and when it answered, by this device's clock in unix ms, and what the box showed
 * @returns ms that the box is behind this device; the answer is taken to have been made in the middle
 */
export function behind({ asked, answered, box }: { asked: number; answered: number; box: string }): number {
  return (asked + answered) / 2 - Date.parse(box)
}

/** True when the box would do better with this device's time than with its own. */
export function isWorthSetting(quality: 'synced' | 'unsynced', behindMs: number): boolean {
  return quality === 'unsynced' && Math.abs(behindMs) > WORTH_MS
}

/** The role of a person who is signed in, and the lock of a screen that nobody uses. */
import { STAFF_ROLES, type StaffRole } from '@gatehouse/proto/operations.ts'

/** A viewer's screen may hang on a wall: it is not locked. */
const LOCK_AFTER_MS = 10 * 60_000
const LOOK_EVERY_MS = 10_000

/** A stored role; null for anything else. */
export function cleanRole(text: string): StaffRole | null {
  return STAFF_ROLES.find((role) => role === text) ?? null
}

/** Calls `lock` when nobody has touched the screen for ten minutes. @param mayLock whether somebody is signed in whose screen is locked */
export function lockWhenIdle(mayLock: () => boolean, lock: () => void): void {
  let usedAt = performance.now()
  const use = () => {
    usedAt = performance.now()
  }
  for (const event of ['pointerdown', 'keydown', 'wheel'] as const) addEventListener(event, use, { passive: true })
  setInterval(() => {
    if (!mayLock()) use()
    else if (performance.now() - usedAt >= LOCK_AFTER_MS) lock()
  }, LOOK_EVERY_MS)
}

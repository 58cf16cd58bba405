/** The ticket file that this browser keeps stays with the person who chose it: when it stays, and when it goes, as sessions end and begin. */
import { forgetFileOfOthers, forgetKeptFile, forgetOldFile } from './kept-file.ts'
import { kept } from './stored.ts'

/** The end of a session: somebody has left, the same person is to go on, or the box does not know the session. */
export type SessionEnd = 'left' | 'locked' | 'refused'

/** A box has begun anew long before, and somebody has signed in. */
const MOST_RESTART_MS = 600_000

/** Unix ms of when this tab asked the box to begin anew, which may give it another ledger, and that knows no session of before. */
const restart = kept('gatehouse-restart-asked', (text) => (/^\d{1,15}$/.test(text) ? text : null))

/** @param isAsked false where the box does not begin anew after all @param now Unix ms */
export function markRestart(isAsked: boolean, now: number): void {
  restart.write(isAsked ? String(now) : null)
}

/** A box that begins anew, as this page has asked, refuses the session just before the file is needed. @param now Unix ms */
export function fileAtSignOut(end: SessionEnd, now: number): void {
  if (end === 'locked' || (end === 'refused' && isRestarting(now))) return
  restart.write(null)
  forgetKeptFile()
}

/**
 * Forgets the file of somebody else. After a restart that this page has asked for the admin token is the way in, and is taken for the
 * same person: the ledger may know nobody by name.
 * @param person name of who has signed in; null with the admin token
 * @param now Unix ms
 */
export async function fileAtSignIn(person: string | null, now: number): Promise<void> {
  const isGoingOn = person === null && isRestarting(now)
  restart.write(null)
  if (!isGoingOn) await forgetFileOfOthers(person, now)
}

/** Forgets a file that is too old. @param now Unix ms */
export function fileAtAnyTime(now: number): Promise<void> {
  return forgetOldFile(now)
}

function isRestarting(now: number): boolean {
  const asked = restart.read()
  return asked !== null && now >= Number(asked) && now - Number(asked) < MOST_RESTART_MS
}

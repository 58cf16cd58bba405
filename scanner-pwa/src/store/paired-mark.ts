/**
 * A mark beside the database that this phone is paired: a browser that deletes the database, as it may where space runs out, leaves a
 * scanner that knows nothing. With the mark it says what has happened, and how much was lost. A browser that deletes everything of a
 * site, as Safari does after a week, deletes the mark too.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals'

/** The loss when the browser deleted the database: the number of admissions that no box has. */
export interface Deleted {
  unsent: number
}

const KEY = 'gatehouse-scanner-paired'

/** @param unsent of a paired scanner; null while this phone is not paired @returns null where nothing was deleted */
export function followPairing(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  unsent: ReadonlySignal<number | null>,
): ReadonlySignal<Deleted | null> {
  const deleted = signal(unsent.peek() === null ? readMark(storage.getItem(KEY)) : null)
  let before: number | null = null
  effect(() => {
    const now = unsent.value
    if (now !== null) {
      storage.setItem(KEY, JSON.stringify({ unsent: now }))
      deleted.value = null
    } else if (before !== null) storage.removeItem(KEY)
    before = now
  })
  return deleted
}

function readMark(text: string | null): Deleted | null {
  if (text === null) return null
  try {
    const { unsent } = JSON.parse(text) as Partial<Deleted>
    return { unsent: Number.isSafeInteger(unsent) ? Math.max(0, Number(unsent)) : 0 }
  } catch {
    return { unsent: 0 }
  }
}

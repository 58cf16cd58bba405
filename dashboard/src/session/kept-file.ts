/**
 * The ticket file that was chosen in the guide, until its event exists and it has been imported: in IndexedDB, because the box begins
 * anew in between. It names people, so it goes after a day, when somebody signs out or somebody else signs in, and when the box ends the
 * session for another reason than that it begins anew.
 */

export interface KeptFile {
  file: File
  /** Column of the kind of ticket, where the file is of no known shop; empty: it was said that there is none. */
  column: string | null
  /** Id of the event that is made for it; null before that. */
  event: string | null
  /** Kinds of tickets as the file has them, and the tiers that were made of them. */
  tiers: readonly { product: string; tier: string }[]
  /** Unix ms. */
  at: number
  /** Name of the person who was signed in; null with the admin token. */
  of?: string | null
}

const NAME = 'gatehouse-ticket-file'
const STORE = 'kept'
const ONE = 'file'
const MOST_AGE_MS = 86_400_000

/** After a sign-in: the file of another person is forgotten before it can be read. */
let isLookedAt: Promise<void> = Promise.resolve()

/** @returns undefined where there is none, or where the browser keeps nothing */
export async function readKeptFile(now: number): Promise<KeptFile | undefined> {
  await isLookedAt
  return read(now)
}

async function read(now: number): Promise<KeptFile | undefined> {
  try {
    const kept = (await inStore('readonly', (store) => store.get(ONE))) as KeptFile | undefined
    if (!kept || isCurrent(kept, now)) return kept
    forgetKeptFile()
    return undefined
  } catch {
    return undefined
  }
}

/** Has no effect where there is none, and leaves none behind. @param now Unix ms */
export async function forgetOldFile(now: number): Promise<void> {
  // A browser that does not list its databases has the file looked at wherever it is used.
  if (await isThere(false)) await readKeptFile(now)
}

/** Forgets a file that somebody else has chosen. @param of as in `KeptFile` @param now Unix ms */
export function forgetFileOfOthers(of: string | null, now: number): Promise<void> {
  const look = async () => {
    if (!(await isThere(true))) return
    const found = await read(now)
    if ((found?.of ?? null) !== of) forgetKeptFile()
  }
  isLookedAt = isLookedAt.then(look)
  return isLookedAt
}

/** To open a database is to make it. @param unlisted the answer of a browser that does not list them */
async function isThere(unlisted: boolean): Promise<boolean> {
  try {
    const all = await indexedDB.databases?.()
    return all === undefined ? unlisted : all.some(({ name }) => name === NAME)
  } catch {
    // A browser that keeps nothing has nothing to forget.
    return false
  }
}

/** False for one that is too old, or of a clock that was wrong. @param now Unix ms */
export function isCurrent({ at }: Pick<KeptFile, 'at'>, now: number): boolean {
  return now >= at && now - at < MOST_AGE_MS
}

/** @returns false where the browser does not keep it: then it is chosen once more */
export async function keepFile(kept: KeptFile): Promise<boolean> {
  try {
    await inStore('readwrite', (store) => store.put(kept, ONE))
    return true
  } catch {
    return false
  }
}

/** Has no effect where there is none. */
export function forgetKeptFile(): void {
  try {
    indexedDB.deleteDatabase(NAME)
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

async function inStore(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(NAME, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const db = (await settled(opening)) as IDBDatabase
  try {
    const transaction = db.transaction(STORE, mode)
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error)
    })
    const result = await settled(work(transaction.objectStore(STORE)))
    // A browser that is short of room says so at the end.
    await done
    return result
  } finally {
    db.close()
  }
}

function settled(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

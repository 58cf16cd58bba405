/** Asks the browser to keep what this app stores, also where its disk is full or nobody opens the app for a week. */

/** `asking` while a person has not answered the browser's question yet; undefined where the browser does not say. */
export type Keeping = boolean | 'asking' | undefined

/** Bytes: the list of 100,000 tickets, a day's queue, and the files of this app, several times over. */
const ENOUGH = 100 * 2 ** 20

/** @returns megabytes that this browser gives the app, where they are few, as private windows have; undefined otherwise */
export async function scantRoom(storage: Pick<StorageManager, 'estimate'> | undefined): Promise<number | undefined> {
  const { quota } = (await storage?.estimate?.().catch(() => undefined)) ?? {}
  return quota === undefined || quota >= ENOUGH ? undefined : Math.floor(quota / 2 ** 20)
}

/**
 * The first call asks the browser, and Firefox asks the person: once, because the check before doors comes again every second. Later calls
 * look at the answer, which changes when the app goes to the home screen. None waits for a person.
 * @param storage undefined in a browser without one
 */
export function storageKeeping(
  storage: Pick<StorageManager, 'persist' | 'persisted'> | undefined,
): () => Promise<Keeping> {
  let keeping: Keeping | 'not asked' = 'not asked'
  return async () => {
    if (!storage?.persist) return undefined
    if (keeping === 'not asked') {
      keeping = 'asking'
      storage.persist().then(
        (kept) => {
          keeping = kept
        },
        () => {
          keeping = undefined
        },
      )
    } else if (keeping !== 'asking') {
      keeping = await storage.persisted().catch(() => undefined)
    }
    return keeping
  }
}

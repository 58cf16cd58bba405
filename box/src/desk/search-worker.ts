/** The thread of `search-thread.ts`. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../ledger/db.ts'
import { yieldToScans } from '../thread-priority.ts'
import { turnsBeside } from '../tickets/staging/pace.ts'
import { LedgerFollower } from './follow.ts'
import { isDamage } from './index-file.ts'
import type { Asked, Told, UpToDate } from './search-thread.ts'

/** Pages that a question waits for: what was changed a moment ago is found. */
const PAGES_AT_ONCE = 3

yieldToScans()
const port = parentPort as MessagePort
const ledger = openReader(workerData as string)
const turn = turnsBeside(ledger)
const follower = new LedgerFollower(workerData as string, ledger)
process.once('exit', () => follower[Symbol.dispose]())
let following: Promise<void> | undefined

/** In the background, and with rests while people are being scanned. */
function follow(): Promise<void> {
  following ??= (async () => {
    for (let more = true; more; ) {
      more = mended(() => follower.nextTickets()) || mended(() => follower.nextEntries())
      if (more) await turn()
    }
    port.postMessage({ isUpToDate: true } satisfies UpToDate)
  })().finally(() => {
    following = undefined
  })
  return following
}

/** Runs `use`; where the index turns out to be damaged, it is begun anew. @returns true: there is more to read, then */
function mended<T>(use: () => T): T | true {
  try {
    return use()
  } catch (error) {
    if (!isDamage(error)) throw error
    follower.begin()
    return true
  }
}

/** @returns whether tickets are left to read */
function readNewTickets(): boolean {
  let more = true
  for (let page = 0; more && page < PAGES_AT_ONCE; page++) more = mended(() => follower.nextTickets())
  return more
}

async function answer(asked: Extract<Asked, { id: number }>): Promise<Told> {
  const { id } = asked
  if (asked.task === 'entries') {
    // One that is under way may have looked before the last entry was written.
    await following
    await follow()
    const entries = mended(() => follower.index.entriesOf(asked.ref, asked.most))
    return { id, entries: entries === true ? [] : entries }
  }
  const behind = readNewTickets()
  void follow().catch(() => {})
  const found = mended(() => follower.index.search(asked.question, asked.most))
  return found === true ? { id, searched: { found: [], behind: true } } : { id, searched: { found, behind } }
}

port.on('message', (asked: Asked) => {
  if (asked.task === 'end') process.exit()
  else if (asked.task === 'look') void follow().catch(() => {})
  else {
    answer(asked).then(
      (told) => port.postMessage(told),
      (error: Error) => port.postMessage({ id: asked.id, failed: error.stack ?? error.message } satisfies Told),
    )
  }
})
void follow().catch(() => {})

/** The worker of `code-lists-thread.ts`: makes the lists of all codes, or of what is used up on a day. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { count, max, sql } from '../drizzle/core.ts'
import { openReader, openSnapshot } from '../ledger/db.ts'
import { credentials, tickets } from '../ledger/schema.ts'
import { yieldToScans } from '../thread-priority.ts'
import { buildLists, type CodeLists } from './code-lists.ts'
import type { ListsTold, ListsWanted } from './code-lists-thread.ts'
import { printedOpens } from './printed-code.ts'
import { lastEntry } from './staging/last-entry.ts'
import { turnsBeside } from './staging/pace.ts'
import { TicketPages } from './ticket-pages.ts'
import { readUsed, type UsedLists } from './used-lists.ts'

yieldToScans()
const { path, event, salt, which } = workerData as ListsWanted
const port = parentPort as MessagePort
const say = (told: ListsTold) => port.postMessage(told, 'lists' in told ? buffersOf(told.lists) : [])

async function built(): Promise<CodeLists | UsedLists> {
  using snapshot = openSnapshot(path)
  // A snapshot never sees that others write.
  using ledger = openReader(path)
  const { drizzle } = snapshot
  // It reads everything once, in order.
  drizzle.run(sql`PRAGMA cache_size = -8192`)
  const [pages, upTo, turn] = [new TicketPages(snapshot), lastEntry(snapshot) + 1, turnsBeside(ledger)]
  if ('usedOn' in which) return await readUsed(pages, { day: which.usedOn, event, upTo }, turn)
  const last = drizzle.select({ id: max(tickets.id) }).from(tickets)
  const codes = drizzle.select({ codes: count() }).from(credentials)
  const source = {
    ...{ event, salt, pages, upTo },
    printedOpens: printedOpens(event),
    tickets: last.get()?.id ?? 0,
    codes: codes.get()?.codes ?? 0,
  }
  return await buildLists(source, which.capacity, turn)
}

built().then(
  (lists) => say({ lists }),
  (error: Error) => say({ failed: error.stack ?? error.message }),
)

/** Buffers that are handed over and not copied: 15 MB with a million tickets. */
function buffersOf(lists: CodeLists | UsedLists): ArrayBuffer[] {
  const bytes =
    'zones' in lists ? [...lists.zones.values()] : [lists.filter.bits, lists.kinds.table.seeds, lists.kinds.table.bits]
  return bytes.map(({ buffer }) => buffer as ArrayBuffer)
}

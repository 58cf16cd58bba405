/** The worker of `code-lists-thread.ts`. */
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

yieldToScans()
const { path, event, salt, capacity } = workerData as ListsWanted
const port = parentPort as MessagePort
const say = (told: ListsTold) => port.postMessage(told)

async function built(): Promise<CodeLists> {
  using snapshot = openSnapshot(path)
  // A snapshot never sees that others write.
  using ledger = openReader(path)
  const { drizzle } = snapshot
  // It reads everything once, in order.
  drizzle.run(sql`PRAGMA cache_size = -8192`)
  const source = {
    ...{ event, salt },
    pages: new TicketPages(snapshot),
    printedOpens: printedOpens(event),
    tickets:
      drizzle
        .select({ last: max(tickets.id) })
        .from(tickets)
        .get()?.last ?? 0,
    codes: drizzle.select({ codes: count() }).from(credentials).get()?.codes ?? 0,
    upTo: lastEntry(snapshot) + 1,
  }
  return await buildLists(source, capacity, turnsBeside(ledger))
}

built().then(
  (lists) => say({ lists }),
  (error: Error) => say({ failed: error.stack ?? error.message }),
)

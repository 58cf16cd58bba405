/**
 * How HQ knows a ticket at several boxes: each box names it by a ref of its own, so beside that stands a hash of its printed
 * code, keyed with what HQ has given to all of them. Whoever has the hashes and not the key cannot try codes against them.
 */
import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Db } from '../db.ts'
import { asc, eq, gt } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { tickets } from '../ledger/schema.ts'

const NAME = 'ticket_key'
const KEY_BYTES = 32
/** Tickets in one transaction: no scan waits for more. */
const PAGE = 500

/** @returns 32 hex digits, the same at every box with this key; null where there is none */
export type SharedRefOf = (code: string) => string | null

/** As the ledger keeps the key: the command line beside the box names tickets in the same way. */
export function sharedRefs(db: Pick<Db, 'drizzle'>): SharedRefOf {
  const key = readValue(db, NAME)
  const event = readValue(db, 'event_id')?.toString() ?? ''
  return (code) =>
    key?.length === KEY_BYTES
      ? createHmac('sha256', key).update(`gatehouse/ticket/v1\0${event}\0${code}`).digest('hex').slice(0, 32)
      : null
}

/**
 * Keeps the key, and names every ticket anew when it is another one than before.
 * @param path 64 hex digits; undefined leaves everything as it is
 * @throws GatehouseError for a file that holds no key
 */
export async function shareTickets(path: string | undefined, ledger: Ledger): Promise<void> {
  if (path === undefined) return
  const text = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new GatehouseError('internal', `${path} is no ticket key: copy the file "ticket-key" of HQ as it is.`)
  }
  const key = Buffer.from(text, 'hex')
  const done = createHash('sha256').update(key).digest()
  if (readValue(ledger.db, `${NAME}_used`)?.equals(done)) return
  await ledger.commit(() => writeValue(ledger.db, NAME, key))
  const { drizzle } = ledger.db
  const refOf = sharedRefs(ledger.db)
  for (let after = 0; ; ) {
    const page = drizzle
      .select({ id: tickets.id, code: tickets.code })
      .from(tickets)
      .where(gt(tickets.id, after))
      .orderBy(asc(tickets.id))
      .limit(PAGE)
      .all()
    const last = page.at(-1)
    if (!last) break
    await ledger.commit(() => {
      for (const { id, code } of page) {
        drizzle
          .update(tickets)
          .set({ sharedRef: refOf(code) })
          .where(eq(tickets.id, id))
          .run()
      }
    })
    after = last.id
  }
  // Last: a power cut in between has it begin again.
  await ledger.commit(() => writeValue(ledger.db, `${NAME}_used`, done))
}

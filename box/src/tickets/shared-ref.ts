/**
 * Shared refs, by which HQ recognises one ticket at several boxes. Each box has a ref of its own for a ticket, so it also keeps a
 * hash of the printed code, keyed with a key that HQ gives to all boxes. Without that key nobody can test codes against the hashes.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { asc, eq, gt } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { HmacKey } from '../hmac.ts'
import type { Db } from '../ledger/db.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { tickets } from '../ledger/schema.ts'

/** A digest of the key with which every ticket has its shared ref. */
const USED = 'ticket_key_used'
const KEY_BYTES = 32
/** Tickets in one transaction, which scans wait for. */
const PAGE = 500

/** @returns 32 hex digits, the same at every box with this key; null where there is none */
export type SharedRefOf = (code: string) => string | null

/** By the key beside the ledger, so that the command line beside the box computes the same refs. */
export function sharedRefs(db: Pick<Db, 'drizzle' | 'secrets'>): SharedRefOf {
  const key = db.secrets.get('ticket_key')
  const event = readValue(db, 'event_id')?.toString() ?? ''
  if (key?.length !== KEY_BYTES) return () => null
  const hmac = new HmacKey(key)
  return (code) => hmac.digest(`gatehouse/ticket/v1\0${event}\0${code}`).toString('hex', 0, 16)
}

/**
 * Stores the key, and gives every ticket a new shared ref when the key is another one than before.
 * @param path 64 hex digits; undefined leaves everything as it is
 * @throws GatehouseError for a file that holds no key
 */
export async function assignSharedRefs(path: string | undefined, ledger: Ledger): Promise<void> {
  if (path === undefined) return
  const text = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new GatehouseError('internal', `${path} is not a ticket key: copy the file "ticket-key" of HQ as it is.`)
  }
  const key = Buffer.from(text, 'hex')
  const done = createHash('sha256').update(key).digest()
  if (readValue(ledger.db, USED)?.equals(done)) return
  await ledger.commit(() => ledger.db.secrets.set({ ticket_key: key }))
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
  // Last, so that it starts again after a power cut in between.
  await ledger.commit(() => writeValue(ledger.db, USED, done))
}

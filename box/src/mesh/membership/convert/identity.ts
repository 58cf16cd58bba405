/** The identity of a copied ledger: reads whose it is, and replaces it by that of a new box. What all boxes share stays. */
import { count, desc, eq, inArray, not } from '../../../drizzle/core.ts'
import type { Db } from '../../../ledger/db.ts'
import { incarnationNumberAt, readValue, writeValue } from '../../../ledger/identity.ts'
import { identity, journal } from '../../../ledger/schema.ts'
import { keysOf } from '../../../seal/verifier-key.ts'

export interface CopiedBox {
  boxId: string
  keyBox: string
  /** Verifier key of its log. */
  logKey: string
  /** Entries of its journal. */
  entries: number
  lastHlc: string
  life: number
  /** The event as its journal last recorded it; null where it never did. */
  event: object | null
}

export function readCopiedBox(db: Db): CopiedBox {
  const value = (name: string) => readValue(db, name) ?? Buffer.alloc(0)
  const [boxId, eventId] = [value('box_id').toString(), value('event_id').toString()]
  const keyBox = readValue(db, 'key_box')?.toString() ?? boxId
  const signingSeed = db.secrets.get('signing_seed') ?? Buffer.alloc(0)
  const logSeed = db.secrets.get('log_seed') ?? signingSeed
  const { drizzle } = db
  const [{ entries = 0 } = {}] = drizzle.select({ entries: count() }).from(journal).all()
  const last = drizzle.select().from(journal).orderBy(desc(journal.index)).limit(1).get()
  const event = drizzle
    .select()
    .from(journal)
    .where(eq(journal.kind, 'event'))
    .orderBy(desc(journal.index))
    .limit(1)
    .get()
  return {
    boxId,
    keyBox,
    entries,
    lastHlc: last?.hlc ?? '',
    life: Number(value('life').toString()),
    logKey: keysOf(eventId, { boxId, keyBox, signingSeed, logSeed }).logVerifierKey,
    event: event ? JSON.parse(event.bytes.toString()).event : null,
  }
}

export interface NewBox {
  boxId: string
  /** 32 bytes, secret, of this box alone. */
  logSeed: Buffer
}

/** Values of the event, which all boxes share, as they share all secrets but the log's. All others are the copied box's own. */
const SHARED = [
  'event_id',
  'event_digest',
  'manifest_salt',
  'key_box',
  'ticket_sum',
  'folder_tickets',
  'ticket_key_used',
  'names_forgotten',
  'clock_fence',
  'clock_seen',
]

/** Within a transaction. The new box's life is later than that of the copied one. */
export function takeIdentity(
  db: Db,
  { keyBox, life }: CopiedBox,
  { box, now, random }: { box: NewBox; now: () => number; random: (size: number) => Buffer },
): void {
  db.drizzle
    .delete(identity)
    .where(not(inArray(identity.name, SHARED)))
    .run()
  writeValue(db, 'box_id', Buffer.from(box.boxId))
  writeValue(db, 'key_box', Buffer.from(keyBox))
  db.secrets.set({ log_seed: box.logSeed })
  writeValue(db, 'incarnation', Buffer.from(random(4).toString('hex')))
  writeValue(db, 'life', incarnationNumberAt(Math.max(now(), (life + 1) * 1000)))
}

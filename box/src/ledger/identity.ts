/** Who this ledger is: made once, at the first opening, and the same for as long as the file lives. */
import { randomBytes } from 'node:crypto'
import { type Db, LedgerFileError } from '../db.ts'
import { eq, sql } from '../drizzle/core.ts'
import { identity } from './schema.ts'

export interface Identity {
  boxId: string
  /** Another one for each life of the ledger: positions of one incarnation mean nothing in another. */
  incarnation: string
  /** Unix seconds: when this life began. Higher with each, so that scanners know the old from the new. */
  life: number
  /** 16 bytes, public to scanners: what code hashes are keyed with. */
  manifestSalt: Buffer
  /** 32 bytes, secret: what ticket refs are keyed with. */
  refKey: Buffer
  /** 32 bytes, secret: Ed25519 seed of the event's key, the same at all its boxes: what phones check. */
  signingSeed: Buffer
  /** The box that made the event's key: it is named after it. */
  keyBox: string
  /** 32 bytes, secret: Ed25519 seed of this box's own log. The event's on the box that made it; no two boxes sign one log. */
  logSeed: Buffer
}

/** @throws LedgerFileError when the ledger is another event's */
export function openIdentity(
  db: Db,
  eventId: string,
  /** Unix ms. */
  now: () => number,
  random: (size: number) => Buffer = randomBytes,
): Identity {
  return db.transaction(() => {
    const once = (name: string, make: () => Buffer) => readValue(db, name) ?? writeValue(db, name, make())
    const owner = once('event_id', () => Buffer.from(eventId)).toString()
    if (owner !== eventId) {
      throw new LedgerFileError(
        `This ledger belongs to the event "${owner}", and the event folder describes "${eventId}". Name another data directory with GATEHOUSE_DATA_DIR, or the folder of "${owner}" with GATEHOUSE_EVENT_DIR.`,
      )
    }
    const boxId = once('box_id', () => Buffer.from(newBoxId(random))).toString()
    const signingSeed = once('signing_seed', () => random(32))
    return {
      ...{ boxId, signingSeed },
      incarnation: once('incarnation', () => Buffer.from(random(4).toString('hex'))).toString(),
      life: Number(once('life', () => lifeOf(now())).toString()),
      manifestSalt: once('manifest_salt', () => random(16)),
      refKey: once('ref_key', () => random(32)),
      keyBox: readValue(db, 'key_box')?.toString() ?? boxId,
      logSeed: readValue(db, 'log_seed') ?? signingSeed,
    }
  })
}

/** This ledger was put back from a backup: positions and versions that were given out before mean nothing any more. */
export function beginNewIncarnation(
  db: Db,
  /** Unix ms. */
  now: () => number,
  random: (size: number) => Buffer = randomBytes,
): void {
  db.transaction(() => {
    writeValue(db, 'incarnation', Buffer.from(random(4).toString('hex')))
    // Higher in any case: a clock that is behind must not make scanners refuse what this box says from now on.
    const before = Number(readValue(db, 'life')?.toString() ?? 0)
    writeValue(db, 'life', lifeOf(Math.max(now(), (before + 1) * 1000)))
  })
}

/** Of a copy that leaves this box, and from its pages too: nobody else may sign this box's log. */
export function forgetLogSeed({ drizzle }: Pick<Db, 'drizzle'>): void {
  drizzle.run(sql`PRAGMA secure_delete = ON`)
  drizzle.delete(identity).where(eq(identity.name, 'log_seed')).run()
}

export function newBoxId(random: (size: number) => Buffer = randomBytes): string {
  return `box-${random(4).toString('hex')}`
}

export const lifeOf = (unixMs: number) => Buffer.from(String(Math.floor(unixMs / 1000)))

/** Small values that outlive the process: each has one owner, who names it. */
export function readValue({ drizzle }: Pick<Db, 'drizzle'>, name: string): Buffer | undefined {
  return drizzle.select().from(identity).where(eq(identity.name, name)).get()?.value
}

export function writeValue({ drizzle }: Db, name: string, value: Buffer): Buffer {
  drizzle.insert(identity).values({ name, value }).onConflictDoUpdate({ target: identity.name, set: { value } }).run()
  return value
}

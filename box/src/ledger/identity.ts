/** The event and box of a ledger, and its secrets: made when the ledger is first opened, and kept as long as the file. What is secret is beside it. */
import { createHash, randomBytes } from 'node:crypto'
import { eq } from '../drizzle/core.ts'
import type { Db } from './db.ts'
import { LedgerFileError } from './db-errors.ts'
import { REDO_PLACE } from './redo/place.ts'
import { identity } from './schema.ts'
import { SECRETS_FILE } from './secrets.ts'
import { matching } from './statements.ts'

export interface Identity {
  boxId: string
  /** Random, 8 hex digits. A restored backup gets another one: positions of one incarnation mean nothing in another. */
  incarnation: string
  /** Unix seconds when the incarnation began, and always higher than the one before: scanners tell by it which is newer. */
  incarnationNumber: number
  /** 16 bytes, known to scanners: the key of code hashes. */
  manifestSalt: Buffer
  /** 32 bytes, secret: the key of ticket references. */
  refKey: Buffer
  /** 32 bytes, secret: Ed25519 seed of the event's key, the same at all its boxes. Phones check its signatures. */
  signingSeed: Buffer
  /** The box that made the event's key; the key is named after it. */
  keyBox: string
  /** 32 bytes, secret: Ed25519 seed of this box's own log; the event's on the box that made that. No two boxes sign one log. */
  logSeed: Buffer
}

/**
 * @param now unix ms
 * @throws LedgerFileError when the ledger is another event's, or its keys are not beside it
 */
export function openIdentity(
  db: Db,
  eventId: string,
  now: () => number,
  random: (size: number) => Buffer = randomBytes,
): Identity {
  return db.transaction(() => {
    const isNew = readValue(db, 'box_id') === undefined
    const once = (name: string, make: () => Buffer) => readValue(db, name) ?? writeValue(db, name, make())
    const owner = once('event_id', () => Buffer.from(eventId)).toString()
    if (owner !== eventId) {
      throw new LedgerFileError(
        `This ledger belongs to the event "${owner}", and the event folder describes "${eventId}". Name another data directory with GATEHOUSE_DATA_DIR, or the folder of "${owner}" with GATEHOUSE_EVENT_DIR.`,
      )
    }
    const boxId = once('box_id', () => Buffer.from(newBoxId(random))).toString()
    const { signingSeed, logSeed, refKey } = secretsOf(db, isNew, random)
    return {
      boxId,
      signingSeed,
      logSeed,
      refKey,
      incarnation: once('incarnation', () => Buffer.from(random(4).toString('hex'))).toString(),
      incarnationNumber: Number(once('life', () => incarnationNumberAt(now())).toString()),
      manifestSalt: once('manifest_salt', () => random(16)),
      keyBox: readValue(db, 'key_box')?.toString() ?? boxId,
    }
  })
}

/**
 * For a ledger that was restored from a backup: positions and versions that it gave out before mean nothing any more.
 * @param now unix ms
 */
export function beginNewIncarnation(db: Db, now: () => number, random: (size: number) => Buffer = randomBytes): void {
  db.transaction(() => {
    // A redo log beside it is of what happened after the backup.
    db.drizzle.delete(identity).where(eq(identity.name, REDO_PLACE)).run()
    writeValue(db, 'incarnation', Buffer.from(random(4).toString('hex')))
    // Higher in any case: with a clock that is behind, scanners would refuse what this box sends from now on.
    const before = Number(readValue(db, 'life')?.toString() ?? 0)
    writeValue(db, 'life', incarnationNumberAt(Math.max(now(), (before + 1) * 1000)))
  })
}

/** A digest of the keys that this ledger was last opened with. */
const KEYS_DIGEST = 'keys_digest'

/** @throws LedgerFileError where a ledger that has begun is without its keys, or has another's: it must sign with no others */
function secretsOf(
  db: Db,
  isNew: boolean,
  random: (size: number) => Buffer,
): Pick<Identity, 'signingSeed' | 'logSeed' | 'refKey'> {
  const { secrets } = db
  if (isNew && secrets.get('signing_seed') === undefined) {
    secrets.set({ signing_seed: random(32), ref_key: random(32) })
  }
  const [signingSeed, refKey] = [secrets.get('signing_seed'), secrets.get('ref_key')]
  if (!signingSeed || !refKey) {
    const message = `${SECRETS_FILE}, which has the keys of this ledger, is not beside it: put it back, or restore a backup of this box.`
    throw new LedgerFileError(message)
  }
  const logSeed = secrets.get('log_seed') ?? signingSeed
  const digest = createHash('sha256').update('gatehouse keys').update(signingSeed).update(logSeed).digest()
  const known = readValue(db, KEYS_DIGEST)
  if (known && !known.equals(digest)) {
    const message = `${SECRETS_FILE} beside this ledger has another ledger's keys: put its own back, or restore a backup of this box.`
    throw new LedgerFileError(message)
  }
  if (!known) writeValue(db, KEYS_DIGEST, digest)
  return { signingSeed, logSeed, refKey }
}

export function newBoxId(random: (size: number) => Buffer = randomBytes): string {
  return `box-${random(4).toString('hex')}`
}

/** As `identity` stores it. */
export const incarnationNumberAt = (unixMs: number) => Buffer.from(String(Math.floor(unixMs / 1000)))

/** Small values that outlive the process. Each name is used by one file alone. */
export function readValue({ drizzle }: Pick<Db, 'drizzle'>, name: string): Buffer | undefined {
  const read = reads.get(drizzle) ?? prepareRead(drizzle)
  reads.set(drizzle, read)
  return read.get({ name })?.value
}

function prepareRead(drizzle: Db['drizzle']) {
  return drizzle.select({ value: identity.value }).from(identity).where(matching(identity, 'name')).prepare()
}

/** Prepared once for each ledger: a scan of a ticket whose shop asks questions reads a value. */
const reads = new WeakMap<Db['drizzle'], ReturnType<typeof prepareRead>>()

export function writeValue({ drizzle }: Db, name: string, value: Buffer): Buffer {
  drizzle.insert(identity).values({ name, value }).onConflictDoUpdate({ target: identity.name, set: { value } }).run()
  return value
}

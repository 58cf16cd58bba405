/**
 * Seals the journal: signs its length and root, and stores the signed tree head. Each head is consistent with the one before:
 * the earlier tree is the beginning of the later one. A box that signed two contradicting heads would be
 * worthless as a witness, so this holds across crashes, and while the command line seals beside the box.
 */
import { createHash, type KeyObject } from 'node:crypto'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { asc, desc } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { NewEntry } from '../ledger/entries.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { seals } from '../ledger/schema.ts'
import type { Logger } from '../log.ts'
import { type Checkpoint, openCheckpoint, signCheckpoint } from './checkpoint.ts'
import { rootOf } from './merkle.ts'
import { NoteError, type NoteKey, readVerifierKey } from './note.ts'
import { LogTree } from './tree.ts'
import { verifierKey } from './verifier-key.ts'

export type Seal = typeof seals.$inferSelect
type Refusal = NonNullable<Stats['seal']['refusal']>

export interface SealerDeps {
  ledger: Ledger
  /** Name of the log: `gatehouse/<event>/<box>`. */
  origin: string
  signingKey: KeyObject
  logger: Logger
  /** Unix ms. */
  now: () => number
}

/** New entries are sealed after this time, or after this many entries. */
const EVERY_MS = 60_000
const EVERY_ENTRIES = 1000
/** Subtrees of 16 entries that are hashed in one turn, so that scans do not wait for more. */
const SLICE = 128
/** Keys in the identity table: a hash over all seals, and the newest note, so that a missing seal is noticed. */
export const SEAL_CHAIN = 'seal_chain'
export const NEWEST_SEAL = 'newest_seal'

export class Sealer {
  readonly #deps: SealerDeps
  readonly #tree: LogTree
  readonly #key: NoteKey
  readonly #last
  #timer: NodeJS.Timeout | undefined
  #sealing: Promise<unknown> = Promise.resolve()
  #waiting = false
  /** Sealing was tried up to this entry. */
  #asked = 0
  #refusal: Refusal | null = null

  constructor(deps: SealerDeps) {
    this.#deps = deps
    this.#tree = new LogTree(deps.ledger.db)
    this.#key = readVerifierKey(verifierKey(deps.origin, deps.signingKey))
    this.#last = deps.ledger.db.drizzle.select().from(seals).orderBy(desc(seals.size)).limit(1).prepare()
  }

  /** The newest seal, whichever process has made it. */
  lastSeal(): Seal | undefined {
    return this.#last.get()
  }

  /** Every seal, oldest first. */
  seals(): Seal[] {
    return this.#deps.ledger.db.drizzle.select().from(seals).orderBy(asc(seals.size)).all()
  }

  /** Reason why nothing can be sealed any more; null if there is no problem. */
  get refusal(): Refusal | null {
    return this.#refusal
  }

  /** Starts sealing every minute, every 1,000 entries, and when the mode changes. */
  start(): void {
    const { ledger } = this.#deps
    this.#timer = setInterval(() => void this.#sealSoon(), EVERY_MS)
    this.#timer.unref()
    this.#asked = this.lastSeal()?.size ?? 0
    ledger.subscribe('later', (entries) => {
      const mode = entries.some(({ kind }) => kind === 'mode')
      if (mode || ledger.size - this.#asked >= EVERY_ENTRIES) void this.#sealSoon()
    })
  }

  /**
   * Seals every entry that there is.
   * @param act an action that requests the seal: it becomes an entry, which the seal covers. Without it, and with
   *   no new entries, the newest seal is returned.
   * @returns after the seal is on disk; undefined for a journal without entries
   * @throws GatehouseError `conflict` when the journal contradicts the newest seal; `ledger_unavailable`
   */
  seal(act?: NewEntry<'seal'>): Promise<Seal | undefined> {
    const sealing = this.#sealing.then(() => this.#seal(act))
    this.#sealing = sealing.catch(() => {})
    return sealing
  }

  /** Seals the last entries. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#sealQuietly()
  }

  async #seal(act: NewEntry<'seal'> | undefined): Promise<Seal | undefined> {
    const { ledger } = this.#deps
    // A long unsealed part is hashed in portions, so that scans run in between.
    while (this.#tree.missing(ledger.size) > SLICE) await ledger.commit(() => this.#tree.grow(ledger.size, SLICE))
    this.#asked = ledger.size
    return ledger.commit(() => this.#sealNow(act))
  }

  /** Within a transaction, which holds the write lock: the newest seal here is the newest of any process. */
  #sealNow(act: NewEntry<'seal'> | undefined): Seal | undefined {
    const { ledger, origin, signingKey, now } = this.#deps
    if (act) ledger.append('seal', act)
    const { size } = ledger
    const last = this.lastSeal()
    this.#requireContinuation(last, size)
    this.#refusal = null
    if (size === (last?.size ?? 0)) return last
    this.#tree.grow(size)
    const root = Buffer.from(rootOf(size, (start, end) => this.#tree.range(start, end)))
    // Signed, but known only to this process until the transaction is on disk. A crash in between loses the note;
    // the next one may be of another tree, but nobody has seen the lost one.
    const note = signCheckpoint({ size, root }, { name: origin, key: signingKey })
    const seal = { size, root, note, at: now() }
    ledger.db.drizzle.insert(seals).values(seal).run()
    writeValue(ledger.db, SEAL_CHAIN, chained(readValue(ledger.db, SEAL_CHAIN), note))
    writeValue(ledger.db, NEWEST_SEAL, Buffer.from(note))
    return seal
  }

  /** The next tree has to begin with the tree of the newest seal: as it was signed, not as a row says. */
  #requireContinuation(last: Seal | undefined, size: number): void {
    const refuse = (why: Refusal): never => {
      this.#refusal = why
      throw new GatehouseError(
        'conflict',
        `The record contradicts its newest seal (${why}): nothing is sealed. Run "gatehouse verify", and keep this ledger as it is.`,
        { reason: 'record_contradicts' },
      )
    }
    const newest = readValue(this.#deps.ledger.db, NEWEST_SEAL)?.toString()
    if (newest !== last?.note) refuse('seal_missing')
    if (!last) return
    const signed = opened(last.note, this.#key)
    if (!signed || signed.size !== last.size || Buffer.compare(signed.root, last.root) !== 0) refuse('seal_changed')
    if (last.size > size) refuse('entries_missing')
    const root = rootOf(last.size, (start, end) => this.#tree.range(start, end))
    if (Buffer.compare(root, last.root) !== 0) refuse('entries_changed')
  }

  async #sealSoon(): Promise<void> {
    if (this.#waiting) return
    this.#waiting = true
    await this.#sealing
    this.#waiting = false
    await this.#sealQuietly()
  }

  /** Seals in the background. */
  async #sealQuietly(): Promise<void> {
    try {
      await this.seal()
    } catch (error) {
      this.#deps.logger.error({ event: 'not_sealed', refusal: this.#refusal, err: error })
    }
  }
}

/** A hash over all seals in order, so that a missing seal is noticed. */
export function chained(before: Uint8Array | undefined, note: string): Buffer {
  return createHash('sha256')
    .update(before ?? Buffer.alloc(0))
    .update(note)
    .digest()
}

function opened(note: string, key: NoteKey): Checkpoint | undefined {
  try {
    return openCheckpoint(note, key)
  } catch (error) {
    if (error instanceof NoteError) return undefined
    throw error
  }
}

/** For a request whose answer rests on a seal. @throws GatehouseError `internal` */
export function sealed(seal: Seal | undefined): Seal {
  if (!seal) throw new GatehouseError('internal', 'Nothing is sealed yet: try again, then call the control room.')
  return seal
}

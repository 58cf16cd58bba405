/**
 * Seals the journal: signs how long it is and what its root is, and keeps what was signed. One head after the other, each
 * of a tree that the one before is the beginning of. A box that signed two heads that contradict each other would be
 * worth nothing as a witness ever after, so this holds across crashes, and with the command line beside the box.
 */
import { createHash, type KeyObject } from 'node:crypto'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { asc, desc } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Entry, Fields, Ledger } from '../ledger/ledger.ts'
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
  /** What the log is called: `gatehouse/<event>/<box>`. */
  origin: string
  signingKey: KeyObject
  logger: Logger
  /** Unix ms. */
  now: () => number
}

/** How often what is new is sealed, and after how many entries without waiting for that. */
const EVERY_MS = 60_000
const EVERY_ENTRIES = 1000
/** Subtrees of 16 entries hashed in one go: no scan waits for more. */
const SLICE = 128
/** In the identity table: one value over all seals, and the newest note once more, so that none goes missing unnoticed. */
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
  /** The journal up to here is sealed, or was tried to be. */
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

  /** Why nothing can be sealed any more; null while all is well. */
  get refusal(): Refusal | null {
    return this.#refusal
  }

  /** From now on seals by itself: every minute and every 1,000 entries, and when the mode changes. */
  start(): void {
    const { ledger } = this.#deps
    this.#timer = setInterval(() => void this.#sealSoon(), EVERY_MS)
    this.#timer.unref()
    this.#asked = this.lastSeal()?.size ?? 0
    ledger.subscribe((entries) => {
      const mode = entries.some(({ kind }: Entry) => kind === 'mode')
      if (mode || ledger.size - this.#asked >= EVERY_ENTRIES) void this.#sealSoon()
    })
  }

  /**
   * Seals every entry that there is.
   * @param act what somebody did to have it sealed: becomes an entry, and the seal covers it. Without it, and with
   *   nothing new, the newest seal is the answer.
   * @returns after the seal is on disk; undefined for a journal without entries
   * @throws GatehouseError `conflict` when the journal contradicts the newest seal; `ledger_unavailable`
   */
  seal(act?: Fields): Promise<Seal | undefined> {
    const sealing = this.#sealing.then(() => this.#seal(act))
    this.#sealing = sealing.catch(() => {})
    return sealing
  }

  /** Seals what is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#sealQuietly()
  }

  async #seal(act: Fields | undefined): Promise<Seal | undefined> {
    const { ledger } = this.#deps
    // A journal that nobody has sealed for long is hashed bit by bit: scans take their turns in between.
    while (this.#tree.missing(ledger.size) > SLICE) await ledger.commit(() => this.#tree.grow(ledger.size, SLICE))
    this.#asked = ledger.size
    return ledger.commit(() => this.#sealNow(act))
  }

  /** Within a transaction, which holds the write lock: the newest seal here is the newest of any process. */
  #sealNow(act: Fields | undefined): Seal | undefined {
    const { ledger, origin, signingKey, now } = this.#deps
    if (act) ledger.append('seal', act)
    const { size } = ledger
    const last = this.lastSeal()
    this.#requireContinuation(last, size)
    this.#refusal = null
    if (size === (last?.size ?? 0)) return last
    this.#tree.grow(size)
    const root = Buffer.from(rootOf(size, (start, end) => this.#tree.range(start, end)))
    // Signed, and known to this process alone until the transaction is on disk. A crash in between takes the note with
    // it: the next one may be of another tree, and there is nobody who has seen anything that it contradicts.
    const note = signCheckpoint({ size, root }, { name: origin, key: signingKey })
    const seal = { size, root, note, at: now() }
    ledger.db.drizzle.insert(seals).values(seal).run()
    writeValue(ledger.db, SEAL_CHAIN, chained(readValue(ledger.db, SEAL_CHAIN), note))
    writeValue(ledger.db, NEWEST_SEAL, Buffer.from(note))
    return seal
  }

  /** What is signed next must have the newest seal's tree as its beginning: the tree as it was signed, not as a row says. */
  #requireContinuation(last: Seal | undefined, size: number): void {
    const refuse = (why: Refusal): never => {
      this.#refusal = why
      throw new GatehouseError(
        'conflict',
        `The record contradicts its newest seal (${why}): nothing is sealed. Run "gatehouse verify", and keep this ledger as it is.`,
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

  /** Without anybody who waits for it. */
  async #sealQuietly(): Promise<void> {
    try {
      await this.seal()
    } catch (error) {
      this.#deps.logger.error({ event: 'not_sealed', refusal: this.#refusal, err: error })
    }
  }
}

/** One value over every seal in order, so that a seal that goes missing is missed. */
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

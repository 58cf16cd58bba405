/**
 * Seals of other boxes' journals, each held against the entries that are here before it is kept. A box that has signed another
 * tree than that of what it told is found out here.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Contradiction } from '@gatehouse/proto/wire/stats.ts'
import { and, asc, desc, eq, gte, lt, sql } from '../../drizzle/core.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { boxes, peerJournal, peerSeals } from '../../ledger/schema.ts'
import type { Logger } from '../../log.ts'
import { type Checkpoint, openCheckpoint } from '../../seal/checkpoint.ts'
import { GrowingRoot } from '../../seal/growing-root.ts'
import { leafHash } from '../../seal/merkle.ts'
import { NoteError, readVerifierKey } from '../../seal/note.ts'
import type { Witness } from '../cosign/witness.ts'

/** Entries hashed before a scan may go first. */
const STEP = 200

export interface PeerSealsDeps {
  ledger: Ledger
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Called with each one that was kept. */
  onKept: (box: string, size: number) => void
  /** Signs those that hold, and is told of those that do not. */
  witness?: Pick<Witness, 'sign' | 'accuse'> | undefined
}

export class PeerSeals {
  readonly #deps: PeerSealsDeps
  readonly #trees = new Map<string, GrowingRoot>()
  /** The newest of each box, to be held against its journal when that is here. */
  readonly #pending = new Map<string, Checkpoint & { note: string }>()
  readonly #wrong = new Map<string, string>()
  readonly #checking = new Map<string, Promise<void>>()
  readonly #page

  constructor(deps: PeerSealsDeps) {
    this.#deps = deps
    this.#page = deps.ledger.db.drizzle
      .select({ bytes: peerJournal.bytes })
      .from(peerJournal)
      .where(
        and(
          eq(peerJournal.box, sql.placeholder('box')),
          gte(peerJournal.index, sql.placeholder('from')),
          lt(peerJournal.index, sql.placeholder('to')),
        ),
      )
      .orderBy(asc(peerJournal.index))
      .prepare()
  }

  /** Why a box's seals are not believed; undefined while they are. */
  problemOf(box: string): string | undefined {
    return this.#wrong.get(box)
  }

  /** A note that came from a box, and is said to be the seal of its journal. */
  take(box: string, note: string): void {
    const { drizzle } = this.#deps.ledger.db
    const known = drizzle.select().from(boxes).where(eq(boxes.id, box)).get()
    if (!known || this.#pending.get(box)?.note === note) return
    try {
      const seal = openCheckpoint(note, readVerifierKey(known.logKey))
      if (seal.size > this.#lastOf(box) && seal.size > (this.#pending.get(box)?.size ?? 0)) {
        this.#pending.set(box, { ...seal, note })
      } else this.#compareWithKept(box, { ...seal, note })
    } catch (error) {
      if (!(error instanceof NoteError)) throw error
      this.#accuse(box, { size: 0, note }, 'signature', `its seal is not signed by its log's key (${error.code})`)
    }
  }

  /** More of a box's journal is here. */
  check(box: string): Promise<void> {
    const before = this.#checking.get(box) ?? Promise.resolve()
    const checking = before.then(() => this.#check(box))
    this.#checking.set(box, checking)
    return checking
  }

  async #check(box: string): Promise<void> {
    const { ledger, now, onKept } = this.#deps
    const { drizzle } = ledger.db
    const seal = this.#pending.get(box)
    const heard = drizzle.select().from(boxes).where(eq(boxes.id, box)).get()?.heard ?? 0
    if (!seal || seal.size > heard) return
    this.#pending.delete(box)
    const tree = this.#trees.get(box) ?? new GrowingRoot(() => {})
    this.#trees.set(box, tree)
    while (tree.size < seal.size) {
      const to = Math.min(seal.size, tree.size + STEP)
      const rows = this.#page.all({ box, from: tree.size, to })
      if (rows.length !== to - tree.size) return
      for (const { bytes } of rows) tree.add(leafHash(bytes))
      await turn()
    }
    if (tree.size !== seal.size) return
    if (Buffer.compare(tree.root(), seal.root) !== 0) {
      this.#accuse(box, seal, 'root', `its seal of ${seal.size} entries is of others than it told`)
      return
    }
    const { size, root, note } = seal
    await ledger.commit(() => {
      drizzle
        .insert(peerSeals)
        .values({ box, size, root: Buffer.from(root), note, at: now() })
        .onConflictDoNothing()
        .run()
      this.#deps.witness?.sign(box, seal)
    })
    onKept(box, size)
  }

  #lastOf(box: string): number {
    const ofBox = this.#deps.ledger.db.drizzle
      .select({ size: peerSeals.size })
      .from(peerSeals)
      .where(eq(peerSeals.box, box))
    return ofBox.orderBy(desc(peerSeals.size)).limit(1).get()?.size ?? 0
  }

  /** Two seals of one size that differ: whoever signed both has shown two histories. */
  #compareWithKept(box: string, { size, root, note }: Checkpoint & { note: string }): void {
    const kept = this.#deps.ledger.db.drizzle
      .select({ root: peerSeals.root })
      .from(peerSeals)
      .where(and(eq(peerSeals.box, box), eq(peerSeals.size, size)))
      .get()
    if (!kept || Buffer.compare(kept.root, root) === 0) return
    this.#accuse(box, { size, note }, 'two_seals', `it has signed two seals of ${size} entries that differ`)
  }

  #accuse(box: string, seal: { size: number; note: string }, why: Contradiction['why'], problem: string): void {
    this.#deps.witness?.accuse(box, seal, why)
    if (this.#wrong.get(box) !== problem) this.#deps.logger.error({ event: 'mesh_seal', box, problem })
    this.#wrong.set(box, problem)
  }
}

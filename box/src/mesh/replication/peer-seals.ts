/**
 * Checks the seals of other boxes' journals against the copies here, and keeps those that match. This is where a box is found out
 * that has signed another tree than that of the entries it sent.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Contradiction } from '@gatehouse/proto/wire/stats.ts'
import { and, asc, desc, eq, gte, lt, sql } from '../../drizzle/core.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { boxes, peerJournal, peerSeals } from '../../ledger/schema.ts'
import { matching } from '../../ledger/statements.ts'
import type { Logger } from '../../log.ts'
import { type Checkpoint, openCheckpoint } from '../../seal/checkpoint.ts'
import type { Witness } from '../../seal/cosign/witness.ts'
import { GrowingRoot } from '../../seal/growing-root.ts'
import { leafHash } from '../../seal/merkle.ts'
import { NoteError, readVerifierKey } from '../../seal/note.ts'
import type { PeerProblem } from './follower-problems.ts'

/** Entries hashed before a scan may go first. */
const STEP = 200

export interface PeerSealsDeps {
  ledger: Ledger
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Signs the seals that match, and is told of those that do not. */
  witness?: Pick<Witness, 'sign' | 'accuse'> | undefined
}

export class PeerSeals {
  readonly #deps: PeerSealsDeps
  readonly #trees = new Map<string, GrowingRoot>()
  /** The newest seal of each box, to be checked when the entries that it covers are here. */
  readonly #pending = new Map<string, Checkpoint & { note: string }>()
  readonly #wrong = new Map<string, PeerProblem>()
  readonly #checking = new Map<string, Promise<void>>()
  readonly #page

  constructor(deps: PeerSealsDeps) {
    this.#deps = deps
    this.#page = deps.ledger.db.drizzle
      .select({ bytes: peerJournal.bytes })
      .from(peerJournal)
      .where(
        and(
          matching(peerJournal, 'box'),
          gte(peerJournal.index, sql.placeholder('from')),
          lt(peerJournal.index, sql.placeholder('to')),
        ),
      )
      .orderBy(asc(peerJournal.index))
      .prepare()
  }

  /** The fault of a box's seals; undefined while there is none. */
  problemOf(box: string): PeerProblem | undefined {
    return this.#wrong.get(box)
  }

  /** Takes a note that came with a box's journal as its seal. */
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
      this.#accuse(box, { size: 0, note }, 'signature', {
        text: `its seal is not signed by its log's key (${error.code})`,
        coded: { code: 'seal_unsigned' },
      })
    }
  }

  /** Checks the pending seal of a box, where more of its journal has been replicated. */
  check(box: string): Promise<void> {
    const before = this.#checking.get(box) ?? Promise.resolve()
    const checking = before.then(() => this.#check(box))
    this.#checking.set(box, checking)
    return checking
  }

  async #check(box: string): Promise<void> {
    const { ledger, now } = this.#deps
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
      this.#accuse(box, seal, 'root', {
        text: `its seal of ${seal.size} entries is of others than it told`,
        coded: { code: 'seal_differs', values: { n: seal.size } },
      })
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
  }

  #lastOf(box: string): number {
    const ofBox = this.#deps.ledger.db.drizzle
      .select({ size: peerSeals.size })
      .from(peerSeals)
      .where(eq(peerSeals.box, box))
    return ofBox.orderBy(desc(peerSeals.size)).limit(1).get()?.size ?? 0
  }

  /** A box that has signed two different seals of one size has shown two histories. */
  #compareWithKept(box: string, { size, root, note }: Checkpoint & { note: string }): void {
    const kept = this.#deps.ledger.db.drizzle
      .select({ root: peerSeals.root })
      .from(peerSeals)
      .where(and(eq(peerSeals.box, box), eq(peerSeals.size, size)))
      .get()
    if (!kept || Buffer.compare(kept.root, root) === 0) return
    this.#accuse(box, { size, note }, 'two_seals', {
      text: `it has signed two seals of ${size} entries that differ`,
      coded: { code: 'two_seals', values: { n: size } },
    })
  }

  #accuse(box: string, seal: { size: number; note: string }, why: Contradiction['why'], problem: PeerProblem): void {
    this.#deps.witness?.accuse(box, seal, why)
    if (this.#wrong.get(box)?.text !== problem.text)
      this.#deps.logger.error({ event: 'mesh_seal', box, problem: problem.text })
    this.#wrong.set(box, problem)
  }
}

/**
 * Makes a box a witness of the others' logs: it cosigns a seal after comparing it with its own copy of that journal, and stores
 * the others' cosignatures. An attacker who changes a box's record afterwards has to change it at every box that cosigned it.
 */
import type { Contradiction } from '@gatehouse/proto/wire/stats.ts'
import { and, desc, eq, gte, lt, notInArray } from '../../drizzle/core.ts'
import type { EntryFields, EntryKind } from '../../ledger/entries.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { boxes, contradictions, cosignatures, peerJournal, peerSeals, seals } from '../../ledger/schema.ts'
import { NoteError, readVerifierKey } from '../note.ts'
import type { SealerDeps } from '../sealer.ts'
import { cosign, cosignedAt } from './cosignature.ts'

/** Entries about replication and cosignatures. A seal of only these is not cosigned: each cosignature would cause another one. */
const TOLD_OF_OTHERS: EntryKind[] = ['heard', 'cosign']

export class Witness {
  readonly #deps: SealerDeps
  readonly #found: (typeof contradictions.$inferSelect)[]

  constructor(deps: SealerDeps) {
    this.#deps = deps
    this.#found = deps.ledger.db.drizzle.select().from(contradictions).orderBy(contradictions.at).all()
  }

  /** Cosigns a seal if it is of exactly the entries that are here. Within the transaction that stores it. */
  sign(box: string, { size, root, note }: { size: number; root: Uint8Array; note: string }): void {
    const { ledger, origin, signingKey, now } = this.#deps
    const { drizzle } = ledger.db
    const [, , self = ''] = origin.split('/')
    const own = and(eq(cosignatures.box, box), eq(cosignatures.witness, self))
    const before = drizzle.select().from(cosignatures).where(own).orderBy(desc(cosignatures.size)).limit(1).get()
    const since = and(
      eq(peerJournal.box, box),
      gte(peerJournal.index, before?.size ?? 0),
      lt(peerJournal.index, size),
      notInArray(peerJournal.kind, TOLD_OF_OTHERS),
    )
    if (!drizzle.select({ index: peerJournal.index }).from(peerJournal).where(since).limit(1).get()) return
    const at = now()
    const line = cosign(textOf(note), { name: origin, key: signingKey }, at)
    ledger.append('cosign', { box, size, root: Buffer.from(root).toString('base64'), line })
    drizzle.insert(cosignatures).values({ box, size, witness: self, line, at }).onConflictDoNothing().run()
  }

  /** A seal that differs from the box's replicated entries: logged once, and stored with the seal as evidence. */
  accuse(box: string, { size, note }: { size: number; note: string }, why: Contradiction['why']): void {
    const { ledger, logger, now } = this.#deps
    if (this.#found.some((known) => known.box === box && known.why === why)) return
    const found = { box, why, size, note, at: now() }
    this.#found.push(found)
    logger.error({ event: 'mesh_contradiction', box, size, why })
    ledger
      .commit(() => ledger.db.drizzle.insert(contradictions).values(found).onConflictDoNothing().run())
      .catch((error: Error) => logger.error({ event: 'mesh_contradiction_not_kept', box, reason: error.message }))
  }

  contradictions(): Contradiction[] {
    if (this.#found.length === 0) return []
    const { drizzle } = this.#deps.ledger.db
    const known = drizzle.select().from(boxes).all()
    const names = new Map(known.map(({ id, name }) => [id, name]))
    return this.#found.map(({ box, size, why, at }) => ({
      box,
      name: names.get(box) ?? box,
      size,
      why,
      at: new Date(at).toISOString(),
    }))
  }
}

/**
 * Stores another box's cosignature. Within the transaction that stores its entry.
 * @param witness the box that signed; the line is not verified here
 */
export function hearCosignature(
  { box, size, line }: EntryFields<'cosign'>,
  witness: string,
  { db }: Pick<Ledger, 'db'>,
): void {
  const at = timeIn(line)
  db.drizzle.insert(cosignatures).values({ box, size, witness, line, at }).onConflictDoNothing().run()
}

export interface CheckedCosignature {
  box: string
  size: number
  witness: string
  line: string
}

/** The valid cosignatures of a log's seals: by the key of the witness, over exactly the stored note. */
export function goodCosignatures({ db }: { db: Pick<Ledger['db'], 'drizzle'> }, self: string): CheckedCosignature[] {
  const { drizzle } = db
  const known = drizzle.select().from(boxes).all()
  const keys = new Map(known.map(({ id, logKey }) => [id, logKey]))
  const own = drizzle.select({ size: seals.size, note: seals.note }).from(seals).all()
  const notes = new Map(own.map(({ size, note }) => [`${self} ${size}`, note]))
  for (const { box, size, note } of drizzle.select().from(peerSeals).all()) notes.set(`${box} ${size}`, note)
  return drizzle
    .select()
    .from(cosignatures)
    .orderBy(cosignatures.box, cosignatures.size, cosignatures.witness)
    .all()
    .filter(({ box, size, witness, line }) => {
      const note = notes.get(`${box} ${size}`)
      return note !== undefined && isBy(line, note, keys.get(witness))
    })
}

function isBy(line: string, note: string, key: string | undefined): boolean {
  if (!key) return false
  try {
    return cosignedAt(line, textOf(note), readVerifierKey(key)) !== undefined
  } catch (error) {
    if (error instanceof NoteError) return false
    throw error
  }
}

/** The signed text: the note without its signatures. */
function textOf(note: string): string {
  return note.slice(0, note.lastIndexOf('\n\n') + 1)
}

/** Unix ms; 0 for a line without a time. */
function timeIn(line: string): number {
  const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64')
  const seconds = bytes.length < 12 ? 0 : Number(bytes.readBigUInt64BE(4))
  return Number.isSafeInteger(seconds * 1000) ? seconds * 1000 : 0
}

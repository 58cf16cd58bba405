/**
 * A box as a witness of the others' logs: it signs a seal once it has held it against its own copy of that journal, and keeps
 * what others have signed. Whoever changes a box's record afterwards has to change it at every box that signed it.
 */
import type { KeyObject } from 'node:crypto'
import type { Contradiction } from '@gatehouse/proto/wire/stats.ts'
import { and, desc, eq, gte, lt, notInArray } from '../../drizzle/core.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { boxes, contradictions, cosignatures, peerJournal, peerSeals, seals } from '../../ledger/schema.ts'
import type { Logger } from '../../log.ts'
import { NoteError, readVerifierKey } from '../../seal/note.ts'
import { cosign, cosignedAt } from './cosignature.ts'

/** The journal's fact of a seal that this box has signed too: kind `cosign`. */
export interface CosignEntry {
  /** Whose log it is. */
  box: string
  /** Entries that the seal covers. */
  size: number
  /** Base64. */
  root: string
  /** The signature line. */
  line: string
}

/** Of those that say only who heard and signed what: to sign them too would be answered, and never end. */
const TOLD_OF_OTHERS = ['heard', 'cosign']

export interface WitnessDeps {
  ledger: Ledger
  /** What this box's log is called, and its key. */
  origin: string
  logKey: KeyObject
  logger: Logger
  /** Unix ms. */
  now: () => number
}

export class Witness {
  readonly #deps: WitnessDeps
  readonly #found: (typeof contradictions.$inferSelect)[]

  constructor(deps: WitnessDeps) {
    this.#deps = deps
    this.#found = deps.ledger.db.drizzle.select().from(contradictions).orderBy(contradictions.at).all()
  }

  /** Signs a seal that is of exactly the entries that are here. Within the transaction that keeps it. */
  sign(box: string, { size, root, note }: { size: number; root: Uint8Array; note: string }): void {
    const { ledger, origin, logKey, now } = this.#deps
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
    const line = cosign(textOf(note), { name: origin, key: logKey }, at)
    const entry: CosignEntry = { box, size, root: Buffer.from(root).toString('base64'), line }
    ledger.append('cosign', { ...entry })
    drizzle.insert(cosignatures).values({ box, size, witness: self, line, at }).onConflictDoNothing().run()
  }

  /** What a box has signed that is not of what it told; said aloud once, and kept with the seal that shows it. */
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
    const names = new Map(
      drizzle
        .select()
        .from(boxes)
        .all()
        .map(({ id, name }) => [id, name]),
    )
    return this.#found.map(({ box, size, why, at }) => ({
      ...{ box, name: names.get(box) ?? box, size, why },
      at: new Date(at).toISOString(),
    }))
  }
}

/**
 * Keeps what another box has signed. Within the transaction that keeps its entry.
 * @param witness who signed; what it signed is not believed before somebody has checked the line
 */
export function hearCosignature(fields: unknown, witness: string, { db }: Pick<Ledger, 'db'>): void {
  const { box, size, line } = fields as CosignEntry
  const at = timeIn(line)
  db.drizzle.insert(cosignatures).values({ box, size, witness, line, at }).onConflictDoNothing().run()
}

export interface CheckedCosignature {
  box: string
  size: number
  witness: string
  line: string
}

/** Those of a log's seals that hold: by the key of the box that signed, over the very note that is kept. */
export function goodCosignatures({ db }: { db: Pick<Ledger['db'], 'drizzle'> }, self: string): CheckedCosignature[] {
  const { drizzle } = db
  const keys = new Map(
    drizzle
      .select()
      .from(boxes)
      .all()
      .map(({ id, logKey }) => [id, logKey]),
  )
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

/** What is signed: the note without its signatures. */
function textOf(note: string): string {
  return note.slice(0, note.lastIndexOf('\n\n') + 1)
}

/** Unix ms; 0 for a line that holds no time. */
function timeIn(line: string): number {
  const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64')
  const seconds = bytes.length < 12 ? 0 : Number(bytes.readBigUInt64BE(4))
  return Number.isSafeInteger(seconds * 1000) ? seconds * 1000 : 0
}

/** The first answer to every scan id, so that a resend gets it again. */
import { eq, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { packId } from '../ledger/packed-id.ts'
import { scans, verdictTexts } from '../ledger/schema.ts'
import { allColumns, excluded, matching, placeholders } from '../ledger/statements.ts'
import { putTogether, takeApart } from './verdict-text.ts'

export interface StoredScan {
  scanId: string
  /** See `scan/shown.ts`. */
  digest: Buffer
  /** True if a person went in or out on it. */
  passed: boolean
  /** The verdict as it was sent, JSON. */
  response: string
  entry: number
}

type FindScan = (scanId: string) => StoredScan | undefined

/** Texts that are remembered with their rows; a box has a few for each tier. */
const MOST_SHARED = 500

export class Scans {
  readonly find: FindScan
  readonly #db: Pick<Db, 'undone'>
  readonly #put
  readonly #addText
  /** Rows of texts with gaps, since the last transaction that was undone. */
  readonly #shared = new Map<string, number>()
  #undone: number

  constructor(db: Pick<Db, 'drizzle' | 'undone'>) {
    const { drizzle } = db
    this.#db = db
    this.#undone = db.undone
    this.find = prepareFind(db)
    this.#addText = drizzle
      .insert(verdictTexts)
      .values(placeholders(['text']))
      .prepare()
    const set = excluded(scans, 'digest', 'passed', 'text', 'own', 'entry')
    const insert = drizzle.insert(scans).values(allColumns(scans))
    this.#put = insert.onConflictDoUpdate({ target: scans.scanId, set }).prepare()
  }

  /** Within a transaction. A second answer replaces the first only when a refused person turns out to be inside. */
  put({ scanId, digest, passed, response, entry }: StoredScan): void {
    const { text, own } = takeApart(response, scanId)
    const row = own === null ? this.#add(text) : this.#rowOf(text)
    this.#put.run({ scanId, digest, passed: passed ? 1 : 0, text: row, own, entry })
  }

  #rowOf(text: string): number {
    // A row that was added in a transaction that was undone is not there.
    if (this.#undone !== this.#db.undone || this.#shared.size >= MOST_SHARED) this.#shared.clear()
    this.#undone = this.#db.undone
    const row = this.#shared.get(text) ?? this.#add(text)
    this.#shared.set(text, row)
    return row
  }

  #add(text: string): number {
    return Number(this.#addText.run({ text }).lastInsertRowid)
  }
}

type Row = [digest: Buffer, passed: number, own: string | null, entry: number, text: string | null]

/** @returns looks up one stored answer; its text is empty where somebody has removed it from the ledger */
export function prepareFind({ drizzle }: Pick<Db, 'drizzle'>): FindScan {
  const { digest, passed, own, entry } = scans
  const shared = drizzle.select({ text: verdictTexts.text }).from(verdictTexts).where(eq(verdictTexts.id, scans.text))
  // Not as a join, which SQLite would compile again at each run (`fixedLimit`). In the WHERE of a nested query drizzle keeps the tables' names.
  const find = drizzle
    .select({ digest, passed, own, entry, text: sql<string | null>`${shared}` })
    .from(scans)
    .where(matching(scans, 'scanId'))
    .prepare()
  return (scanId) => {
    const [row] = find.values({ scanId: packId(scanId) }) as Row[]
    if (!row) return undefined
    const [digest, passed, own, entry, text] = row
    const response = text === null ? '' : putTogether({ text, own }, scanId)
    return { scanId, digest, passed: passed !== 0, response, entry }
  }
}

/**
 * The search index: a SQLite file of its own beside the ledger, with the words of names, order codes and seats. Everything in it is made
 * from the ledger and can be made again: a damaged file is thrown away. It is in no backup.
 */
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { indexFilesOf } from '../tickets/index-file-name.ts'
import type { FoundBy, IndexedWords, Question } from './spelling.ts'

/** Grows when the words or the tables change: an index of another version is made anew. */
const VERSION = '1'

/** Position up to which the index has read the ledger, and the id of that ledger. */
export interface Cursor {
  incarnation: string
  /** True for an index that was made after names were erased. */
  erased: boolean
  /** The last ticket that was read, in the order of entries. */
  entry: number
  id: number
  /** The next entry of each journal, by box; '' for this box's own. */
  journals: Record<string, number>
}

export interface FoundTicket {
  id: number
  by: FoundBy
}

const TABLES = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
  name, order_code, seat, tokenize = 'ascii', detail = column, columnsize = 0, prefix = '1 2 3');
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
CREATE TABLE IF NOT EXISTS happened (ticket BLOB, box TEXT, idx INTEGER, PRIMARY KEY (ticket, box, idx)) WITHOUT ROWID;`

/** The order of results: whole words before beginnings of words. */
const KINDS: readonly FoundBy[] = ['order_code', 'name', 'seat']

export class IndexFile implements Disposable {
  readonly #sqlite: Database.Database
  readonly #path: string
  readonly #inode: number
  readonly #statements: ReturnType<typeof prepare>

  /** Opens the index of a ledger, or an empty one where there is none that can be used. @param ledger path of the ledger's file */
  static open(ledger: string): IndexFile {
    const [path] = indexFilesOf(ledger)
    try {
      const index = new IndexFile(path)
      if (index.#version() === VERSION) return index
      index[Symbol.dispose]()
    } catch (error) {
      if (!isDamage(error)) throw error
    }
    removeIndex(ledger)
    const index = new IndexFile(path)
    index.#statements.put.run('version', VERSION)
    return index
  }

  private constructor(path: string) {
    // SQLite gives the files beside it the same mode.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    this.#path = path
    this.#inode = statSync(path).ino
    this.#sqlite = new Database(path)
    try {
      this.#sqlite.pragma('journal_mode = WAL')
      // A power cut may take the last rows, which are read from the ledger again; it does not damage the file.
      this.#sqlite.pragma('synchronous = NORMAL')
      this.#sqlite.pragma('cache_size = -8192')
      this.#sqlite.pragma('secure_delete = ON')
      this.#sqlite.exec(TABLES)
      this.#statements = prepare(this.#sqlite)
    } catch (error) {
      this.#sqlite.close()
      throw error
    }
  }

  /** False once somebody has removed the file, as an erasure does: this index is then to be closed and made anew. */
  get isThere(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode
  }

  /** Undefined for an index that has read nothing. */
  get cursor(): Cursor | undefined {
    const value = this.#statements.get.get('cursor') as { value: string } | undefined
    return value && (JSON.parse(value.value) as Cursor)
  }

  /** Writes rows together with how far they bring the index. */
  write(cursor: Cursor, rows: (index: Pick<IndexFile, 'putWords' | 'putEntry'>) => void): void {
    this.#sqlite.transaction(() => {
      rows(this)
      this.#statements.put.run('cursor', JSON.stringify(cursor))
    })()
  }

  putWords(ticket: number, { name, order_code, seat }: IndexedWords): void {
    const known = this.#statements.words.get(ticket) as IndexedWords | undefined
    if (known?.name === name && known.order_code === order_code && known.seat === seat) return
    if (known) this.#statements.remove.run(ticket)
    if (name || order_code || seat) this.#statements.insert.run(ticket, name, order_code, seat)
  }

  /** @param ref of the ticket, 32 hex digits @param box '' for this box */
  putEntry(ref: string, box: string, index: number): void {
    this.#statements.happen.run(Buffer.from(ref, 'hex'), box, index)
  }

  /** At most `most` tickets, the best first. */
  search(question: Question, most: number): FoundTicket[] {
    const found = new Map<number, FoundBy>()
    const steps = Math.max(...KINDS.map((kind) => question[kind].length))
    for (let step = 0; step < steps; step++) {
      for (const by of KINDS) {
        const asked = question[by][step]
        if (!asked || found.size >= most) continue
        const rows = this.#statements.search.all(`${by} : (${asked})`, most) as { rowid: number }[]
        for (const { rowid } of rows) if (found.size < most && !found.has(rowid)) found.set(rowid, by)
      }
    }
    return [...found].map(([id, by]) => ({ id, by }))
  }

  /** Places of the entries about a ticket, at most the last `most` of each journal. */
  entriesOf(ref: string, most: number): { box: string; index: number }[] {
    const rows = this.#statements.happened.all(Buffer.from(ref, 'hex')) as { box: string; idx: number }[]
    const places = rows.map(({ box, idx }) => ({ box, index: idx }))
    return [...Map.groupBy(places, ({ box }) => box).values()].flatMap((ofBox) => ofBox.slice(-most))
  }

  [Symbol.dispose](): void {
    this.#sqlite.close()
  }

  #version(): string {
    const known = this.#statements.get.get('version') as { value: string } | undefined
    if (!known && !this.#statements.get.get('cursor')) this.#statements.put.run('version', VERSION)
    return known?.value ?? VERSION
  }
}

/** Removes the index of a ledger. A thread that still has it open goes on with a file without a name, and notices. */
export function removeIndex(ledger: string): void {
  for (const file of indexFilesOf(ledger)) rmSync(file, { force: true })
}

/** True for a file that this version has not written: it is to be made anew. */
export function isDamage(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|ERROR|MISMATCH|CONSTRAINT|FORMAT|SCHEMA)/.test(code)
}

function prepare(sqlite: Database.Database) {
  return {
    get: sqlite.prepare('SELECT value FROM meta WHERE name = ?'),
    put: sqlite.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'),
    words: sqlite.prepare('SELECT name, order_code, seat FROM words WHERE rowid = ?'),
    remove: sqlite.prepare('DELETE FROM words WHERE rowid = ?'),
    insert: sqlite.prepare('INSERT INTO words (rowid, name, order_code, seat) VALUES (?, ?, ?, ?)'),
    search: sqlite.prepare('SELECT rowid FROM words WHERE words MATCH ? LIMIT ?'),
    happen: sqlite.prepare('INSERT INTO happened VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    happened: sqlite.prepare('SELECT box, idx FROM happened WHERE ticket = ?'),
  }
}

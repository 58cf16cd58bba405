/**
 * The redo log: a file beside the ledger into which a commit of scans is appended and synced, while its rows wait in an open SQLite
 * transaction, together with those of many other commits. A crash loses that transaction; whoever opens the ledger next runs the
 * statements of the log again (`replay.ts`).
 *
 * A row of the ledger (`place.ts`) says up to where the log is in the ledger. It is written in the same transaction as the rows.
 */
import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { cannotWrite } from '../db-errors.ts'
import type { RedoPlace } from './place.ts'
import { encodeRecord, HEADER_BYTES, type Payload, type RedoRecord, type Statement } from './record.ts'

/** The file grows in steps of this size, filled with zeros: a sync within it writes no size and no list of blocks. */
const STEP_BYTES = 256 * 1024
/** Page by page: the kernel keeps what one call has written together, and counts all of it as written when a part is written again. */
const PAGE = Buffer.alloc(4096)
/** Behind this, the log should begin at 0 again. */
const LONG_BYTES = 2 * 1024 * 1024

export const redoPath = (ledger: string) => `${ledger}-redo`

export class RedoLog {
  readonly #path: string
  #isTakenOver = false
  #file: number | undefined
  /** Bytes of the file that exist. */
  #size = 0
  #place: RedoPlace | undefined
  #hasFailed = false
  /** The texts of the fold's statements, each with its number. */
  readonly #texts = new Map<string, number>()

  /** @param ledger path of the ledger's file; nothing is written before the first record */
  constructor(ledger: string) {
    this.#path = redoPath(ledger)
  }

  /** False before the first generation (`begin`), after a write that failed, and when the log was closed. */
  get isReady(): boolean {
    return this.#place !== undefined && !this.#hasFailed
  }

  /** A write has failed: another generation has to begin, so that what it has left in the file is no record. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  get isLong(): boolean {
    return this.#place !== undefined && this.#place.offset > LONG_BYTES
  }

  /** Behind the last record; undefined before the first generation. */
  get place(): RedoPlace | undefined {
    return this.#place
  }

  /** Begins a generation, or goes on at another offset. @param place which is in the ledger already, and all records before it, synced */
  begin(place: RedoPlace): void {
    this.#place = place
    this.#hasFailed = false
  }

  beginFold(): void {
    this.#texts.clear()
  }

  /**
   * Appends a commit, and syncs it.
   * @param at of the commit, as the change log has it
   * @returns bytes of the record
   * @throws GatehouseError `ledger_unavailable` for a disk that cannot be written, and then the log is not ready any more
   */
  append(statements: readonly Statement[], at: number | undefined): number {
    if (!this.#place) throw new Error('the redo log has not begun')
    const { generation, seq, offset } = this.#place
    const record = this.#encoded(generation, { seq: seq + 1, payload: this.#payloadOf(statements, at) })
    const end = offset + record.length
    try {
      this.#file ??= this.#open()
      // The sync below covers this too.
      if (this.#size < end) this.#grow(this.#file, end)
      writeAll(this.#file, record, offset)
      fdatasyncSync(this.#file)
    } catch (error) {
      this.#hasFailed = true
      this.#unwrite(offset)
      throw cannotWrite(error)
    }
    this.#place = { generation, seq: seq + 1, offset: end }
    return record.length
  }

  /** Another process writes it from now on. */
  giveUp(): void {
    this.#isTakenOver = true
    this.close()
  }

  /** True after `giveUp`: no generation begins here any more. */
  get isTakenOver(): boolean {
    return this.#isTakenOver
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#place = undefined
  }

  /** Removes the file. @throws where the folder cannot be written. The ledger has all of it, synced. */
  remove(): void {
    this.close()
    rmSync(this.#path, { force: true })
  }

  #payloadOf(statements: readonly Statement[], at: number | undefined): Payload {
    const first = this.#texts.size === 0
    const texts: string[] = []
    const numbered = statements.map(({ sql, params }): Payload['statements'][number] => {
      let number = this.#texts.get(sql)
      if (number === undefined) {
        number = this.#texts.size
        this.#texts.set(sql, number)
        texts.push(sql)
      }
      return [number, ...params]
    })
    return { texts, first, statements: numbered, ...(at !== undefined && { at }) }
  }

  #encoded(generation: Buffer, record: RedoRecord): Buffer {
    try {
      return encodeRecord(generation, record)
    } catch (error) {
      // No record has these texts: the next one has to.
      for (const text of record.payload.texts) this.#texts.delete(text)
      throw error
    }
  }

  #open(): number {
    const file = openSync(this.#path, 'a+', 0o600)
    closeSync(file)
    // Not for appending: each record has its place.
    const opened = openSync(this.#path, 'r+')
    this.#size = fstatSync(opened).size
    syncFolderOf(this.#path)
    return opened
  }

  #grow(file: number, end: number): void {
    const size = Math.ceil(end / STEP_BYTES) * STEP_BYTES
    for (; this.#size < size; this.#size += PAGE.length) writeAll(file, PAGE, this.#size)
  }

  /** Nobody was admitted by a record that could not be synced: it must not count after a crash. As far as this disk still writes. */
  #unwrite(offset: number): void {
    const file = this.#file
    // The next generation opens it again.
    this.#file = undefined
    if (file === undefined) return
    try {
      writeAll(file, Buffer.alloc(HEADER_BYTES), offset)
      fdatasyncSync(file)
    } catch {
      // The next generation makes it no record. Before that begins, a power cut may leave it, and the scan that was refused is then in the ledger.
    }
    try {
      closeSync(file)
    } catch {
      // It reports the same error again.
    }
  }
}

function writeAll(file: number, bytes: Buffer, offset: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written, offset + written)
  }
}

function syncFolderOf(path: string): void {
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

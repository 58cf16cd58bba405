/** Runs the statements of a redo log again that a crash has kept out of the ledger. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import type { Database, Statement as Prepared } from 'better-sqlite3'
import { type CommitMark, openCommitMark } from '../changelog.ts'
import { cannotWrite, LedgerFileError } from '../db-errors.ts'
import { PlaceRow, type Preparing, type RedoPlace } from './place.ts'
import { decodeRecord, HEADER_BYTES, isHeadOf, type Payload, type RedoRecord } from './record.ts'
import { redoPath } from './redo-log.ts'

/**
 * The records that are not in the ledger, in order. While a writer lives, there are some as long as it holds the ledger's write lock: a
 * transaction that finds one knows that the writer is gone, or that its fold was lost (a full disk).
 * @param known the last record that this process has synced, if it is the writer
 */
function missingRecords(
  row: PlaceRow,
  ledger: string,
  known?: RedoPlace,
): { records: RedoRecord[]; place: RedoPlace } | undefined {
  const place = row.read()
  if (!place || !mayHave(ledger, place)) return undefined
  const bytes = readFileSync(redoPath(ledger))
  const most = known?.generation.equals(place.generation) ? known.seq : Number.POSITIVE_INFINITY
  // The log goes on behind the last record, or has begun at 0 again.
  for (const begin of [place.offset, 0]) {
    const records: RedoRecord[] = []
    let { seq } = place
    let offset = begin
    for (;;) {
      const record = decodeRecord(bytes, offset, place.generation)
      if (!record || record.seq !== seq + 1 || record.seq > most) break
      records.push(record)
      seq = record.seq
      offset = record.next
    }
    // The ledger is up to date at the end of a fold alone, so what is missing begins with the first record of one. Another record at this
    // place is one that could not be synced: it was answered as refused.
    if (records[0]?.payload.first) return { records, place: { generation: place.generation, seq, offset } }
  }
  return undefined
}

/** A look at two places of the file, which is all that a transaction of a command costs. */
function mayHave(ledger: string, { generation, seq, offset }: RedoPlace): boolean {
  let file: number
  try {
    file = openSync(redoPath(ledger), 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw cannotWrite(error)
  }
  try {
    const head = Buffer.alloc(HEADER_BYTES)
    return [offset, 0].some(
      (at) =>
        readSync(file, head, 0, HEADER_BYTES, at) === HEADER_BYTES && isHeadOf(head, { generation, seq: seq + 1 }),
    )
  } finally {
    closeSync(file)
  }
}

const hasPlace = (sqlite: Preparing) =>
  sqlite.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'identity'`).get() !== undefined

/** True if records are missing in the ledger, or are in a fold that is open. */
export function isAnythingMissing(sqlite: Preparing, ledger: string): boolean {
  return hasPlace(sqlite) && missingRecords(new PlaceRow(sqlite), ledger) !== undefined
}

/**
 * Brings a ledger up to date that was just opened, in a transaction of its own. Waits for a writer that lives, whose fold ends in a
 * moment.
 * @throws LedgerFileError with advice, where the records are not of this ledger or cannot be read; the driver's errors, where the ledger is
 *   locked or cannot be written
 */
export function recover(sqlite: Database, ledger: string): void {
  try {
    if (!isAnythingMissing(sqlite, ledger)) return
    sqlite.pragma('recursive_triggers = ON')
    const row = new PlaceRow(sqlite)
    sqlite.transaction(() => replayMissing({ sqlite, row, ledger }, openCommitMark(sqlite))).immediate()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const path = redoPath(ledger)
    if (code.startsWith('SQLITE_CONSTRAINT'))
      throw new LedgerFileError(
        `${path} has scans that do not follow on this ledger (${message}). If ledger.db was put back from a copy, move that file away; otherwise put back the ledger that it belongs to.`,
        { cause },
      )
    if (code === '' || code === 'SQLITE_ERROR' || code === 'SQLITE_RANGE')
      throw new LedgerFileError(
        `${path} has scans that this version cannot read (${message}): start the version that wrote them, or move that file away to go on without them.`,
        { cause },
      )
    throw cause
  }
}

/**
 * Within a transaction: runs again what is missing, and writes the log's new place.
 * @param mark around the statements of one commit
 * @returns whether anything was missing
 */
export function replayMissing(
  { sqlite, row, ledger, known }: { sqlite: Preparing; row: PlaceRow; ledger: string; known?: RedoPlace | undefined },
  mark: CommitMark | undefined,
): boolean {
  const missing = missingRecords(row, ledger, known)
  if (!missing) return false
  let prepared: Run[] = []
  for (const { payload } of missing.records) {
    if (payload.first) prepared = []
    prepared.push(...payload.texts.map((text) => asRun(sqlite.prepare<unknown[]>(text))))
    mark?.begin()
    for (const statement of payload.statements) runAgain(prepared, statement)
    mark?.end(payload.at)
  }
  row.write(missing.place)
  return true
}

type Run = (...params: unknown[]) => unknown

function runAgain(prepared: readonly Run[], [text, ...params]: Payload['statements'][number]): void {
  const run = prepared[text]
  if (!run) throw new Error(`a record of the redo log has a statement ${text}, and no text of it`)
  run(...params)
}

/** A statement with RETURNING has to be read to its end. */
function asRun(statement: Prepared<unknown[]>): Run {
  return statement.reader ? (...params) => statement.all(...params) : (...params) => statement.run(...params)
}

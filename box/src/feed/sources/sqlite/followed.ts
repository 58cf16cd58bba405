/** Opens a database to follow it. */
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { shapesOf } from '../../../ledger/changelog.ts'
import { redoPath } from '../../../ledger/redo/redo-log.ts'
import type { SinkLog } from '../../sink.ts'
import type { Delivered } from '../../source.ts'
import { fileAt, openDatabase } from './database.ts'
import { bringInStep, endsTooEarly } from './in-step.ts'
import type { MemoryFile } from './memory-file.ts'
import type { SqliteOptions } from './options.ts'
import { ChangelogReader } from './reader.ts'
import { Slot } from './slot.ts'
import { Snapshot } from './snapshot.ts'

/** The time that opening waits for a writer: an import may take a while. */
const BUSY_MS = 30_000
/** The time that a writer has to start after a power cut, and how often is looked. */
const BRINGS_BACK_MS = 60_000
const LOOK_MS = 250

export interface Followed {
  readonly db: Database
  readonly slot: Slot
  readonly reader: ChangelogReader
  /** The sequence after which reading begins. */
  readonly from: number
  /** Device and inode of the file: another file may get its name. */
  readonly file: string | undefined
  /** The rows from before the log, where the configuration asks for them. */
  readonly snapshot: Snapshot | undefined
  /** This connection has logged something that is not read yet. */
  logged?: boolean
  /** Another file has its name now, and writers write to that one. */
  replaced?: boolean
}

interface FollowedDeps {
  memory: MemoryFile
  /** Gets the slot's confirmed sequence before anything else is written. */
  upkeep: { begin(confirmed: number): void }
  /** The progress of the sinks, from the runs before. */
  delivered: Delivered | undefined
  log: SinkLog
  /** Unix ms. */
  now: () => number
  /** True if the feed is to end: nothing is waited for any more. */
  isStopping: () => boolean
}

/** After a power cut: waits for the writer, which has the last changes in its redo log, and starts at about the same time. */
async function untilBroughtBack(path: string, isMissing: () => boolean, isStopping: () => boolean): Promise<void> {
  const until = performance.now() + BRINGS_BACK_MS
  const isAwaited = () => existsSync(redoPath(path)) && isMissing() && !isStopping() && performance.now() < until
  while (isAwaited()) await setTimeout(LOOK_MS)
}

/** Opens it, brings its change log in step, and remembers which incarnation it is in. @throws with advice */
export async function openFollowed(
  options: SqliteOptions,
  { memory, upkeep, delivered, log, now, isStopping }: FollowedDeps,
): Promise<Followed> {
  const { path, tables, snapshot: copyOf } = options
  const db = openDatabase(path)
  try {
    const remembered = await memory.read()
    db.pragma(`busy_timeout = ${BUSY_MS}`)
    await untilBroughtBack(path, () => endsTooEarly(db, { memory: remembered, delivered }), isStopping)
    const row = bringInStep(db, options, { memory: remembered, delivered, now: now(), log })
    const slot = new Slot(db)
    upkeep.begin(row.confirmed)
    await memory.begin(row, slot)
    // From here on, nothing waits for a writer.
    db.pragma('busy_timeout = 0')
    const { incarnation, confirmed } = row
    const shapes = shapesOf(db, tables)
    const reader = new ChangelogReader(db, shapes, incarnation)
    const snapshot = copyOf === undefined ? undefined : new Snapshot(db, shapes, `${incarnation}/${copyOf}`)
    return { db, slot, reader, snapshot, from: confirmed, file: fileAt(path)?.file }
  } catch (error) {
    db.close()
    throw error
  }
}

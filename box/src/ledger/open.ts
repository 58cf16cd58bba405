/** Opens a box's ledger with its clock and identity, in the same way for the box and for a command beside it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { takeLock } from '../file-lock.ts'
import { type Changelog, openDb } from './db.ts'
import { asLedgerFileError, LedgerFileError } from './db-errors.ts'
import { type Identity, openIdentity } from './identity.ts'
import { Ledger } from './ledger.ts'

/** A device's clock that is further ahead than this is recorded, and does not move the box's. */
const MAX_CLOCK_OFFSET_MS = 60_000

export interface OpenedLedger {
  ledger: Ledger
  clock: HybridLogicalClock
  identity: Identity
}

/**
 * @param options.wallClock unix ms
 * @param options.changelog what the change feed follows, or `none`; the change log is left as it is when absent
 * @throws LedgerFileError when the file is not this event's ledger; nothing is overwritten
 */
export function openLedger(options: {
  dataDir: string
  eventId: string
  wallClock: () => number
  changelog?: Changelog | 'none' | undefined
}): OpenedLedger {
  makeFolder(options.dataDir)
  const db = openDb(join(options.dataDir, 'ledger.db'), options.changelog)
  try {
    const identity = openIdentity(db, options.eventId, options.wallClock)
    const clock = new HybridLogicalClock({ wallClock: options.wallClock, maxOffsetMs: MAX_CLOCK_OFFSET_MS })
    return { ledger: new Ledger(db, clock), clock, identity }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Keeps a second box away from the ledger for as long as this one runs. Commands beside the box do not take it.
 * @throws LedgerFileError where another box has it
 */
export function lockForBox(dataDir: string): Disposable {
  makeFolder(dataDir)
  const ledger = join(dataDir, 'ledger.db')
  try {
    const lock = takeLock(`${ledger}-box`)
    if (lock) return lock
  } catch (error) {
    throw asLedgerFileError(error as Error, ledger)
  }
  throw new LedgerFileError(
    `Another box runs on ${dataDir}: stop it first, or name another folder with GATEHOUSE_DATA_DIR.`,
  )
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code
    throw new LedgerFileError(
      `${path} cannot be made (${why}): set GATEHOUSE_DATA_DIR to a folder that can be written.`,
      { cause },
    )
  }
}

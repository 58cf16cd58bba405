/** The exit status of a command: 0 done, 1 the answer is no, 2 it could not be done. */
import { BackupError } from '../backup/manifest.ts'
import { GatehouseError } from '../errors.ts'
import { EventFileError } from '../event/mistakes.ts'
import { LedgerFileError } from '../ledger/db-errors.ts'
import { JoinError } from '../mesh/membership/join-error.ts'
import { ConfigError } from '../settings.ts'
import { UsageError } from '../usage.ts'
import { VenueError } from '../venue/venue.ts'

/** A box, a file or another party gave no usable answer; the message says what to do. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** Prints the message of an expected error, and the stack of any other. Sets exit status 2. */
export function reportAndExit(error: unknown): void {
  const isExpected =
    error instanceof UsageError ||
    error instanceof BackupError ||
    error instanceof JoinError ||
    error instanceof Unanswered ||
    isFileError(error) ||
    error instanceof ConfigError ||
    error instanceof EventFileError ||
    error instanceof LedgerFileError ||
    error instanceof VenueError ||
    error instanceof GatehouseError
  console.error(isExpected ? error.message : error)
  process.exitCode = 2
}

/** A file or a folder cannot be used; Node's message names it and says why. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/** How a command ends: 0 done, 1 the answer is no, 2 it could not be asked. */
import { BackupError } from '../backup/manifest.ts'
import { LedgerFileError } from '../db.ts'
import { GatehouseError } from '../errors.ts'
import { EventFileError } from '../event/mistakes.ts'
import { JoinError } from '../mesh/join/join-error.ts'
import { ConfigError } from '../settings.ts'
import { VenueError } from '../venue/venue.ts'
import { UsageError } from './usage.ts'

/** Who was to answer did not, or not with an answer; the message says what to do. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** Errors that were foreseen are one sentence; a stack is for those that were not. */
export function reportAndExit(error: unknown): void {
  const foreseen =
    error instanceof UsageError ||
    error instanceof BackupError ||
    error instanceof JoinError ||
    error instanceof Unanswered ||
    isOfTheSystem(error) ||
    error instanceof ConfigError ||
    error instanceof EventFileError ||
    error instanceof LedgerFileError ||
    error instanceof VenueError ||
    error instanceof GatehouseError
  console.error(foreseen ? error.message : error)
  process.exitCode = 2
}

/** A file or a folder that cannot be used: Node's own sentence names it, and says why. */
function isOfTheSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/** How a command ends: 0 done, 1 the answer is no, 2 it could not be asked. */

import { ConfigError } from '../config.ts'
import { LedgerFileError } from '../db.ts'
import { GatehouseError } from '../errors.ts'
import { EventFileError } from '../event/mistakes.ts'

/** The command line is wrong; the message says how it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Errors that were foreseen are one sentence; a stack is for those that were not. */
export function reportAndExit(error: unknown): void {
  const foreseen =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    error instanceof EventFileError ||
    error instanceof LedgerFileError ||
    error instanceof GatehouseError
  console.error(foreseen ? error.message : error)
  process.exitCode = 2
}

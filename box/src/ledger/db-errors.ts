/** Translates errors of SQLite and of the disk into those of the box. */
import { GatehouseError } from '../errors.ts'

/** The file cannot be used as a ledger; the message says why and what to do. Nothing in it was changed. */
export class LedgerFileError extends Error {
  override readonly name = 'LedgerFileError'
}

/** Another process is writing to the ledger. Nothing was changed, and the same may be tried again. */
export class LedgerBusy extends GatehouseError {
  constructor(cause: unknown) {
    super('ledger_unavailable', 'Another program is writing to the ledger: wait a moment, then try again.', { cause })
  }
}

export const MOVE_IT =
  'Nothing was changed. Move the file (with its -wal, -shm and -redo beside it) away and start again for an empty ledger, or restore a backup.'

/** Codes of SQLite for a file that another process has locked. */
export const BUSY = /^SQLITE_(BUSY|PROTOCOL)/
/** For a disk that is full, read-only or failing: the request is not answered, and may be sent again. */
const CANNOT_WRITE = /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|PERM)/

/** @param path of the file that could not be opened */
export function asLedgerFileError(error: Error, path: string): LedgerFileError {
  const { code = '' } = error as NodeJS.ErrnoException
  const advice = BUSY.test(code)
    ? 'Another program is writing to it: try again when that has finished.'
    : CANNOT_WRITE.test(code) || /^E[A-Z]+$/.test(code)
      ? "Look at the disk: it may be full, read-only, or another user's."
      : MOVE_IT
  return new LedgerFileError(`${path} cannot be opened as a ledger: ${error.message}. ${advice}`, { cause: error })
}

/** @returns `ledger_unavailable` for an error of the disk or of a lock; any other error unchanged */
export function asGatehouseError(error: unknown): unknown {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return error
  if (BUSY.test(code)) return new LedgerBusy(error)
  return CANNOT_WRITE.test(code) ? cannotWrite(error) : error
}

/** `ledger_unavailable`, for a disk that is full, read-only or failing. */
export function cannotWrite(cause: unknown): GatehouseError {
  return new GatehouseError(
    'ledger_unavailable',
    'The box cannot write to its disk. Nobody was admitted by this answer: call the control room, then scan again.',
    { reason: 'disk_unwritable', cause },
  )
}

/** True for what `cannotWrite` makes. */
export function isDiskError(error: unknown): boolean {
  return error instanceof GatehouseError && error.reason === 'disk_unwritable'
}

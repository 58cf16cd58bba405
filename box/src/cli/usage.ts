/** What every program of the box has in common on its command line. */

/** The command line is wrong; the message says how it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @returns the exit status: 1 the answer is no, 2 it could not be asked */
export function complain({ message }: Error, status: 1 | 2): 1 | 2 {
  console.error(message)
  return status
}

/** Sorts errors: those that a person has to correct, those of a lost slot, and those that pass. */
import pg from 'pg'
import { ConnectionConfigError } from './connection.ts'
import { ProtocolError } from './pgoutput.ts'

/** Only a person can correct it; the message says what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

/** The stream cannot go on where it was: slot or publication have changed. */
export class LostError extends Error {
  override readonly name = 'LostError'
}

/** 42704: no such slot or publication. 55000: the slot was invalidated. */
const LOST = new Set(['42704', '55000'])
/** Credentials, database, privilege. */
const REFUSED = /^(28|3D|42501)/
const TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** The reaction to a session that ended with `error`. @param first nothing has worked yet: the configuration may be wrong */
export function consequence(error: Error, first: boolean): 'fail' | 'lost' | 'retry' {
  if (error instanceof SourceError || error instanceof ProtocolError || error instanceof ConnectionConfigError)
    return 'fail'
  if (error instanceof LostError) return 'lost'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError && LOST.has(code)) return 'lost'
  const refused = error instanceof pg.DatabaseError ? REFUSED.test(code) : TLS.test(code) || NO_TLS.test(error.message)
  // Once it has worked, a password or a certificate is being changed, or another server answers for a while.
  return refused && first ? 'fail' : 'retry'
}

const NO_TLS = /does not support SSL/
/** The server is shutting down, and waits until its log is read to the end. */
export function isShuttingDown(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57P03'
}

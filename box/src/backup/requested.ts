/** Reads the encryption that a request asks for. */
import type { BackupKeys } from '@gatehouse/proto/wire/backup.ts'
import { GatehouseError } from '../errors.ts'
import type { Encryption } from './encryption.ts'

/**
 * @returns undefined for a backup that is not encrypted
 * @throws GatehouseError `bad_request` for a passphrase and recipients: age has files for the one or the other
 */
export function requestedEncryption({ passphrase, recipients }: BackupKeys): Encryption | undefined {
  if (passphrase !== undefined && recipients !== undefined)
    throw new GatehouseError('bad_request', 'Send either "passphrase" or "recipients", not both.')
  if (passphrase !== undefined) return { passphrase }
  return recipients && { recipients }
}

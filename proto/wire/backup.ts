/**
 * A backup that is asked for, and whom it is encrypted for (admin tier). Passphrase and recipients are in bodies alone: addresses are
 * logged and kept by browsers. The limits are in ../backup.ts.
 */
import { type Static, Type } from 'typebox'
import { MOST_RECIPIENTS, RECIPIENT, SHORTEST_PASSPHRASE } from '../backup.ts'
import { Shape, Words } from './terms.ts'

const keys = {
  passphrase: Type.Optional(
    Type.String({
      minLength: SHORTEST_PASSPHRASE,
      maxLength: 1000,
      pattern: '^[^\\x00-\\x1f\\x7f]+$',
      description: 'Encrypts the backup. The box does not keep it: without it, nobody can restore this backup',
    }),
  ),
  recipients: Type.Optional(
    Type.Array(Type.String({ pattern: RECIPIENT, maxLength: 2100 }), {
      minItems: 1,
      maxItems: MOST_RECIPIENTS,
      description: 'age recipients (age1...): each of their identities restores it. In the place of a passphrase',
    }),
  ),
}
/** Without either, the backup is not encrypted. */
export type BackupKeys = Partial<{ passphrase: string; recipients: readonly string[] }>

export const BackupRequest = Shape('BackupRequest', { actor: Type.Optional(Words), ...keys })
export const UsbBackupRequest = Shape('UsbBackupRequest', { actor: Words, ...keys })
export type BackupRequest = Static<typeof BackupRequest>

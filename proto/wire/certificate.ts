/** The certificate for the box's public name (admin tier). */
import { type Static, Type } from 'typebox'
import { Coded, Count, Nullable, Shape, Time } from './terms.ts'

export const PublicCertificate = Shape('PublicCertificate', {
  state: Type.Enum(['off', 'none', 'held', 'due', 'expired'], {
    description:
      'off: the box has no public name. none: not obtained yet. due: it holds, and its renewal is late. expired: gates open with the certificate of the authority of the event',
  }),
  name: Nullable(Type.String(), 'where the box has no public name'),
  not_after: Nullable(Time, 'where there is none'),
  renewed_from: Nullable(Time, 'where nobody renews it: the next one is imported'),
  issuer: Nullable(Type.String(), 'where there is none'),
  damaged: Type.Boolean({
    description: 'The file of the newest one cannot be read: the one before is shown, or the certificate of the event',
  }),
  outlasts_event: Type.Boolean({
    description: 'It holds beyond the end of the event, or is renewed before by itself',
  }),
  failures: Count,
  problem: Nullable(Type.String({ description: 'One sentence: reason of the last failure' })),
  problem_coded: Type.Optional({ ...Coded, description: 'The same as a code' }),
  next_attempt_at: Nullable(Time, 'where none is put off'),
  stage: Type.Enum(['idle', 'account', 'order', 'record', 'proof', 'certificate'], {
    description: 'Step of the attempt that runs',
  }),
  record_name: Nullable(
    Type.String({ description: 'Full name of the TXT record that somebody has to write into DNS now' }),
    'where nobody has to',
  ),
  record_value: Nullable(Type.String(), 'where nobody has to'),
})
export type PublicCertificate = Static<typeof PublicCertificate>

/** The open tier: no credential, served on the plain HTTP listener too. */
import { type Static, Type } from 'typebox'
import { MeshInBrief } from './mesh.ts'
import { Base64, Checkpoint, Count, Hlc, Mode, Shape, Time, Words } from './terms.ts'

export const Health = Shape('Health', { ok: Type.Boolean(), uptime_ms: Count })

export const Meta = Shape('Meta', {
  event_id: Type.String(),
  event_name: Type.String(),
  box_id: Type.String(),
  api_version: Type.Literal(1),
  mode: Mode,
  mesh: Type.Optional({ ...MeshInBrief, description: 'Present if the event has several boxes' }),
  ca_fingerprint: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  verifier_key: Type.String({
    description: 'C2SP signed-note verifier key of the event, the same at all its boxes: manifests, announcements',
  }),
  log_key: Type.String({
    description: "C2SP signed-note verifier key of this box's own log: seals, proofs, exports. No two boxes share it",
  }),
  software: Type.String(),
  time_quality: Type.Enum(['synced', 'unsynced']),
})

export const TimeReading = Shape('Time', { now: Time, hlc: Hlc })

export const EnrollRequest = Shape('EnrollRequest', {
  invite: Type.String({ minLength: 1, maxLength: 128 }),
  name: Words,
  csr: Type.Optional(
    Type.String({
      maxLength: 8192,
      description: 'PKCS#10 request as PEM, key P-256. Without it the box makes the key',
    }),
  ),
})
export type EnrollRequest = Static<typeof EnrollRequest>

export const Enrolment = Shape('Enrolment', {
  device_id: Type.String(),
  name: Type.Optional(
    Type.String({
      description: 'As the lists have it: that of the invite, where it names one; absent: of an older box',
    }),
  ),
  certificate: Type.String({ description: 'PEM' }),
  ca_certificate: Type.String({ description: 'PEM' }),
  token: Type.String({ description: 'Bearer token; shown once' }),
  device_url: Type.String({
    description: 'Base URL of the device tier, which asks for the certificate in the TLS handshake',
  }),
  checkpoints: Type.Array(Checkpoint),
  supervisor: Type.Boolean({ description: 'May admit refused tickets, with a reason' }),
  private_key: Type.Optional(Type.String({ description: 'PKCS#8 PEM; only when the request had no csr' })),
  pkcs12: Type.Optional(Type.Unsafe<string>({ ...Base64, description: 'AES-256 and SHA-256; desktops, Android 14' })),
  pkcs12_legacy: Type.Optional(
    Type.Unsafe<string>({ ...Base64, description: '3DES and SHA-1, for iOS and older Android, which read no other' }),
  ),
  pkcs12_password: Type.Optional(Type.String()),
})
export type Enrolment = Static<typeof Enrolment>

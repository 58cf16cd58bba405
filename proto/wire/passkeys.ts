/** Passkeys (WebAuthn, Level 3). What browsers take and bring back has the names of WebAuthn's own JSON form, and no more of it than the box reads. */
import { type Static, Type } from 'typebox'
import { Nullable, Shape, Time } from './terms.ts'

/** Ways by which a browser reaches an authenticator. */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const Transports = Type.Array(Type.Enum([...TRANSPORTS]), { maxItems: 10 })
const PublicKeyType = Type.Literal('public-key')
const bytes = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', ...(description && { description }) })
/** WebAuthn allows 1,023 bytes. */
const CredentialId = bytes(1_364, 'base64url')
const ClientData = bytes(2_048, 'JSON of the browser: challenge and origin; base64url')

/** For `navigator.credentials.create`. */
export const PasskeyCreation = Shape('PasskeyCreation', {
  rp: Type.Object({ id: Type.String({ description: "The box's public name" }), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String({ description: 'base64url, good once' }),
  pubKeyCredParams: Type.Array(Type.Object({ type: PublicKeyType, alg: Type.Integer() })),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  attestation: Type.Literal('none'),
  excludeCredentials: Type.Array(Type.Object({ id: Type.String(), type: PublicKeyType, transports: Transports })),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
})
export type PasskeyCreation = Static<typeof PasskeyCreation>

/** For `navigator.credentials.get`. It names nobody: the browser offers what it has for this box. */
export const PasskeyQuestion = Shape('PasskeyQuestion', {
  rpId: Type.String({ description: "The box's public name" }),
  challenge: Type.String({ description: 'base64url, good once' }),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  userVerification: Type.Literal('required'),
})
export type PasskeyQuestion = Static<typeof PasskeyQuestion>

export const NewPasskeyRequest = Shape('NewPasskeyRequest', {
  name: Type.String({
    minLength: 1,
    maxLength: 80,
    pattern: '^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$',
    description: 'Its name in lists',
  }),
  id: CredentialId,
  response: Shape('NewPasskeyResponse', {
    clientDataJSON: ClientData,
    attestationObject: bytes(4_096, 'base64url'),
    transports: Type.Optional(Transports),
  }),
})
export type NewPasskeyRequest = Static<typeof NewPasskeyRequest>

export const PasskeyAnswer = Shape('PasskeyAnswer', {
  id: CredentialId,
  response: Shape('PasskeyAnswerResponse', {
    clientDataJSON: ClientData,
    authenticatorData: bytes(1_024, 'base64url'),
    signature: bytes(1_024, 'base64url'),
    userHandle: bytes(100, 'base64url'),
  }),
})
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

export const Passkey = Shape('Passkey', {
  id: Type.String(),
  person: Type.String({ description: 'Id of the person' }),
  owner: Type.String({ description: 'Name of the person' }),
  name: Type.String(),
  site: Type.String({ description: 'Public name for which it was made' }),
  added_at: Time,
  last_used_at: Nullable(Time, 'where this box has not seen it'),
  last_address: Nullable(Type.String()),
})
export type Passkey = Static<typeof Passkey>
export const Passkeys = Shape('Passkeys', { passkeys: Type.Array(Passkey) })
export type Passkeys = Static<typeof Passkeys>

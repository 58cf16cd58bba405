/**
 * Checks a browser's answer against the box's question: WebAuthn Level 3, 7.1 and 7.2, by `@simplewebauthn/server`. The library
 * is loaded when somebody first begins, because a scan must not wait for it.
 */
import type { NewPasskeyRequest, PasskeyAnswer } from '@gatehouse/proto/wire/passkeys.ts'
import type * as Library from '@simplewebauthn/server'
import type * as Helpers from '@simplewebauthn/server/helpers'

/** EdDSA, ECDSA on P-256 with SHA-256, RSA with SHA-256 (Windows Hello): COSE numbers, the best first. */
export const ALGORITHMS = [-8, -7, -257]
/** An RSA key of 4,096 bits has half of it. */
const MOST_KEY_BYTES = 1_024

/** The public name for which passkeys hold, and the one origin from which they are taken. */
export interface Site {
  readonly name: string
  readonly origin: string
}

export interface MadeCredential {
  readonly credential: Buffer
  /** COSE key. */
  readonly publicKey: Buffer
  readonly counter: number
}

let loading: Promise<typeof Library & typeof Helpers> | undefined

export function loadWebAuthn(): Promise<typeof Library & typeof Helpers> {
  loading ??= Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')]).then(
    ([library, helpers]) => ({ ...library, ...helpers }),
  )
  return loading
}

/**
 * The challenge that an answer is for. Nothing of it is proven yet.
 * @param clientData base64url of the browser's JSON
 * @returns undefined for anything that is no such JSON, or that came out of a frame of another page
 */
export function challengeOf(clientData: string): string | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString())
    const { challenge, crossOrigin, topOrigin } = (said ?? {}) as Record<string, unknown>
    const isOwn = (crossOrigin === undefined || crossOrigin === false) && topOrigin === undefined
    return isOwn && typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** @throws Error for a credential that does not hold, whatever is wrong with it */
export async function verifyCreated(
  { id, response }: Pick<NewPasskeyRequest, 'id' | 'response'>,
  challenge: string,
  { name, origin }: Site,
): Promise<MadeCredential> {
  const { verifyRegistrationResponse, decodeAttestationObject } = await loadWebAuthn()
  const { clientDataJSON, attestationObject } = response
  const statement = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  // A statement with certificates would have the library ask the addresses in them whether they are revoked. The box asked for none.
  const isSelf = statement.get('fmt') === 'packed' && statement.get('attStmt').get('x5c') === undefined
  if (statement.get('fmt') !== 'none' && !isSelf) throw new Error('The attestation has certificates.')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', response: { clientDataJSON, attestationObject }, ...NOTHING_ELSE },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: name,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('The attestation does not hold.')
  const { credential } = registrationInfo
  const [made, publicKey] = [Buffer.from(credential.id, 'base64url'), Buffer.from(credential.publicKey)]
  if (!made.equals(Buffer.from(id, 'base64url'))) throw new Error('The credential has another id.')
  if (made.length === 0 || publicKey.length > MOST_KEY_BYTES) throw new Error('The credential is too large.')
  return { credential: made, publicKey, counter: credential.counter }
}

/**
 * Signature, challenge, origin, name and user verification of a sign-in. The count of uses is not compared here: only somebody who has the
 * key may be suspected of a copy of it.
 * @returns how often the authenticator says that it has been used; 0 for one that does not count
 * @throws Error for an answer that does not hold, whatever is wrong with it
 */
export async function verifyAnswer(
  { id, response }: PasskeyAnswer,
  challenge: string,
  { name, origin }: Site,
  publicKey: Buffer,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', response, ...NOTHING_ELSE },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: name,
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
  })
  if (!verified) throw new Error('The signature does not hold.')
  return authenticationInfo.newCounter
}

/** True where a count went back: there is a copy of the key. Authenticators that do not count say 0 for ever (WebAuthn Level 3, 6.1.1). */
export function hasGoneBack(seen: number, counter: number): boolean {
  return (seen > 0 || counter > 0) && counter <= seen
}

const NOTHING_ELSE = { clientExtensionResults: {} } as const

/** Passkeys in the browser: signing in with one, and making one. Loaded when the box has a public name, so that a press is followed at once. */
import {
  type NewPasskeyRequest,
  type PasskeyAnswer,
  type PasskeyCreation,
  type PasskeyQuestion,
  TRANSPORTS,
} from '@gatehouse/proto/wire/passkeys.ts'
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { signInWords as say } from '../words/late.ts'
import { Refused } from './answered.ts'
import { post } from './provider.ts'

/** @throws Refused with what is wrong */
export async function enterWithPasskey(baseUrl: string): Promise<NewSession> {
  const optionsJSON = await post<PasskeyQuestion>(baseUrl, '/v1/admin/session/passkey')
  const { id, response } = await given(startAuthentication({ optionsJSON }))
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response
  const answer: PasskeyAnswer = { id, response: { clientDataJSON, authenticatorData, signature, userHandle } }
  try {
    return await post<NewSession>(baseUrl, '/v1/admin/session/passkey/finish', answer)
  } catch (error) {
    const isWrong = error instanceof Refused && error.status === 401
    throw isWrong ? new Refused('bad_token', 401, say.passkeyWrong) : error
  }
}

/** The request for a new passkey, but for its name. @throws Refused with what is wrong */
export async function makePasskey(optionsJSON: PasskeyCreation): Promise<Omit<NewPasskeyRequest, 'name'>> {
  const { id, response } = await given(startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  // A browser may name a way that is newer than this page.
  const known = TRANSPORTS.filter((one) => (transports as readonly string[]).includes(one))
  return { id, response: { clientDataJSON, attestationObject, transports: known } }
}

/** Browsers do not tell whether somebody has closed the question, or has no passkey for this box. */
async function given<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const isThere = error instanceof Error && error.name === 'InvalidStateError'
    throw new Refused('no_passkey', 0, isThere ? say.passkeyThere : say.passkeyNone)
  }
}

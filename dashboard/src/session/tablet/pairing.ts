/** Pairing this device by a link, going on as its person, and ending it. */
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { words } from '../../words/words.ts'
import { Refused, refusalOf } from '../answered.ts'
import type { Session } from '../session.ts'
import { readPairing, writePairing } from './kept-key.ts'
import { isMarked, mark } from './mark.ts'
import { signed } from './signing.ts'

/** Makes a key that cannot be exported, and has the box open a session for it. @throws Refused with what is wrong */
export async function pairDevice(session: Session, code: string): Promise<void> {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ['sign', 'verify'])
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  const public_key = btoa(String.fromCharCode(...spki))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  const answer = await post('/v1/admin/session/pair', { code, public_key })
  const opened = (await answer.json()) as NewSession
  await writePairing({ key: privateKey, opened })
  mark(true)
  session.enter(opened, true)
  session.pairing.value = null
}

/** The person of this device, as the box now knows them; undefined where the pairing has ended, which is then forgotten. @throws Refused where the box does not answer */
export async function pairedPerson(): Promise<NewSession['person'] | undefined> {
  const pairing = isMarked() ? await readPairing().catch(() => undefined) : undefined
  if (!pairing) return undefined
  try {
    await post('/v1/admin/session', undefined, pairing.opened.token)
    return pairing.opened.person
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'bad_token') throw error
    await forgetPairing()
    return undefined
  }
}

/** @param secret the PIN of the person; undefined where none is asked for @throws Refused for a wrong one */
export async function goOn(session: Session, secret: string | undefined): Promise<void> {
  const pairing = await readPairing()
  if (!pairing) return
  const { opened } = pairing
  if (secret !== undefined) await post('/v1/admin/session/confirm', { secret }, opened.token)
  session.enter(opened, true)
}

/** Ends it at the box, and here also where the box does not answer. */
export async function unpair(): Promise<void> {
  const pairing = await readPairing()
  if (pairing) await post('/v1/admin/session/end', {}, pairing.opened.token).catch(() => undefined)
  await forgetPairing()
}

async function forgetPairing(): Promise<void> {
  await writePairing(undefined)
  mark(false)
}

/** With a token: signed. Without a body: read. */
async function post(path: string, body: object | undefined, token?: string): Promise<Response> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const request = new Request(new URL(path, location.origin), {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = await (token === undefined ? fetch(request) : fetch(await signed(request))).catch(() => {
    throw new Refused('unreachable', 0, words.session.unreachable)
  })
  if (answer.ok) return answer
  throw await refusalOf(answer.status, await answer.json().catch(() => undefined))
}

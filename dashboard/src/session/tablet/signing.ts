/** Signs the requests of a paired device (`box/docs/authentication.md`), by the box's clock: a signature that is a minute off is refused. */
import { webCryptoSigner } from '@gatehouse/proto/signature/keys.ts'
import { signedRequest } from '@gatehouse/proto/signature/request.ts'
import { signRequest } from '@gatehouse/proto/signature/sign.ts'
import { readPairing } from './kept-key.ts'

const ASK_AGAIN_MS = 5 * 60_000
/** More drift than this between the wall clock and the monotonic one: the device slept, or somebody set its clock. */
const JUMP_MS = 2_000

/** @throws Error where the browser has lost the key: the box refuses what is not signed */
export async function signed(request: Request): Promise<Request> {
  const [pairing, now] = await Promise.all([readPairing(), boxNow()])
  if (!pairing) return request
  const alg = 'ecdsa-p256-sha256'
  const key = { keyId: pairing.opened.session, alg, sign: webCryptoSigner(alg, pairing.key) } as const
  const nonce = crypto.randomUUID()
  const type = request.headers.get('content-type')
  if (type === null || type.startsWith('application/json')) return signedRequest(request, key, { now, nonce })
  // A file may be larger than the memory of this device: its bytes are not covered, and the box asks for it nowhere.
  const { method, url, headers } = request
  const added = await signRequest({ method, url, headers }, { ...key, created: Math.floor(now / 1000), nonce })
  for (const [name, value] of Object.entries(added)) request.headers.set(name, value)
  return request
}

let known: { offsetMs: number; at: number; shift: number } | undefined

/** Unix ms by the box's clock. */
async function boxNow(): Promise<number> {
  const shift = Date.now() - performance.now()
  if (!known || Date.now() - known.at > ASK_AGAIN_MS || Math.abs(shift - known.shift) > JUMP_MS) {
    const sentAt = Date.now()
    const answer = await fetch('/v1/time', { cache: 'no-store' })
    const { now } = (await answer.json()) as { now: string }
    const at = Date.now()
    known = { offsetMs: Date.parse(now) - (sentAt + at) / 2, at, shift }
  }
  return Date.now() + known.offsetMs
}

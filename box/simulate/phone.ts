/** Makes an old code of a wallet from the ticket's link, as on a photograph that was taken a while ago. */
import { createPrivateKey, sign } from 'node:crypto'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { formatCode, signedBytes, slotAt } from '@gatehouse/proto/code.ts'
import { answered } from './scanner.ts'

/** PrivateKeyInfo of Ed25519 up to the seed itself (RFC 8410). */
const PKCS8_BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Age of the code in slots: older than any clock error excuses. */
const SLOTS_AGO = 40

/** @param ticketId the capability in the link @param now unix ms @throws Refused for a ticket that is claimed, or not there */
export async function oldCodeOf(ticketId: string, client: GatehouseClient, now: number): Promise<string> {
  const view = await answered(() => client.GET('/v1/ticket/{id}', { params: { path: { id: ticketId } } }))
  const seed = Buffer.from(view.secret ?? '', 'base64')
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  const slot = slotAt(now) - SLOTS_AGO
  const tag = Buffer.from(view.event_tag ?? '', 'hex')
  return formatCode({ publicKey, slot, signature: sign(null, signedBytes(tag, publicKey, slot), key) })
}

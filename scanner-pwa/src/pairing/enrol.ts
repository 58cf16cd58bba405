/** Pairing: checks that the box is the one of the invite, makes a key that never leaves the device, and gets a certificate. */

import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { certificateRequest, newDeviceKey } from '@gatehouse/proto/csr.ts'
import { checkedVerifierKey } from '@gatehouse/proto/verifier-key.ts'
import type { DeviceClock } from '../box/clock.ts'
import { refused } from '../box/refused.ts'
import { measureTime } from '../box/time.ts'
import { ScannerError } from '../gate/model.ts'
import { gateWords as words } from '../words/core.ts'
import { certificateBytes, certificateEnd } from './certificate.ts'
import type { Identity } from './identity.ts'
import type { Invite } from './invite.ts'

export interface EnrolDeps {
  client: GatehouseClient
  clock: DeviceClock
  /** Stores a key and removes it again. Rejects where this browser cannot store keys. */
  tryStoring: (key: CryptoKey) => Promise<void>
}

/**
 * @returns the scanner's identity, to be stored before anything else is done with it: the token is never shown again
 * @throws ScannerError, with the box's own message for an invite that it refuses
 */
export async function enrol(invite: Invite, deviceName: string, deps: EnrolDeps): Promise<Identity> {
  const name = deviceName.replace(/\s+/g, ' ').trim().slice(0, 100)
  if (name === '') throw new ScannerError(words.nameMissing)
  const { client, clock, tryStoring } = deps
  const meta = await reached(client.GET('/v1/meta'))
  if (!meta.data) throw new ScannerError(words.invite.unreachable)
  await requireBox(invite, meta.data.ca_fingerprint, client)
  const verifierKey = meta.data.verifier_key
  if (!(await checkedVerifierKey(verifierKey))) throw new ScannerError(words.invite.otherBox)

  await reached(measureTime(client, clock))
  // By the box's clock: on a phone whose date is wrong, every invite would seem to have expired, or none.
  if (invite.expiresAt <= clock.now()) throw new ScannerError(words.invite.expired)
  const keys = await newDeviceKey()
  // Before the invite is used up: some private windows store texts, and no keys.
  await tryStoring(keys.privateKey).catch((cause) => {
    throw new ScannerError(words.invite.noKeys, { cause })
  })
  const csr = await certificateRequest(keys)
  const { data, error } = await reached(client.POST('/v1/enroll', { body: { invite: invite.code, name, csr } }))
  if (!data) throw await refused(error)
  return {
    deviceId: data.device_id,
    deviceName: data.name ?? name,
    token: data.token,
    certificate: data.certificate,
    certificateExpiresAt: certificateEnd(certificateBytes(data.certificate) ?? new Uint8Array()) ?? 0,
    key: keys.privateKey,
    baseUrl: invite.origin,
    eventId: meta.data.event_id,
    eventName: meta.data.event_name,
    verifierKey,
    checkpoints: data.checkpoints,
    supervisor: data.supervisor,
  }
}

/**
 * Checks that the box behind this page is the one that made the invite.
 *
 * In a browser this proves that nobody mixed up two boxes, two events or two networks. It does not prove more: a page cannot see
 * the certificate of the TLS connection that it came by. So a false box can send a false page that compares nothing, or repeat
 * the true authority here, if a person has clicked its certificate warning away. Installing the authority on the phone, or a
 * publicly trusted certificate on the box, lets the browser itself prevent that. Clients that script their TLS (`gatehouse pair`,
 * turnstiles) check the fingerprint against the connection.
 */
async function requireBox({ fingerprint }: Invite, stated: string, client: GatehouseClient): Promise<void> {
  const { data: pem } = await reached(client.GET('/ca.crt', { parseAs: 'text' }))
  const bytes = certificateBytes(typeof pem === 'string' ? pem : '')
  const digest = bytes && new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const found = digest && Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (stated !== fingerprint || `sha256:${found}` !== fingerprint) throw new ScannerError(words.invite.otherBox)
}

async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new ScannerError(words.invite.unreachable, { cause })
  }
}

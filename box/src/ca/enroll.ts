/** Enrolment: an invite goes in, a certificate and a token come out, and the device is on the roster. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { EnrollRequest, Enrolment } from '@gatehouse/proto/wire/open.ts'
import type { Event } from '../event/event.ts'
import { checkpointsOf } from '../event/wire.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { devices } from '../ledger/schema.ts'
import type { Authority } from './authority.ts'
import { requireInvite, useInvite } from './invites.ts'
import { makePkcs12, newPassword } from './pkcs12.ts'

export interface EnrollDeps {
  authority: Authority
  event: Event
  ledger: Ledger
  /** Unix ms. */
  now: () => number
  /** Where the device port is reached. */
  deviceUrl: () => string
}

/**
 * Enrols a device. With a `csr` its key never leaves it; without one the box makes the key, hands it out, and forgets it.
 * @throws GatehouseError `not_found`, `invite_used`, `invite_expired` for the invite; `bad_request` for the request;
 *   `conflict` once the event is over. The invite is used up only when the device is on the roster.
 */
export async function enroll(request: EnrollRequest, deps: EnrollDeps): Promise<Enrolment> {
  const { authority, event, ledger } = deps
  const now = deps.now()
  requireInvite(request.invite, { ledger, now })

  const id = `dev-${randomBytes(6).toString('hex')}`
  const token = randomBytes(32).toString('base64url')
  const made = request.csr === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : undefined
  const issued = await authority.issueDeviceCertificate({
    deviceId: id,
    ...(made ? { publicKey: made.publicKey } : { csr: request.csr ?? '' }),
  })

  const { checkpoints, supervisor } = await ledger.commit(() => {
    // Again, in the transaction: two phones may hold the same QR code, and only one of them may come in on it.
    const invite = requireInvite(request.invite, { ledger, now })
    useInvite(invite, { ledger, now })
    ledger.db.drizzle
      .insert(devices)
      .values({
        id,
        name: invite.name ?? request.name,
        fingerprint: issued.fingerprint,
        tokenHash: createHash('sha256').update(token).digest(),
        publicKey: issued.publicKey,
        checkpoints: invite.checkpoints,
        supervisor: invite.supervisor,
        enrolledAt: now,
        expiresAt: issued.notAfter,
      })
      .run()
    const { checkpoints, supervisor } = invite
    ledger.append('enrolment', { certificate: issued.fingerprint, checkpoints, device: id, supervisor })
    return invite
  })

  const enrolment: Enrolment = {
    device_id: id,
    supervisor,
    certificate: issued.certificate,
    ca_certificate: authority.certificate,
    token,
    device_url: deps.deviceUrl(),
    checkpoints: checkpointsOf(
      event,
      event.checkpoints.filter((checkpoint) => checkpoints.includes(checkpoint.id)),
    ),
  }
  if (!made) return enrolment
  const password = newPassword()
  const { modern, legacy } = makePkcs12({
    key: made.privateKey,
    certificates: [issued.certificate, authority.certificate],
    password,
    name: `${event.name}: ${id}`,
  })
  return {
    ...enrolment,
    private_key: made.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    pkcs12: Buffer.from(modern).toString('base64'),
    pkcs12_legacy: Buffer.from(legacy).toString('base64'),
    pkcs12_password: password,
  }
}

/** Enrols a device: exchanges an invite for a certificate and a token, and adds the device to the roster. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { EnrollRequest, Enrolment } from '@gatehouse/proto/wire/open.ts'
import type { Event } from '../event/event.ts'
import { checkpointsOf } from '../event/wire.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { devices } from '../ledger/schema.ts'
import type { Authority, DeviceCertificate } from './authority.ts'
import { requireInvite, type StoredInvite, useInvite } from './invites.ts'
import { makePkcs12, newPassword } from './pkcs12.ts'

export interface EnrollDeps {
  authority: Authority
  event: Event
  ledger: Ledger
  /** Unix ms. */
  now: () => number
  /** Base URL of the device port. */
  deviceUrl: () => string
}

/**
 * Enrols a device. With a `csr` the device keeps its key; without one the box makes the key, returns it, and does not keep it.
 * @throws GatehouseError `not_found`, `invite_used`, `invite_expired` for the invite; `bad_request` for the request;
 *   `conflict` once the event is over. The invite is used up only when the device is on the roster.
 */
export async function enroll(request: EnrollRequest, deps: EnrollDeps): Promise<Enrolment> {
  const { authority, event, ledger } = deps
  const now = deps.now()
  requireInvite(request.invite, { ledger, now })

  const id = newDeviceId()
  const token = randomBytes(32).toString('base64url')
  const made = request.csr === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : undefined
  const issued = await authority.issueDeviceCertificate({
    deviceId: id,
    ...(made ? { publicKey: made.publicKey } : { csr: request.csr ?? '' }),
  })

  const { name, checkpoints, supervisor } = await ledger.commit(() =>
    admitDevice({ id, token, issued, request, app: null }, { ledger, now }),
  )
  const enrolment: Enrolment = {
    device_id: id,
    name: name ?? request.name,
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
  return made
    ? { ...enrolment, ...keyFiles(made.privateKey, { id, certificate: issued.certificate }, deps) }
    : enrolment
}

export function newDeviceId(): string {
  return `dev-${randomBytes(6).toString('hex')}`
}

export interface NewDevice {
  id: string
  token: string
  issued: Pick<DeviceCertificate, 'fingerprint' | 'publicKey' | 'notAfter'>
  request: Pick<EnrollRequest, 'invite' | 'name'>
  /** See `Device.app`. */
  app: string | null
}

/** Within a transaction: adds the device to the roster, and uses up its invite. @throws GatehouseError as `requireInvite` */
export function admitDevice(
  { id, token, issued, request, app }: NewDevice,
  { ledger, now }: { ledger: Ledger; now: number },
): StoredInvite {
  // Checked again in the transaction: two phones may have the same QR code, and only one may enrol with it.
  const invite = requireInvite(request.invite, { ledger, now }, app === null ? 'scanner' : 'pretixscan')
  useInvite(invite, { ledger, now })
  const { checkpoints, supervisor } = invite
  ledger.db.drizzle
    .insert(devices)
    .values({
      id,
      name: invite.name ?? request.name,
      fingerprint: issued.fingerprint,
      tokenHash: createHash('sha256').update(token).digest(),
      publicKey: issued.publicKey,
      checkpoints,
      supervisor,
      app,
      enrolledAt: now,
      expiresAt: issued.notAfter,
    })
    .run()
  ledger.append('enrolment', {
    certificate: issued.fingerprint,
    checkpoints,
    device: id,
    supervisor,
    ...(app !== null && { app: 'pretixscan' }),
  })
  return invite
}

/** The key that the box has made, in the formats that devices import. */
function keyFiles(
  key: KeyObject,
  { id, certificate }: { id: string; certificate: string },
  { event, authority }: Pick<EnrollDeps, 'event' | 'authority'>,
): Pick<Enrolment, 'private_key' | 'pkcs12' | 'pkcs12_legacy' | 'pkcs12_password'> {
  const password = newPassword()
  const { modern, legacy } = makePkcs12({
    key,
    certificates: [certificate, authority.certificate],
    password,
    name: `${event.name}: ${id}`,
  })
  return {
    private_key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    pkcs12: Buffer.from(modern).toString('base64'),
    pkcs12_legacy: Buffer.from(legacy).toString('base64'),
    pkcs12_password: password,
  }
}

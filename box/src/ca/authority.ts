/**
 * The event's own certificate authority (RFC 5280): made at first boot, one for each event, able to vouch for this
 * machine on its local network and for the devices of this event, and for nothing else.
 *
 * Its clock may be wrong: a Raspberry Pi has no battery and starts in the past. So certificates begin a day early,
 * and no certificate is dated before the authority itself.
 */
import 'reflect-metadata'
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  X509Certificate as ParsedCertificate,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { createDurably, readIfThere } from '../durable-file.ts'
import { GatehouseError } from '../errors.ts'
import { provenKeyOf } from './certificate-request.ts'
import { encodeConstraints, type Machine, type Permitted, permit, permittedNames } from './constraints.ts'
import { type FeedName, feedNameUri } from './feed-name.ts'
import { pemBlock } from './pem.ts'

const DAY = 86_400_000
const AUTHORITY_DAYS = 3650
const SERVER_DAYS = 90
const FEED_DAYS = 90
const MESH_DAYS = 90
export const NAME_CONSTRAINTS = '2.5.29.30'
const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

export type DeviceCertificate = {
  /** PEM */
  certificate: string
  /** SHA-256 of the DER, hex: how the roster knows it. */
  fingerprint: string
  /** The certified key, SubjectPublicKeyInfo in DER. */
  publicKey: Buffer
  /** Unix ms */
  notAfter: number
}

export type Authority = {
  /** PEM: the body of `GET /ca.crt`. */
  readonly certificate: string
  /** `sha256:` and 64 hex digits, as in `GET /v1/meta` and in every invite. */
  readonly fingerprint: string
  /** What of a machine's names and addresses the authority may vouch for. */
  permit(machine: Machine): Permitted
  /** A new key and a certificate for 90 days, both PEM. What the authority may not vouch for is left out and named. */
  issueServerCertificate(machine: Machine): Promise<{ key: string; certificate: string; leftOut: string[] }>
  /**
   * A new key and a certificate for 90 days, both PEM, that the box's own change feed shows where it delivers to. Not bound to
   * the event's end: what happened there may arrive days later.
   */
  issueFeedCertificate(name: FeedName): Promise<{ key: string; certificate: string }>
  /**
   * A new key and a certificate for 90 days, both PEM, that a box shows to the other boxes of the event, whether it dials or is
   * dialled. What the authority may not vouch for is left out and named.
   */
  issueMeshCertificate(
    boxId: string,
    machine: Machine,
  ): Promise<{ key: string; certificate: string; leftOut: string[] }>
  /**
   * A certificate for a scanner, until a day after the event, for the key that a certificate request proves or for
   * one that the box has made itself.
   * @throws GatehouseError `bad_request` for a request that cannot be honoured, `conflict` once the event is over
   */
  issueDeviceCertificate(
    device: { deviceId: string } & ({ csr: string } | { publicKey: KeyObject }),
  ): Promise<DeviceCertificate>
}

/**
 * Opens the authority kept in `dir`, or makes it. Key and certificate are one file, `authority.pem`, so that a power
 * cut during the first boot leaves a whole authority or none.
 *
 * `endsAt` is the event's end and `now` the clock, both unix ms. `hostname` is what the machine is called when the
 * authority is made; it and every name below it can then be certified, so it should not be a domain of the internet.
 * @throws GatehouseError when the file is damaged or of another event; nothing is overwritten
 */
export async function openAuthority(options: {
  dir: string
  eventId: string
  eventName: string
  endsAt: number
  hostname: string
  now: () => number
}): Promise<Authority> {
  const { dir, eventId, endsAt, now } = options
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, 'authority.pem')
  if ((await readIfThere(path)) === undefined) await createDurably(path, await make(options))
  const { certificate, key } = read((await readIfThere(path)) ?? '', path, eventId)

  const parsed = new ParsedCertificate(certificate.raw)
  const issuer = parsed.subjectName
  const issuerKeyId = await AuthorityKeyIdentifierExtension.create(parsed.publicKey)
  const signingKey = await crypto.subtle.importKey(
    'pkcs8',
    key.export({ format: 'der', type: 'pkcs8' }),
    SIGNING,
    false,
    ['sign'],
  )
  const constraints = parsed.getExtension(NAME_CONSTRAINTS)
  const names = constraints ? permittedNames(constraints.value) : []
  // A clock that runs before this has not been set yet.
  const madeAt = certificate.validFromDate.getTime() + DAY
  const clock = () => Math.max(now(), madeAt)

  async function issue(publicKey: KeyObject, notAfter: number, leaf: { subject: Name; extensions: Extension[] }) {
    const spki = publicKey.export({ format: 'der', type: 'spki' })
    const issued = await X509CertificateGenerator.create({
      serialNumber: newSerial(),
      issuer,
      subject: leaf.subject,
      notBefore: wholeSecond(clock() - DAY),
      notAfter: wholeSecond(Math.min(notAfter, certificate.validToDate.getTime())),
      publicKey: new Uint8Array(spki),
      signingKey,
      signingAlgorithm: SIGNING,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        issuerKeyId,
        await SubjectKeyIdentifierExtension.create(new Uint8Array(spki)),
        ...leaf.extensions,
      ],
    })
    return {
      pem: pemOf(issued),
      fingerprint: fingerprint256(new Uint8Array(issued.rawData)),
      spki,
      notAfter: issued.notAfter.getTime(),
    }
  }

  function answersTo(machine: Machine) {
    const { names: dns, addresses, leftOut } = permit(machine, names)
    // A certificate for nothing is not a certificate: a machine without a network still answers to itself.
    if (dns.length + addresses.length === 0) dns.push('localhost')
    const extension = new SubjectAlternativeNameExtension([
      ...dns.map((value) => ({ type: 'dns' as const, value })),
      ...addresses.map((value) => ({ type: 'ip' as const, value })),
    ])
    return { dns, addresses, leftOut, extension }
  }

  return {
    certificate: certificate.toString(),
    fingerprint: `sha256:${fingerprint256(certificate.raw)}`,

    permit: (machine) => permit(machine, names),

    async issueServerCertificate(machine) {
      const { dns, addresses, leftOut, extension } = answersTo(machine)
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { pem } = await issue(publicKey, clock() + SERVER_DAYS * DAY, {
        subject: nameOf({ CN: dns[0] ?? addresses[0] ?? '' }),
        extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]), extension],
      })
      return { key: pkcs8(privateKey), certificate: pem, leftOut }
    },

    async issueMeshCertificate(boxId, machine) {
      const { leftOut, extension } = answersTo(machine)
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { pem } = await issue(publicKey, clock() + MESH_DAYS * DAY, {
        subject: nameOf({ CN: boxId }),
        extensions: [
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
          extension,
        ],
      })
      return { key: pkcs8(privateKey), certificate: pem, leftOut }
    },

    async issueFeedCertificate(name) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { pem } = await issue(publicKey, clock() + FEED_DAYS * DAY, {
        subject: nameOf({ CN: name.box }),
        extensions: [
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
          new SubjectAlternativeNameExtension([{ type: 'url', value: feedNameUri(name) }]),
        ],
      })
      return { key: pkcs8(privateKey), certificate: pem }
    },

    async issueDeviceCertificate({ deviceId, ...key }) {
      // No dot: OpenSSL takes a common name with one for a host name, and holds it against the name constraints.
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(deviceId))
        throw new RangeError('A device id is 1 to 64 letters, digits, - or _')
      const notAfter = endsAt + DAY
      if (clock() >= notAfter) {
        throw new GatehouseError(
          'conflict',
          `This event ended on ${new Date(endsAt).toISOString().slice(0, 10)}: correct ends_at in event.json or the clock of the box, then pair again.`,
        )
      }
      const publicKey = 'csr' in key ? await provenKeyOf(key.csr) : key.publicKey
      const issued = await issue(publicKey, notAfter, {
        subject: nameOf({ CN: deviceId }),
        extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
      })
      return {
        certificate: issued.pem,
        fingerprint: issued.fingerprint,
        publicKey: issued.spki,
        notAfter: issued.notAfter,
      }
    },
  }
}

/** SHA-256 of a certificate (DER, or the first one of a PEM) in lower-case hex: what the roster knows a device by. */
export function fingerprint256(certificate: Uint8Array | string): string {
  const der = typeof certificate === 'string' ? new X509Certificate(certificate).raw : certificate
  return createHash('sha256').update(der).digest('hex')
}

async function make({
  eventId,
  eventName,
  endsAt,
  hostname,
  now,
}: Parameters<typeof openAuthority>[0]): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  const keyId = await SubjectKeyIdentifierExtension.create(spki)
  // The digits tell two boxes of one event apart in a phone's list of authorities, and to whoever builds a chain.
  const subject = nameOf({
    O: 'Gatehouse',
    OU: eventId.slice(0, 64),
    CN: `Gatehouse ${[...eventName].slice(0, 40).join('')} ${keyId.keyId.slice(0, 6)}`,
  })
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    issuer: subject,
    subject,
    notBefore: wholeSecond(now() - DAY),
    // From the event's end, not from a clock that may stand at 1970.
    notAfter: wholeSecond(Math.max(now(), endsAt) + AUTHORITY_DAYS * DAY),
    publicKey: spki,
    signingKey: await crypto.subtle.importKey(
      'pkcs8',
      privateKey.export({ format: 'der', type: 'pkcs8' }),
      SIGNING,
      false,
      ['sign'],
    ),
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      keyId,
      new Extension(NAME_CONSTRAINTS, true, encodeConstraints(hostname)),
    ],
  })
  return pemOf(certificate) + pkcs8(privateKey)
}

function read(pem: string, path: string, eventId: string): { certificate: X509Certificate; key: KeyObject } {
  const damaged = (what: string, cause?: unknown) =>
    new GatehouseError(
      'internal',
      `${path} ${what}: put it back from a backup, or move it away, and then pair every scanner again.`,
      { cause },
    )
  let certificate: X509Certificate
  let key: KeyObject
  try {
    certificate = new X509Certificate(pemBlock(pem, 'CERTIFICATE') ?? '')
    key = createPrivateKey(pemBlock(pem, 'PRIVATE KEY') ?? '')
  } catch (error) {
    throw damaged('is damaged', error)
  }
  if (!certificate.ca || !certificate.checkPrivateKey(key) || !certificate.verify(createPublicKey(key))) {
    throw damaged('holds a key and a certificate that do not belong together')
  }
  const [owner] = new ParsedCertificate(certificate.raw).subjectName.getField('OU')
  if (owner !== eventId.slice(0, 64)) throw damaged(`is the authority of another event (${owner})`)
  return { certificate, key }
}

function nameOf(fields: Record<string, string>): Name {
  return new Name(Object.entries(fields).map(([field, value]) => ({ [field]: [{ utf8String: value }] })))
}

/** 128 bits, positive, and never shorter: unpredictable on purpose, like the keys, and so not an argument. */
function newSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.toString('hex')
}

function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000)
}

function pemOf(certificate: ParsedCertificate): string {
  return `${certificate.toString('pem')}\n`
}

function pkcs8(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString()
}

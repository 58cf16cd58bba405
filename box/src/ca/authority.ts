/**
 * The event's own certificate authority (RFC 5280): made at the first start, one for each event. It can certify this
 * machine on its local network and the devices of this event, and nothing else.
 *
 * Its clock may be wrong: a Raspberry Pi has no battery and starts in the past. So certificates begin a day early,
 * and no certificate is dated before the authority itself.
 */
import 'reflect-metadata'
import { createHash, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as ParsedCertificate,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { GatehouseError } from '../errors.ts'
import type { EventDefinition } from '../event/event.ts'
import { type AuthorityOptions, openAuthorityFile } from './authority-file.ts'
import { provenKeyOf } from './certificate-request.ts'
import { type Machine, type MeshMember, namesOfMember, type Permitted, permit, permittedNames } from './constraints.ts'
import { type FeedName, feedNameUri } from './feed-name.ts'
import { NAME_CONSTRAINTS, nameOf, newSerial, pemOf, pkcs8, SIGNING, toSigningKey, wholeSecond } from './x509.ts'

const DAY = 86_400_000
const SERVER_DAYS = 90
const FEED_DAYS = 90
const MESH_DAYS = 90

export type DeviceCertificate = {
  /** PEM */
  certificate: string
  /** SHA-256 of the DER, hex; the roster finds a device by it. */
  fingerprint: string
  /** The certified key, SubjectPublicKeyInfo in DER. */
  publicKey: Buffer
  /** Unix ms */
  notAfter: number
}

/** A new key and its certificate, both PEM. */
type NewCertificate = { key: string; certificate: string; leftOut: string[] }

/**
 * Opens the authority kept in `dir`, or makes it.
 * @throws GatehouseError when its file is damaged or of another event; nothing is overwritten
 */
export async function openAuthority(options: AuthorityOptions): Promise<Authority> {
  const { certificate, key } = await openAuthorityFile(options)
  const parsed = new ParsedCertificate(certificate.raw)
  const constraints = parsed.getExtension(NAME_CONSTRAINTS)
  return new Authority({
    certificate,
    parsed,
    keyId: await AuthorityKeyIdentifierExtension.create(parsed.publicKey),
    signingKey: await toSigningKey(key),
    names: constraints ? permittedNames(constraints.value) : [],
    endsAt: options.endsAt,
    now: options.now,
  })
}

/** Place of a box's authority, and what it is made for if there is none yet. */
export interface EventAuthorityOptions {
  dataDir: string
  certificate?: { readonly name: string } | undefined
  /** Unix ms. */
  now: () => number
}

/** The authority of the event in a box's data folder, for the machine that this runs on. @throws as `openAuthority` does */
export function openEventAuthority(
  event: EventDefinition,
  { dataDir, certificate, now }: EventAuthorityOptions,
): Promise<Authority> {
  return openAuthority({
    dir: join(dataDir, 'ca'),
    eventId: event.id,
    eventName: event.name,
    endsAt: Date.parse(event.ends_at),
    hostname: hostname(),
    publicName: certificate?.name,
    now,
  })
}

interface Parts {
  certificate: X509Certificate
  parsed: ParsedCertificate
  keyId: AuthorityKeyIdentifierExtension
  signingKey: CryptoKey
  /** Domains that the authority may certify, by its own name constraints. */
  names: string[]
  endsAt: number
  now: () => number
}

/** The parts in which certificates differ. */
interface Leaf {
  commonName: string
  /** Unix ms */
  notAfter: number
  extensions: Extension[]
}

export class Authority {
  /** PEM: the body of `GET /ca.crt`. */
  readonly certificate: string
  /** `sha256:` and 64 hex digits, as in `GET /v1/meta` and in every invite. */
  readonly fingerprint: string
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
    this.certificate = parts.certificate.toString()
    this.fingerprint = `sha256:${fingerprint256(parts.certificate.raw)}`
  }

  /** The names and addresses of a machine that the authority may certify, and the others. */
  permit(machine: Machine): Permitted {
    return permit(machine, this.#parts.names)
  }

  /** A new key and a certificate for 90 days, both PEM. Names that the authority may not certify are left out and returned. */
  async issueServerCertificate(machine: Machine): Promise<NewCertificate> {
    const { commonName, leftOut, extension } = this.#namesOf(machine)
    const issued = await this.#issueWithKey({
      commonName,
      notAfter: this.#clock() + SERVER_DAYS * DAY,
      extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]), extension],
    })
    return { ...issued, leftOut }
  }

  /**
   * A certificate for 90 days, PEM, for connections between the boxes of the event, as client and as server. Only the mesh's
   * authority issues them (`openMeshAuthority`).
   */
  async issueMeshCertificate(member: MeshMember): Promise<string> {
    const issued = await this.#issue(member.publicKey, {
      commonName: member.boxId,
      notAfter: this.#clock() + MESH_DAYS * DAY,
      extensions: [
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        alternativeNames(namesOfMember(member)),
      ],
    })
    return pemOf(issued)
  }

  /**
   * A new key and a client certificate for 90 days, both PEM, for the box's own change feed. It may outlast the event,
   * because entries may arrive at HQ days later.
   */
  issueFeedCertificate(name: FeedName): Promise<Omit<NewCertificate, 'leftOut'>> {
    return this.#issueWithKey({
      commonName: name.box,
      notAfter: this.#clock() + FEED_DAYS * DAY,
      extensions: [
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension([{ type: 'url', value: feedNameUri(name) }]),
      ],
    })
  }

  /**
   * A certificate for a scanner, until a day after the event, for the key that a certificate request proves or for
   * one that the box has made itself.
   * @throws GatehouseError `bad_request` for a request that cannot be honoured, `conflict` once the event is over
   */
  async issueDeviceCertificate({
    deviceId,
    ...key
  }: { deviceId: string } & ({ csr: string } | { publicKey: KeyObject })): Promise<DeviceCertificate> {
    // Without a dot: OpenSSL treats a common name with a dot as a host name, and checks it against the name constraints.
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(deviceId)) throw new RangeError('A device id is 1 to 64 letters, digits, - or _')
    const { endsAt } = this.#parts
    const notAfter = endsAt + DAY
    if (this.#clock() >= notAfter) {
      const date = new Date(endsAt).toISOString().slice(0, 10)
      throw new GatehouseError(
        'conflict',
        `This event ended on ${date}: correct ends_at in event.json or the clock of the box, then pair again.`,
        { reason: 'event_over', values: { date } },
      )
    }
    const publicKey = 'csr' in key ? await provenKeyOf(key.csr) : key.publicKey
    const issued = await this.#issue(publicKey, {
      commonName: deviceId,
      notAfter,
      extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
    })
    return {
      certificate: pemOf(issued),
      fingerprint: fingerprint256(new Uint8Array(issued.rawData)),
      publicKey: spkiOf(publicKey),
      notAfter: issued.notAfter.getTime(),
    }
  }

  /** A clock that is earlier than the authority's own date has not been set yet. */
  #clock(): number {
    const { certificate, now } = this.#parts
    return Math.max(now(), certificate.validFromDate.getTime() + DAY)
  }

  #namesOf(machine: Machine): { commonName: string; leftOut: string[]; extension: Extension } {
    const { names: dns, addresses, leftOut } = this.permit(machine)
    // A certificate needs a name: on a machine without a network, `localhost`.
    if (dns.length + addresses.length === 0) dns.push('localhost')
    return { commonName: dns[0] ?? addresses[0] ?? '', leftOut, extension: alternativeNames({ names: dns, addresses }) }
  }

  async #issueWithKey(leaf: Leaf): Promise<Omit<NewCertificate, 'leftOut'>> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return { key: pkcs8(privateKey), certificate: pemOf(await this.#issue(publicKey, leaf)) }
  }

  async #issue(publicKey: KeyObject, { commonName, notAfter, extensions }: Leaf): Promise<ParsedCertificate> {
    const { certificate, parsed, keyId, signingKey } = this.#parts
    const spki = new Uint8Array(spkiOf(publicKey))
    return X509CertificateGenerator.create({
      serialNumber: newSerial(),
      issuer: parsed.subjectName,
      subject: nameOf({ CN: commonName }),
      notBefore: wholeSecond(this.#clock() - DAY),
      notAfter: wholeSecond(Math.min(notAfter, certificate.validToDate.getTime())),
      publicKey: spki,
      signingKey,
      signingAlgorithm: SIGNING,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        keyId,
        await SubjectKeyIdentifierExtension.create(spki),
        ...extensions,
      ],
    })
  }
}

function alternativeNames({ names, addresses }: Machine): SubjectAlternativeNameExtension {
  return new SubjectAlternativeNameExtension([
    ...names.map((value) => ({ type: 'dns' as const, value })),
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ])
}

function spkiOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' })
}

/** SHA-256 of a certificate (DER, or the first one of a PEM) in lower-case hex, by which the roster finds a device. */
export function fingerprint256(certificate: Uint8Array | string): string {
  const der = typeof certificate === 'string' ? new X509Certificate(certificate).raw : certificate
  return createHash('sha256').update(der).digest('hex')
}

/** The authority's key and certificate on disk: one file, so that a power cut leaves a whole authority or none. */
import 'reflect-metadata'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as ParsedCertificate,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { createDurably, readIfThere } from '../durable-file.ts'
import { GatehouseError } from '../errors.ts'
import { encodeConstraints } from './constraints.ts'
import { pemBlock } from './pem.ts'
import { NAME_CONSTRAINTS, nameOf, newSerial, pemOf, pkcs8, SIGNING, toSigningKey, wholeSecond } from './x509.ts'

const DAY = 86_400_000
const AUTHORITY_DAYS = 3650

export interface AuthorityOptions {
  dir: string
  eventId: string
  eventName: string
  /** Of the event, unix ms. */
  endsAt: number
  /**
   * Name of the machine when the authority is made. It and every name below it can then be certified, so it should not
   * be a domain of the internet.
   */
  hostname: string
  /** The box's public name, if it has one: phones that trust the authority then trust the box by it, too. */
  publicName?: string | undefined
  /** Unix ms. */
  now: () => number
}

/** @throws GatehouseError when the file is damaged or of another event; nothing is overwritten */
export async function openAuthorityFile(
  options: AuthorityOptions,
): Promise<{ certificate: X509Certificate; key: KeyObject }> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 })
  const path = join(options.dir, 'authority.pem')
  if ((await readIfThere(path)) === undefined) await createDurably(path, await make(options))
  return read((await readIfThere(path)) ?? '', path, options.eventId)
}

async function make({ eventId, eventName, endsAt, hostname, publicName, now }: AuthorityOptions): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  const keyId = await SubjectKeyIdentifierExtension.create(spki)
  // The digits make the names of two authorities of one event differ, in a phone's list and when a chain is built.
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
    // Counted from the event's end: the clock may still be at 1970.
    notAfter: wholeSecond(Math.max(now(), endsAt) + AUTHORITY_DAYS * DAY),
    publicKey: spki,
    signingKey: await toSigningKey(privateKey),
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      keyId,
      new Extension(
        NAME_CONSTRAINTS,
        true,
        encodeConstraints(hostname, ...(publicName === undefined ? [] : [publicName])),
      ),
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

/**
 * The authority of the connections between boxes. Members get their certificates from it and not from the event's own: nobody but
 * the servers of the mesh believes it, so that such a certificate stands in for no box towards browsers, scanners and boxes that
 * join. Its key follows from the event's key: every box has the same authority, and a machine that only votes has none.
 *
 * A certificate is for the member's reserved name and for the one host that the list of boxes has for it. Members recognise each
 * other by the keys in that list; names only satisfy TLS. So the authority itself has no name constraints: a host may be a public
 * name where an admin has said so.
 */
import 'reflect-metadata'
import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, X509Certificate } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { Authority } from './authority.ts'
import { nameOf, newSerial, SIGNING, toSigningKey } from './x509.ts'

export type MeshAuthority = Pick<Authority, 'certificate' | 'issueMeshCertificate'>

/**
 * @param event the event's authority: the certificate is valid as long as its own
 * @param seed of the event's key, 32 bytes
 * @param now unix ms
 */
export async function openMeshAuthority(
  event: Pick<Authority, 'certificate'>,
  { seed, eventId, now }: { seed: Uint8Array; eventId: string; now: () => number },
): Promise<MeshAuthority> {
  const whole = new X509Certificate(event.certificate)
  const key = keyFrom(seed, eventId)
  const spki = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }))
  const keyId = await SubjectKeyIdentifierExtension.create(spki)
  const signingKey = await toSigningKey(key)
  const subject = nameOf({
    O: 'Gatehouse',
    OU: eventId.slice(0, 64),
    CN: `Gatehouse mesh ${keyId.keyId.slice(0, 6)}`,
  })
  const parsed = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    issuer: subject,
    subject,
    notBefore: whole.validFromDate,
    notAfter: whole.validToDate,
    publicKey: spki,
    signingKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      keyId,
    ],
  })
  return new Authority({
    certificate: new X509Certificate(Buffer.from(parsed.rawData)),
    parsed,
    keyId: await AuthorityKeyIdentifierExtension.create(parsed.publicKey),
    signingKey,
    names: [],
    endsAt: whole.validToDate.getTime(),
    now,
  })
}

/** P-256. A scalar out of range has a chance of one in 2^32, and then the next one counts. */
function keyFrom(seed: Uint8Array, eventId: string): KeyObject {
  for (let n = 0; ; n++) {
    const scalar = Buffer.from(hkdfSync('sha256', seed, eventId, `gatehouse mesh authority ${n}`, 32))
    const curve = createECDH('prime256v1')
    try {
      curve.setPrivateKey(scalar)
    } catch {
      continue
    }
    const point = curve.getPublicKey()
    const [x, y] = [point.subarray(1, 33), point.subarray(33)]
    const part = (bytes: Buffer) => bytes.toString('base64url')
    return createPrivateKey({
      format: 'jwk',
      key: { kty: 'EC', crv: 'P-256', d: part(scalar), x: part(x), y: part(y) },
    })
  }
}

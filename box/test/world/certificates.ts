/** Certificates of an authority of the test's own, as PEM. */
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

export interface Issued {
  readonly cert: string
  readonly key: string
}

/** @returns its certificate, and what issues for a common name and the names and addresses of a server */
export async function makeAuthority(name: string) {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const during = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) }
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    ...during,
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  })
  return {
    ca: ca.toString('pem'),
    async issue(
      commonName: string,
      names: readonly x509.JsonGeneralName[] = [],
      valid: { notBefore: Date; notAfter: Date } = during,
    ): Promise<Issued> {
      const own = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${commonName}`,
        issuer: ca.subject,
        ...valid,
        signingAlgorithm: ALGORITHM,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension([...names])] : [],
      })
      const pkcs8 = await crypto.subtle.exportKey('pkcs8', own.privateKey)
      return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') }
    },
  }
}

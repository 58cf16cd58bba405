/** A certificate for the public name of a box, from an authority of the test's own. */
import { join } from 'node:path'
import { PublicCertificate } from '../../src/certificate/public-certificate.ts'
import type { makeAuthority } from './certificates.ts'
import type { World } from './world.ts'

const DAY = 86_400_000

/** Brings it as `gatehouse certificate import` does, beside the running box. @returns the certificate, as PEM */
export async function bringCertificate(
  world: World,
  name: string,
  authority: Awaited<ReturnType<typeof makeAuthority>>,
  days = 30,
): Promise<string> {
  const valid = { notBefore: new Date(Date.now() - DAY), notAfter: new Date(Date.now() + days * DAY) }
  const { cert, key } = await authority.issue(name, [{ type: 'dns', value: name }], valid)
  await using beside = await PublicCertificate.open(
    { name, acme: undefined },
    { dataDir: join(world.folder, 'data'), logger: { info() {}, warn() {} }, now: Date.now, random: Math.random },
  )
  await beside.import({ cert: cert + authority.ca, key })
  await world.box.renewCertificates()
  return cert
}

/** What this box shows to the other boxes of its event: certificate and key, in files that nats-server reads. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import type { Authority } from '../../ca/authority.ts'
import type { Machine } from '../../ca/constraints.ts'
import { pemBlock } from '../../ca/pem.ts'
import { needsRenewal } from '../../ca/server-identity.ts'
import { readIfThere, replaceDurably } from '../../durable-file.ts'

/** Who vouches for this machine: the event's authority, or, for a machine without its key, a box that has it. */
export type MeshIssuer = Pick<Authority, 'certificate' | 'permit' | 'issueMeshCertificate'>

/** One file for both: a server that reads between two writes never gets a key without its certificate. */
export const CERTIFICATE = 'mesh.pem'
export const AUTHORITY = 'ca.pem'

/**
 * Makes the certificate anew when it is not there, damaged, of another authority or another box, past two thirds of its life, or
 * when the machine goes by an address that it does not carry.
 * @returns whether it was made, and what of the machine the authority cannot vouch for
 */
export async function keepMeshCertificate(
  folder: string,
  boxId: string,
  machine: Machine,
  { authority, now }: { authority: MeshIssuer; now: () => number },
): Promise<{ made: boolean; leftOut: string[] }> {
  const path = join(folder, CERTIFICATE)
  const { names, addresses, leftOut } = authority.permit(machine)
  const issuer = new X509Certificate(authority.certificate)
  if ((await readIfThere(join(folder, AUTHORITY))) !== authority.certificate)
    await replaceDurably(join(folder, AUTHORITY), authority.certificate)
  const isGood = (pem: string) => {
    try {
      const certificate = new X509Certificate(pemBlock(pem, 'CERTIFICATE') ?? '')
      return (
        certificate.subject === `CN=${boxId}` &&
        certificate.verify(issuer.publicKey) &&
        certificate.checkPrivateKey(createPrivateKey(pemBlock(pem, 'PRIVATE KEY') ?? '')) &&
        !needsRenewal(certificate, names, addresses, now())
      )
    } catch {
      return false
    }
  }
  if (isGood((await readIfThere(path)) ?? '')) return { made: false, leftOut }
  const { key, certificate } = await authority.issueMeshCertificate(boxId, machine)
  await replaceDurably(path, certificate + key)
  return { made: true, leftOut }
}

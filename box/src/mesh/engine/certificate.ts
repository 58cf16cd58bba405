/** Keeps this box's certificate for the mesh, with its key, in files that nats-server reads. */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { type MeshMember, namesOfMember } from '../../ca/constraints.ts'
import { pemBlock } from '../../ca/pem.ts'
import { needsRenewal } from '../../ca/server-identity.ts'
import { readIfThere, replaceDurably } from '../../durable-file.ts'

/** Issues this machine's certificate. */
export interface MeshIssuer {
  /** PEM: the authority, with which the other members' certificates are checked. */
  readonly certificate: string
  /** @returns the certificate, PEM */
  issueMeshCertificate(member: MeshMember): Promise<string>
}

/** Key and certificate in one file: a server that reads between two writes never gets a key without its certificate. */
export const CERTIFICATE = 'mesh.pem'
export const AUTHORITY = 'ca.pem'

/**
 * Issues a new certificate when there is none, or it is damaged, of another authority, box or key, past two thirds of its
 * validity, or lacks the host at which the others reach this machine.
 * @param key P-256, private: the same in every certificate of this machine
 * @returns whether one was issued
 */
export async function keepMeshCertificate(
  folder: string,
  { boxId, host, key }: { boxId: string; host: string; key: KeyObject },
  { authority, now }: { authority: MeshIssuer; now: () => number },
): Promise<boolean> {
  const path = join(folder, CERTIFICATE)
  const member = { boxId, host, publicKey: createPublicKey(key) }
  const { names, addresses } = namesOfMember(member)
  const issuer = new X509Certificate(authority.certificate)
  if ((await readIfThere(join(folder, AUTHORITY))) !== authority.certificate)
    await replaceDurably(join(folder, AUTHORITY), authority.certificate)
  const isGood = (pem: string) => {
    try {
      const certificate = new X509Certificate(pemBlock(pem, 'CERTIFICATE') ?? '')
      return (
        certificate.subject === `CN=${boxId}` &&
        certificate.verify(issuer.publicKey) &&
        certificate.checkPrivateKey(key) &&
        pemBlock(pem, 'PRIVATE KEY') !== undefined &&
        !needsRenewal(certificate, names, addresses, now())
      )
    } catch {
      return false
    }
  }
  if (isGood((await readIfThere(path)) ?? '')) return false
  const certificate = await authority.issueMeshCertificate(member)
  await replaceDurably(path, certificate + key.export({ type: 'pkcs8', format: 'pem' }).toString())
  return true
}

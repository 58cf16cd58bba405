/** Gets the certificate of a machine that only votes from a box: the keys of the authorities stay at the boxes. */
import type { KeyObject } from 'node:crypto'
import type { MeshIssuer } from '../engine/certificate.ts'

/**
 * @param meshCa the certificate of the mesh's authority, PEM
 * @param ask requests a certificate for a key from a box
 */
export function remoteIssuer(meshCa: string, ask: (publicKey: KeyObject) => Promise<string>): MeshIssuer {
  return { certificate: meshCa, issueMeshCertificate: ({ publicKey }) => ask(publicKey) }
}

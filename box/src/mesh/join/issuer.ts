/** How a machine that only votes gets its certificate: the key of the authority stays at the boxes, and one of them vouches. */
import 'reflect-metadata'
import { X509Certificate } from '@peculiar/x509'
import { NAME_CONSTRAINTS } from '../../ca/authority.ts'
import { type Machine, permit, permittedNames } from '../../ca/constraints.ts'
import type { MeshIssuer } from '../engine/certificate.ts'

/**
 * @param ca the authority's certificate, PEM
 * @param ask a box that has its key
 */
export function issuerThrough(
  ca: string,
  ask: (machine: Machine) => Promise<{ key: string; certificate: string; leftOut: string[] }>,
): MeshIssuer {
  const constraints = new X509Certificate(ca).getExtension(NAME_CONSTRAINTS)
  const names = constraints ? permittedNames(constraints.value) : []
  return {
    certificate: ca,
    permit: (machine) => permit(machine, names),
    issueMeshCertificate: (_id, machine) => ask(machine),
  }
}

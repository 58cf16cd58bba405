/**
 * The names and addresses that the box's authority can certify: those of a local network. They are in its certificate as
 * critical name constraints (RFC 5280, 4.2.1.10), so that an attacker who steals its key cannot use it, against the people
 * who installed it on their phones, to pose as a site on the internet.
 */
import type { KeyObject } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { Constructed, fromBER, Primitive, Sequence } from 'asn1js'

/** Names and addresses of a machine. Addresses have no zone and no prefix length. */
export type Machine = { names: readonly string[]; addresses: readonly string[] }

/** The names and addresses that a certificate can contain, in normal form, and the others, as they were given. */
export type Permitted = { names: string[]; addresses: string[]; leftOut: string[] }

/** Names of members of the mesh: `<box id>.mesh.gatehouse.invalid`. No resolver knows them (RFC 6761). */
export const MESH_DOMAIN = 'mesh.gatehouse.invalid'

// Each with everything below it. `local` is mDNS (RFC 6762), `home.arpa` RFC 8375, `internal` ICANN's for private use.
const LOCAL_NAMES = ['localhost', 'local', 'home.arpa', 'internal']

const LOCAL_NETWORKS: readonly [network: string, prefix: number][] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['0:0:0:0:0:0:0:1', 128],
  ['fc00:0:0:0:0:0:0:0', 7],
  ['fe80:0:0:0:0:0:0:0', 10],
]

const DNS_NAME = 2
const IP_ADDRESS = 7

/** A member of the mesh, as its certificate names it. */
export interface MeshMember {
  boxId: string
  /** The host name or address at which the others reach it, from the list of boxes. */
  host: string
  publicKey: KeyObject
}

/** The names in a member's certificate: its reserved name, and its host. Never the reserved name of another member. */
export function namesOfMember({ boxId, host }: Pick<MeshMember, 'boxId' | 'host'>): {
  names: string[]
  addresses: string[]
} {
  const names = hostNames([`${boxId}.${MESH_DOMAIN}`, ...(host.toLowerCase().includes(MESH_DOMAIN) ? [] : [host])])
  return { names, addresses: isIP(host) === 0 ? [] : [host] }
}

/** True for a name or an address of a local network; any other needs an admin's word. */
export function isLocalHost(host: string): boolean {
  if (isIP(host) !== 0) return isLocal(host)
  // One label is a name without a domain: nobody's on the internet.
  return !host.includes('.') || LOCAL_NAMES.some((base) => normal(host) === base || normal(host).endsWith(`.${base}`))
}

/** The value of a certificate's name constraints: the local names and networks, and further names. */
export function encodeConstraints(...more: string[]): ArrayBuffer {
  const names = new Set([...LOCAL_NAMES, ...hostNames(more)])
  const permitted = [
    ...[...names].map((name) => subtree(DNS_NAME, Buffer.from(name))),
    ...LOCAL_NETWORKS.map(([network, prefix]) => subtree(IP_ADDRESS, networkAndMask(network, prefix))),
  ]
  return new Sequence({ value: [contextTag(0, permitted)] }).toBER()
}

/** The permitted names of an encoded constraint: the machine may have been renamed since the authority was made. */
export function permittedNames(encoded: ArrayBuffer): string[] {
  const { result } = fromBER(encoded)
  const [permitted] = childrenOf(result)
  return childrenOf(permitted)
    .flatMap(childrenOf)
    .filter((base) => base instanceof Primitive && base.idBlock.tagNumber === DNS_NAME)
    .map((base) => Buffer.from((base as Primitive).valueBlock.valueHexView).toString())
}

/**
 * Divides a machine's names and addresses into those that its certificate may contain and the others. A single one
 * outside the constraints would make every client refuse the whole certificate.
 */
export function permit({ names, addresses }: Machine, permitted: readonly string[]): Permitted {
  const within = (name: string) => permitted.some((base) => name === base || name.endsWith(`.${base}`))
  const goodNames = hostNames(names).filter(within)
  const goodAddresses = [...new Set(addresses)].filter(isLocal)
  const leftOut = [
    ...names.filter((name) => !goodNames.includes(normal(name))),
    ...addresses.filter((address) => !goodAddresses.includes(address)),
  ]
  return { names: goodNames, addresses: goodAddresses, leftOut }
}

function isLocal(address: string): boolean {
  // An IPv4-mapped IPv6 address would match a network below, and then be in the certificate as 16 bytes.
  if (address.startsWith('::ffff:')) return false
  const family = isIP(address)
  return family !== 0 && !address.includes('%') && LOCAL.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const LOCAL = new BlockList()
for (const [network, prefix] of LOCAL_NETWORKS) LOCAL.addSubnet(network, prefix, isIP(network) === 4 ? 'ipv4' : 'ipv6')

/** Lower case, each once, and host names only (RFC 1123): a certificate can contain nothing else. */
function hostNames(names: readonly string[]): string[] {
  const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
  const isHostName = (name: string) => name.length <= 253 && name.split('.').every((part) => label.test(part))
  return [...new Set(names.map(normal))].filter((name) => isHostName(name) && isIP(name) === 0)
}

function normal(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

function networkAndMask(network: string, prefix: number): Uint8Array {
  const address =
    isIP(network) === 4
      ? network.split('.').map(Number)
      : network.split(':').flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
  const mask = address.map((_, i) => (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * i))) & 0xff)
  return Uint8Array.from([...address, ...mask])
}

function subtree(tagNumber: number, value: Uint8Array): Sequence {
  const base = new Primitive({ idBlock: { tagClass: 3, tagNumber }, valueHex: new Uint8Array(value).buffer })
  return new Sequence({ value: [base] })
}

function contextTag(tagNumber: number, value: Sequence[]): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber }, value })
}

function childrenOf(block: unknown): unknown[] {
  return block instanceof Constructed ? block.valueBlock.value : []
}

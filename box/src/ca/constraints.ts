/**
 * What the box's authority can vouch for: names and addresses of a local network. Written into its certificate as
 * critical name constraints (RFC 5280, 4.2.1.10), so that whoever steals its key cannot use it, against the people
 * who installed it on their phones, to pose as a site on the internet.
 */
import { BlockList, isIP } from 'node:net'
import { Constructed, fromBER, Primitive, Sequence } from 'asn1js'

/** What a machine is called and where it is reached. Addresses without a zone or a prefix length. */
export type Machine = { names: readonly string[]; addresses: readonly string[] }

/** What of a machine can stand in a certificate, in normal form, and what cannot, as it was given. */
export type Permitted = { names: string[]; addresses: string[]; leftOut: string[] }

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

/** The value of a certificate's name constraints: the local names and networks, and the machine's own host name. */
export function encodeConstraints(hostname: string): ArrayBuffer {
  const names = new Set([...LOCAL_NAMES, ...hostNames([hostname])])
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
 * Splits what a machine answers to into what may stand in its certificate and what may not. One name or address
 * outside the constraints would make every client refuse the whole certificate, so it is left out and named.
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
  // An IPv4 address in IPv6 clothing would match a network below, and then sit in the certificate as 16 bytes.
  if (address.startsWith('::ffff:')) return false
  const family = isIP(address)
  return family !== 0 && !address.includes('%') && LOCAL.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const LOCAL = new BlockList()
for (const [network, prefix] of LOCAL_NETWORKS) LOCAL.addSubnet(network, prefix, isIP(network) === 4 ? 'ipv4' : 'ipv6')

/** Lower case, each once, and only what is a host name (RFC 1123): a certificate takes nothing else. */
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

/** The names and addresses of this machine. */

import { hostname, networkInterfaces } from 'node:os'
import type { Machine } from '../ca/constraints.ts'
import { hostInUrl } from '../listen.ts'

/**
 * @param publicHost the operator's own name for the box, a host name or an address
 * @param publicName the name of its publicly trusted certificate
 */
export function thisMachine(publicHost: string | undefined, publicName?: string): Machine {
  const name = hostname()
  const local = name.includes('.') ? [] : [`${name}.local`]
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  const isAddress = publicHost !== undefined && /^[\d.]+$|:/.test(publicHost)
  return {
    names: [
      ...(publicName === undefined ? [] : [publicName]),
      ...(publicHost && !isAddress && publicHost !== publicName ? [publicHost] : []),
      ...['localhost', name, ...local],
    ],
    addresses: [...new Set([...(publicHost && isAddress ? [publicHost] : []), ...addresses])],
  }
}

/** The host in invites: the operator's setting, else an address that phones on the same network can reach, else the host name. */
export function reachableHost(publicHost: string | undefined): string {
  if (publicHost !== undefined) return hostInUrl(publicHost)
  return outwardAddresses().find(isPrivate) ?? 'localhost'
}

/** IPv4 addresses of this machine in its networks, those of a private network first. */
export function outwardAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const outward = all.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : []))
  return [...outward.filter(isPrivate), ...outward.filter((address) => !isPrivate(address))]
}

/** The sentence for an operator whose invites no other device can open; undefined where they can. */
export function unreachableHost(host: string): string | undefined {
  if (host !== 'localhost' && !host.startsWith('127.') && host !== '[::1]') return undefined
  return `This link names ${host}, which only this machine can open: connect it to the network of the phones, or set GATEHOUSE_PUBLIC_HOST.`
}

/** RFC 1918: the authority may certify these, so that a phone accepts the certificate. */
function isPrivate(address: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address)
}

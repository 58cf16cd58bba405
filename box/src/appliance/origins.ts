/** The HTTPS origins of a box, as far as it knows them. Pure. */
import { isIPv6 } from 'node:net'
import type { Machine } from '../ca/constraints.ts'

export interface Reached {
  machine: Machine
  /** The Host header of the request. */
  asked: string | undefined
  /** The host in invites. */
  usual: string
  port: number
}

/**
 * `https://gatehouse.local`, `https://192.168.1.10:8443`: first the one of the request, if it is one
 * of the box's own; then the one of the invites, the names, the addresses.
 */
export function originsOf({ machine, asked, usual, port }: Reached): string[] {
  const own = [...machine.names.filter(isOutward), ...machine.addresses.filter(isOutward)]
  const name = nameIn(asked)
  const hosts = [...(name !== undefined && own.includes(name) ? [name] : []), unbracketed(usual), ...own]
  const tail = port === 443 ? '' : `:${port}`
  return [...new Set(hosts)].map((host) => `https://${isIPv6(host) ? `[${host}]` : host}${tail}`)
}

/** Leaves out loopback and link-local addresses, and names without a dot, which other devices cannot resolve. */
function isOutward(host: string): boolean {
  if (isIPv6(host)) return host !== '::1' && !/^fe80:/i.test(host)
  return host.includes('.') && !host.startsWith('127.')
}

function nameIn(host: string | undefined): string | undefined {
  return host === undefined ? undefined : unbracketed(host.replace(/:\d+$/, '')).toLowerCase()
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

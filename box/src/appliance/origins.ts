/** Where a box is reached over HTTPS, as far as it knows itself. Pure. */
import { isIPv6 } from 'node:net'
import type { Machine } from '../ca/constraints.ts'

export interface Reached {
  machine: Machine
  /** The Host header of whoever asks. */
  asked: string | undefined
  /** What invites name. */
  usual: string
  port: number
}

/**
 * `https://gatehouse.local`, `https://192.168.1.10:8443`: first the one by which whoever asks has found the box, when it is one
 * of its own; then the one of the invites, its names, its addresses.
 */
export function originsOf({ machine, asked, usual, port }: Reached): string[] {
  const own = [...machine.names.filter(isOutward), ...machine.addresses.filter(isOutward)]
  const name = nameIn(asked)
  const hosts = [...(name !== undefined && own.includes(name) ? [name] : []), unbracketed(usual), ...own]
  const tail = port === 443 ? '' : `:${port}`
  return [...new Set(hosts)].map((host) => `https://${isIPv6(host) ? `[${host}]` : host}${tail}`)
}

/** Neither this machine alone, nor an address that holds on one cable only. A name without a dot, other devices do not find. */
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

/** The network that an address belongs to, for limits: the owner of one IPv6 address has all 2^64 of its network. */
import { isIPv6 } from 'node:net'

/** @returns an IPv4 address as it is, also in its IPv6 form; of an IPv6 address its /64; anything else unchanged */
export function networkOf(address: string): string {
  const [, v4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (v4 !== undefined) return v4
  if (!isIPv6(address)) return address
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}

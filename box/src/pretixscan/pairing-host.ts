/** The host in the QR code of a pairing: it decides whether the app accepts the box's certificate. Pure. */
import { isIPv4 } from 'node:net'
import type { PretixScanMode } from '../ledger/schema.ts'

export interface Hosts {
  /** The operator's setting: a name or an address. */
  publicHost: string | undefined
  /** The name of the publicly trusted certificate, while it holds. */
  publicName: string | undefined
  /** The host of every other link of this box, as it stands in a URL. */
  usual: string
  /** IPv4 addresses of this machine that others may reach. */
  addresses: readonly string[]
}

/**
 * Android and the desktop app take any certificate for an IPv4 address, and none of the box's own for a name. Plain mode is for iOS too,
 * which wants a certificate that it trusts: there a name counts, and most of all the one that every phone trusts.
 * @returns `127.0.0.1` where the machine has no address yet: only an app on the same machine reaches that
 */
export function pairingHost(mode: PretixScanMode, { publicHost, publicName, usual, addresses }: Hosts): string {
  const named = mode === 'plain' ? (publicName ?? publicHost) : undefined
  if (named !== undefined) return named === publicHost ? usual : named
  if (publicHost !== undefined && isIPv4(publicHost)) return publicHost
  if (isIPv4(usual)) return usual
  return addresses[0] ?? '127.0.0.1'
}

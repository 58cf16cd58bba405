/**
 * The announcement of a box about itself, as the TXT record of its service. Nothing in one is to be trusted: whoever shares the network
 * can announce any box with any fingerprint, answer for the name of a real one, or send its goodbye.
 */
import { isIP } from 'node:net'
import type { Service } from 'bonjour-service'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { hostInUrl } from '../../listen.ts'

/** The type of the service, `_gatehouse._tcp`. */
export const SERVICE = 'gatehouse'
const MOST_ADDRESSES = 16

export interface Ports {
  http: number
  https: number
  device: number
}

export interface Advertisement {
  boxId: string
  eventId: string
  /** For people. It is cut to what a DNS label can hold beside the box id, which distinguishes two boxes of one name. */
  name: string
  ports: Ports
  /** `sha256:<64 hex>` of the CA certificate. */
  caFingerprint: string
}

/** An announcement on the network: well-formed, and possibly false. */
export interface FoundBox extends Advertisement {
  /** IPv4 and IPv6, first the one that the answer came from. */
  addresses: string[]
}

/** URLs of its HTTPS listener. */
export function urlsOf({ addresses, ports }: Pick<FoundBox, 'addresses' | 'ports'>): string[] {
  return addresses.map((address) => `https://${hostInUrl(address)}:${ports.https}`)
}

const Port = Type.Refine(Type.String(), (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536)
const Txt = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,40}$' }),
  event: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  // Printed on a terminal: it must have no control characters.
  name: Type.Refine(Type.String({ maxLength: 63 }), (text) => !/\p{C}/u.test(text)),
  fp: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  http: Port,
  https: Port,
  device: Port,
})

/** Undefined for a service whose record is malformed. */
export function readAnnouncement({ txt, referer, addresses = [] }: Service): FoundBox | undefined {
  if (!Value.Check(Txt, txt)) return undefined
  const { id, event, name, fp, http, https, device } = txt
  const reached = new Set([referer?.address ?? '', ...addresses].filter((address) => isIP(address) !== 0))
  return {
    boxId: id,
    eventId: event,
    name,
    ports: { http: Number(http), https: Number(https), device: Number(device) },
    caFingerprint: fp,
    addresses: [...reached].slice(0, MOST_ADDRESSES),
  }
}

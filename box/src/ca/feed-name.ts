/**
 * The name of a box in the certificate of its feed: a URI among the alternative names. Scanners have certificates of the
 * same authority, and none of them has such a name.
 */
import type { X509Certificate } from 'node:crypto'

export interface FeedName {
  readonly event: string
  readonly box: string
  /** Verifier key of its seals, which the authority certifies as well. */
  readonly verifierKey: string
}

const PREFIX = 'gatehouse://box/?'

export function feedNameUri({ event, box, verifierKey }: FeedName): string {
  return PREFIX + new URLSearchParams({ event, box, key: verifierKey })
}

/** @returns undefined for any other certificate */
export function feedNameOf({ subjectAltName }: Pick<X509Certificate, 'subjectAltName'>): FeedName | undefined {
  // Exactly one name is accepted: an attacker might have put several into one certificate.
  if (!subjectAltName?.startsWith(`URI:${PREFIX}`)) return undefined
  const query = new URLSearchParams(subjectAltName.slice(`URI:${PREFIX}`.length))
  const [event, box, verifierKey] = ['event', 'box', 'key'].map((name) => query.get(name))
  if (!event || !verifierKey || !/^[A-Za-z0-9_-]{1,64}$/.test(box ?? '')) return undefined
  return { event, box: box ?? '', verifierKey }
}

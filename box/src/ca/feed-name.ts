/**
 * How a box's own certificate for its feed says who it is: a URI among its alternative names. Scanners have certificates of the
 * same authority, and none of them has such a name.
 */
import type { X509Certificate } from 'node:crypto'

export interface FeedName {
  readonly event: string
  readonly box: string
  /** What its seals are checked with: the authority vouches for this, too. */
  readonly verifierKey: string
}

const PREFIX = 'gatehouse://box/?'

export function feedNameUri({ event, box, verifierKey }: FeedName): string {
  return PREFIX + new URLSearchParams({ event, box, key: verifierKey })
}

/** @returns undefined for a certificate that is not of a box's feed */
export function feedNameOf({ subjectAltName }: Pick<X509Certificate, 'subjectAltName'>): FeedName | undefined {
  // One name and no other: nothing is to be found by splitting what somebody else may have put together.
  if (!subjectAltName?.startsWith(`URI:${PREFIX}`)) return undefined
  const query = new URLSearchParams(subjectAltName.slice(`URI:${PREFIX}`.length))
  const [event, box, verifierKey] = ['event', 'box', 'key'].map((name) => query.get(name))
  if (!event || !verifierKey || !/^[A-Za-z0-9_-]{1,64}$/.test(box ?? '')) return undefined
  return { event, box: box ?? '', verifierKey }
}

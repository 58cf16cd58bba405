/**
 * Which box a certificate is of. The handshake has shown that the other side has its key, and that one of the authorities that
 * were added has issued it; which of them, and what it says there, is found here. Pure.
 */
import { X509Certificate } from 'node:crypto'
import { type FeedName, feedNameOf } from '../ca/feed-name.ts'

export interface AddedBox {
  /** What the organiser calls it. */
  readonly name: string
  /** PEM. */
  readonly ca: string
  /** What its certificate said first; null until then. */
  readonly box: string | null
  readonly event: string | null
  readonly verifierKey: string | null
}

export type Who =
  | { readonly ok: true; readonly added: AddedBox; readonly shown: FeedName }
  /** `added` where the authority is known, and only what it vouches for is not. */
  | { readonly ok: false; readonly reason: string; readonly added?: AddedBox }

/** @param now unix ms: a connection may outlive the certificate that it began with */
export function whoIs(certificate: X509Certificate, added: readonly AddedBox[], now: number): Who {
  const own = added.find(({ ca }) => {
    const authority = new X509Certificate(ca)
    // The names first: they cost nothing. Two authorities may bear the same one.
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
  })
  if (!own) return { ok: false, reason: 'This certificate is of no box that HQ knows: add the box again with its CA.' }
  const no = (reason: string): Who => ({ ok: false, reason, added: own })
  if (certificate.validToDate.getTime() <= now)
    return no('The certificate of this box has expired: is its clock right?')
  const shown = feedNameOf(certificate)
  if (!shown) return no("This is no certificate of a box's feed, such as the box makes for itself.")
  const { box, event, verifierKey } = own
  if (box !== null && box !== shown.box) {
    return no(
      `HQ knows ${own.name} as ${box}, and this is ${shown.box}: a new ledger is a new box. Remove ${own.name}, and add it under another name.`,
    )
  }
  if ((event !== null && event !== shown.event) || (verifierKey !== null && verifierKey !== shown.verifierKey)) {
    return no(`${own.name} has another event or signing key than HQ knows of ${shown.box}: is this its ledger?`)
  }
  return { ok: true, added: own, shown }
}

/**
 * Finds the box that a certificate belongs to. The handshake has shown that the peer has its key, and that an added authority
 * has issued it; which one, and for which box, is found here. Pure.
 */
import { X509Certificate } from 'node:crypto'
import { type FeedName, feedNameOf } from '../ca/feed-name.ts'

export interface AddedBox {
  /** The organiser's name for it. */
  readonly name: string
  /** PEM. */
  readonly ca: string
  /** From its first certificate; null until then. */
  readonly box: string | null
  readonly event: string | null
  readonly verifierKey: string | null
}

export type Sender =
  | { readonly ok: true; readonly added: AddedBox; readonly shown: FeedName }
  /** `added` where the authority is known, and only the certificate's contents are wrong. */
  | { readonly ok: false; readonly reason: string; readonly added?: AddedBox }

/** @param now unix ms: a connection may outlive the certificate that it began with */
export function senderOf(certificate: X509Certificate, added: readonly AddedBox[], now: number): Sender {
  const own = added.find(({ ca }) => {
    const authority = new X509Certificate(ca)
    // Names are compared first, which is cheap; two authorities may have the same one.
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
  })
  if (!own) return { ok: false, reason: 'This certificate is of no box that HQ knows: add the box again with its CA.' }
  const no = (reason: string): Sender => ({ ok: false, reason, added: own })
  if (certificate.validToDate.getTime() <= now)
    return no('The certificate of this box has expired: is its clock right?')
  const shown = feedNameOf(certificate)
  if (!shown) return no("This is not a certificate of a box's feed, such as the box makes for itself.")
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

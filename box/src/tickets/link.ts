/**
 * A ticket's link: `<wallet>#t=<ticket id>&k=<verifier key>`. Browsers send nothing after the `#` to a server, so only the wallet
 * reads it.
 */
export function ticketLink(link: { walletUrl: string; ticketId: string; verifierKey: string }): string {
  const url = new URL(link.walletUrl)
  url.hash = new URLSearchParams({ t: link.ticketId, k: link.verifierKey }).toString()
  return url.href
}

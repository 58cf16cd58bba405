/**
 * A ticket's link: `<wallet>#t=<ticket id>&k=<verifier key>`. What stands after the `#` is for the wallet alone; no browser
 * sends it to any server.
 */
export function ticketLink(link: { walletUrl: string; ticketId: string; verifierKey: string }): string {
  const url = new URL(link.walletUrl)
  url.hash = new URLSearchParams({ t: link.ticketId, k: link.verifierKey }).toString()
  return url.href
}

/**
 * A request names one host, or none (RFC 9112, 3.2). Node reads the first of two `Host` lines, and a proxy or a cache in front of the
 * box may read the other: the two would disagree about which site was asked, and with signed requests about what was signed.
 */

/** Node leaves out the lines after the 2,000th, and one of them could be a second `Host`. No client sends as many as this. */
const MOST_LINES = 500

/** @param rawHeaders of an `IncomingMessage`: names and values in turn @returns whether the request may be answered */
export function namesOneHost(rawHeaders: readonly string[]): boolean {
  if (rawHeaders.length > 2 * MOST_LINES) return false
  let lines = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') lines++
  }
  return lines < 2
}

/** The same for HTTP/2. @param hosts `host` fields beside the pseudo-header `:authority`, which may repeat it (RFC 9113, 8.3.1) */
export function isItsHost(authority: string, hosts: readonly string[]): boolean {
  return hosts.every((host) => host.toLowerCase() === authority.toLowerCase())
}

/**
 * Claims. A claim binds a ticket to one phone: the phone's key replaces the seed, which everybody with the link has. Its proof
 * shows that the phone has the private half of the public key, for this ticket and no other.
 */

/** The bytes that a claim's proof signs: `gatehouse/claim/v1`, NUL, the ticket id. */
export function claimBytes(ticketId: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`gatehouse/claim/v1\0${ticketId}`)
}

/** Tickets that are shown before their shop has delivered them, with a code that the shop's key has signed. */
export class LateTickets {
  /**
   * Set while a shop is followed that signs its codes. Resolves when a code that is good, and known to nobody here, has become a ticket;
   * undefined at once for every other code.
   * @param code as it was shown: an attacker controls every byte
   */
  bring: (code: string) => Promise<void> | undefined = () => undefined
}

/**
 * Releases reservations that this box abandoned. A box that loses its power between reserving and writing has admitted nobody, but
 * every other gate reads that it has, and only the box itself can tell. After each start it looks through its reservations once
 * and releases those that its journal does not know.
 */
import { isAdmittedHere, type ReplayContext } from './replay.ts'

export class AbandonedReservations {
  /** Identity of the stream that was looked through, or is. */
  #identity: string | undefined
  #next = 1
  #isDone = false

  isDone(identity: string): boolean {
    return this.#isDone && this.#identity === identity
  }

  /** Queues what is to be released. @throws where the voters no longer answer; the next run goes on from there */
  async run({ boxId, stream, ledger, tickets, queue, locks }: ReplayContext, identity: string): Promise<void> {
    if (this.#identity !== identity) {
      this.#identity = identity
      this.#next = 1
      this.#isDone = false
    }
    for await (const { reservations, next } of stream.reservationsOf(boxId, this.#next)) {
      const abandoned = reservations.flatMap(({ right, scan_id: scanId }) => {
        return right && !isAdmittedHere(scanId, right, tickets) ? [{ right, scanId }] : []
      })
      if (abandoned.length > 0) {
        await ledger.commit(() => {
          for (const { right, scanId } of abandoned) {
            const letGo = locks.tryHold(right)
            letGo?.()
            // Held by a scan of this moment, which is being written down or takes the right over.
            if (!letGo || isAdmittedHere(scanId, right, tickets)) continue
            queue.putNew({ scanId, ticketRef: right.ticket, slot: right.slot, entry: ledger.size })
          }
        })
      }
      this.#next = next
    }
    this.#isDone = true
  }
}

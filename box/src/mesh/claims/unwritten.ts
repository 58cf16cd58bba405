/**
 * A box that loses its power between asking and writing has admitted nobody, and every other gate reads that it has: only the box
 * itself can tell. After each start it looks through its claims once, and gives back what its journal does not know.
 */
import { isWritten, type Telling } from './replay.ts'

export class Unwritten {
  /** Which stream was looked through, or is. */
  #identity: string | undefined
  #next = 1
  #isDone = false

  isDone(identity: string): boolean {
    return this.#isDone && this.#identity === identity
  }

  /** Puts into the queue what is to be given back. @throws where the voters no longer answer: the next run goes on from there */
  async run({ boxId, stream, ledger, tickets, queue, hold }: Telling, identity: string): Promise<void> {
    if (this.#identity !== identity) {
      this.#identity = identity
      this.#next = 1
      this.#isDone = false
    }
    for await (const { claims, next } of stream.naming(boxId, this.#next)) {
      const unwritten = claims.flatMap(({ right, scan_id: scanId }) => {
        return right && !isWritten(scanId, right, tickets) ? [{ right, scanId }] : []
      })
      if (unwritten.length > 0) {
        await ledger.commit(() => {
          for (const { right, scanId } of unwritten) {
            const free = hold(right)
            free?.()
            // Held: a scan of this moment, which is being written down or takes the right over.
            if (!free || isWritten(scanId, right, tickets)) continue
            queue.putNew({ scanId, ticketRef: right.ticket, slot: right.slot, entry: ledger.size })
          }
        })
      }
      this.#next = next
    }
    this.#isDone = true
  }
}

/** Rights that a scan at this box is reserving, or has reserved and not yet written down. Each has one such scan at a time. */
import type { Right } from '../../rights/reservation.ts'

export class RightLocks {
  readonly #held = new Map<string, Promise<void>>()

  /** Resolves when the scan that has the right is done with it; undefined where none has it. */
  released(right: Right): Promise<void> | undefined {
    return this.#held.get(keyOf(right))
  }

  /** @returns a function that lets go of the right; undefined while another scan has it */
  tryHold(right: Right): (() => void) | undefined {
    const key = keyOf(right)
    if (this.#held.has(key)) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held.set(key, promise)
    return () => {
      this.#held.delete(key)
      resolve()
    }
  }
}

function keyOf({ ticket, slot }: Right): string {
  return `${ticket} ${slot}`
}

/** Acknowledgements on their way to the server: remembered first, and not more often than once a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lsn } from '../../lsn.ts'

const PAUSE_MS = 1000

export class Progress {
  readonly #remember: (end: Lsn) => Promise<void>
  readonly #tell: (end: Lsn) => void
  #wanted: Lsn = 0n
  #done: Lsn = 0n
  #working: Promise<void> | undefined
  /** The furthest that was ever to be remembered. */
  #furthest: Lsn = 0n
  #writing: Promise<void> = Promise.resolve()
  readonly #hurry = new AbortController()

  /**
   * @param remember writes it down, so that the slot is known again, and never rejects; has to be done before the server hears of it
   * @param tell the server
   */
  constructor(remember: (end: Lsn) => Promise<void>, tell: (end: Lsn) => void) {
    this.#remember = remember
    this.#tell = tell
  }

  /** How far the server may know. */
  get remembered(): Lsn {
    return this.#done
  }

  /** The server itself stands at `end`: remembered too. After a crash that may be less than it was told. */
  begin(end: Lsn): Promise<void> {
    if (end > this.#done) this.#done = end
    if (end > this.#wanted) this.#wanted = end
    return this.#write(this.#done)
  }

  acknowledge(end: Lsn): void {
    if (end <= this.#wanted) return
    this.#wanted = end
    this.#working ??= this.#work()
  }

  /** Everything that was acknowledged is with the server, or on its way. */
  async flush(): Promise<void> {
    this.#hurry.abort()
    await this.#working
  }

  async #work(): Promise<void> {
    while (this.#done < this.#wanted) {
      const end = this.#wanted
      await this.#write(end)
      if (end > this.#done) this.#done = end
      this.#tell(end)
      if (!this.#hurry.signal.aborted) {
        await sleep(PAUSE_MS, undefined, { ref: false, signal: this.#hurry.signal }).catch(() => {})
      }
    }
    this.#working = undefined
  }

  /** One after the other, and never less than before: an older end that is written last would be behind what the server knows. */
  #write(end: Lsn): Promise<void> {
    if (end > this.#furthest) this.#furthest = end
    this.#writing = this.#writing.then(() => this.#remember(this.#furthest))
    return this.#writing
  }
}

/** Acknowledgements on their way to the server: written to the slot file first, and at most once a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lsn } from '../../lsn.ts'

const PAUSE_MS = 1000

export class Progress {
  readonly #remember: (end: Lsn) => Promise<void>
  readonly #report: (end: Lsn) => void
  #wanted: Lsn = 0n
  #done: Lsn = 0n
  #working: Promise<void> | undefined
  /** The furthest end that was ever to be remembered. */
  #furthest: Lsn = 0n
  #writing: Promise<void> = Promise.resolve()
  readonly #hurry = new AbortController()

  /**
   * @param remember writes it to the slot file before the server learns of it, and never rejects
   * @param report sends it to the server
   */
  constructor(remember: (end: Lsn) => Promise<void>, report: (end: Lsn) => void) {
    this.#remember = remember
    this.#report = report
  }

  /** The position up to which the server may be acknowledged. */
  get remembered(): Lsn {
    return this.#done
  }

  /** The slot is at `end` on the server, which after a crash may be less than was acknowledged. */
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

  /** Resolves when everything that was acknowledged is sent to the server. */
  async flush(): Promise<void> {
    this.#hurry.abort()
    await this.#working
  }

  async #work(): Promise<void> {
    while (this.#done < this.#wanted) {
      const end = this.#wanted
      await this.#write(end)
      if (end > this.#done) this.#done = end
      this.#report(end)
      if (!this.#hurry.signal.aborted) {
        await sleep(PAUSE_MS, undefined, { ref: false, signal: this.#hurry.signal }).catch(() => {})
      }
    }
    this.#working = undefined
  }

  /** One after the other, and never less than before: the file must not fall behind the slot on the server. */
  #write(end: Lsn): Promise<void> {
    if (end > this.#furthest) this.#furthest = end
    this.#writing = this.#writing.then(() => this.#remember(this.#furthest))
    return this.#writing
  }
}

/**
 * The largest batch that a sink is given, in bytes. It is halved when the receiver finds a batch too large, and doubles after
 * some batches that were taken: the receiver may have been another one for a while, behind the same address. A limit that
 * turns out to be the receiver's is tried more and more rarely, since every try costs one failed delivery.
 */
const FIRST_TRY = 16
const RAREST_TRY = 4096

export class BatchLimit {
  readonly #most: number
  #bytes: number
  #taken = 0
  #tryAfter = FIRST_TRY
  /** The limit was doubled, and nothing was refused since. */
  #tried = false

  /** @param most bytes of the largest batch that is ever made */
  constructor(most: number) {
    this.#most = most
    this.#bytes = most
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The receiver found a batch of so many bytes too large. */
  refused(bytes: number): void {
    if (this.#tried) this.#tryAfter = Math.min(RAREST_TRY, 2 * this.#tryAfter)
    this.#tried = false
    this.#taken = 0
    this.#bytes = Math.min(this.#bytes, Math.ceil(bytes / 2))
  }

  /** The receiver took a batch. */
  taken(): void {
    if (this.#bytes >= this.#most || ++this.#taken < this.#tryAfter) return
    this.#taken = 0
    this.#tried = true
    this.#bytes = Math.min(this.#most, 2 * this.#bytes)
  }
}

/** Whether the voters answer, and whether the stream is still the one that it was: a write that only this box makes. */
import type { Hearing } from './claims.ts'
import { sha256 } from './names.ts'
import type { ClaimStream, Patience } from './stream.ts'

/** Said twice before it is given up: a box knows within a second that it is alone. */
const BRIEF: Patience = { firstMs: 300, againMs: 300 }
const READ_MS = 300

export class Probe {
  readonly #stream: ClaimStream
  readonly #subject: string
  readonly #mayMake: boolean
  #identity: string | undefined
  /** Where this box's last probe stands; undefined when that has to be read. */
  #last: number | undefined
  /** The last one that was acknowledged. */
  #acknowledged = 0
  #asked = 0

  constructor(stream: ClaimStream, box: string, { mayMake }: { mayMake: boolean }) {
    this.#stream = stream
    this.#subject = stream.names.probeOf(box)
    this.#mayMake = mayMake
  }

  /** What the stream is; undefined until it was found, and when it may be another one. */
  get identity(): string | undefined {
    return this.#identity
  }

  /** @param onLoss called when the stream no longer has what it had acknowledged */
  async ask(hearing: Pick<Hearing, 'answered' | 'silence'>, onLoss: () => void): Promise<void> {
    this.#identity ??= await this.#stream.open({ mayMake: this.#mayMake })
    if (this.#identity === undefined) return hearing.silence()
    this.#last ??= await this.#read()
    if (this.#last === undefined) return hearing.silence()
    const expected = this.#last
    if (expected < this.#acknowledged) {
      this.#acknowledged = 0
      onLoss()
    }
    const attempt = { body: new Uint8Array(), id: sha256(`${this.#subject} ${expected} ${this.#asked++}`), expected }
    const written = await this.#stream.write(this.#subject, attempt, BRIEF, () => hearing.silence())
    if (written.outcome === 'written') {
      this.#last = this.#acknowledged = written.sequence
      return hearing.answered()
    }
    // Carried out late, lost, or another stream by now: what stands there says which.
    this.#last = undefined
    this.#identity = undefined
  }

  async #read(): Promise<number | undefined> {
    const last = await this.#stream.last(this.#subject, READ_MS)
    return last === 'unheard' ? undefined : last === 'nothing' ? 0 : last.sequence
  }
}

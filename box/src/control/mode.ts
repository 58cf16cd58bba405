/** The consistency mode: `STRICT` while this box hears every other one, `DEGRADED` when it may not. */

import type { By } from '../http/actor.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'

export type Mode = 'STRICT' | 'DEGRADED'

/** Which box of the mesh said so is known: its own journal says it. */
const MESH = 'mesh'

/**
 * The mode as the journal has it, and whether an admin has forced it. A box alone hears everybody there is; only an admin can
 * say otherwise. A box with others finds out by itself, and an admin can force `DEGRADED` alone. Survives a restart.
 */
export class ModeSwitch {
  readonly #ledger: Ledger
  #mode: Mode
  #forced: boolean
  /** Whether there are others, and who is heard decides. */
  #isWatched = false

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    ;({ mode: this.#mode, forced: this.#forced } = this.#read())
    ledger.subscribe((entries) => {
      if (!entries.some((entry) => entry.kind === 'mode')) return
      ;({ mode: this.#mode, forced: this.#forced } = this.#read())
    })
  }

  get mode(): Mode {
    return this.#mode
  }

  /** Whether an admin has said that somebody cannot be heard, and nobody has taken it back. */
  get forced(): boolean {
    return this.#forced
  }

  /** Whether, from now on, who is heard decides the mode: then lifting a force does not by itself change it. */
  watched(is: boolean): void {
    this.#isWatched = is
  }

  /** Forces DEGRADED, or lifts that, with the name of whoever did and why. */
  force(mode: Mode, by: By, reason: string): Promise<void> {
    const forced = mode === 'DEGRADED'
    return this.#ledger.commit(() => {
      const becomes = forced || !this.#isWatched ? mode : this.#mode
      this.#ledger.append('mode', { ...by, mode: becomes, reason, ...(this.#isWatched && { forced }) })
      this.#put(becomes, forced)
    })
  }

  /** The box has found out by itself. */
  become(mode: Mode, reason: string): Promise<void> {
    return this.#ledger.commit(() => {
      if (mode === this.#mode) return
      this.#ledger.append('mode', { actor: MESH, mode, reason })
      this.#put(mode, this.#forced)
    })
  }

  #put(mode: Mode, forced: boolean): void {
    writeValue(this.#ledger.db, 'mode', Buffer.from(mode))
    writeValue(this.#ledger.db, 'mode_forced', Buffer.from(forced ? 'yes' : 'no'))
  }

  #read(): { mode: Mode; forced: boolean } {
    const degraded = readValue(this.#ledger.db, 'mode')?.toString() === 'DEGRADED'
    const forced = readValue(this.#ledger.db, 'mode_forced')?.toString()
    // A ledger of before there were several boxes knows no other reason.
    return { mode: degraded ? 'DEGRADED' : 'STRICT', forced: forced === undefined ? degraded : forced === 'yes' }
  }
}

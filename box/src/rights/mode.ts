/** The consistency mode: `STRICT` while every other box can be reached, `DEGRADED` while one may admit people unseen. */

import type { By } from '../ca/actor.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'

export type Mode = 'STRICT' | 'DEGRADED'

/** Another box that does not answer now, and so may admit people without this one's knowledge. */
export interface UnreachablePeer {
  name: string
  /** Milliseconds since its last answer; null when it has not answered since this box started. */
  ms: number | null
}

/** The actor of an automatic change. It needs no box id, because the entry is in the box's own journal. */
const MESH = 'mesh'

/**
 * The mode as the journal has it, and whether an admin has forced it. A box without others is STRICT unless an admin forces
 * DEGRADED. A box with others determines its mode, and an admin can only force DEGRADED. Survives a
 * restart.
 */
export class ModeSwitch {
  readonly #ledger: Ledger
  #mode: Mode
  #forced: boolean
  /** There are other boxes: whether they can be reached decides the mode. */
  #isAutomatic = false

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    ;({ mode: this.#mode, forced: this.#forced } = this.#read())
    ledger.subscribe('committed', (entries) => {
      if (!entries.some((entry) => entry.kind === 'mode')) return
      ;({ mode: this.#mode, forced: this.#forced } = this.#read())
    })
  }

  get mode(): Mode {
    return this.#mode
  }

  /** True while an admin has forced DEGRADED. */
  get forced(): boolean {
    return this.#forced
  }

  /** While automatic, lifting a forced DEGRADED leaves the mode as it is until the box finds that it may change. */
  setAutomatic(isAutomatic: boolean): void {
    this.#isAutomatic = isAutomatic
  }

  /** An admin forces DEGRADED, or lifts that. */
  force(mode: Mode, by: By, reason: string): Promise<void> {
    const forced = mode === 'DEGRADED'
    return this.#ledger.commit(() => {
      const becomes = forced || !this.#isAutomatic ? mode : this.#mode
      this.#ledger.append('mode', { ...by, mode: becomes, reason, ...(this.#isAutomatic && { forced }) })
      this.#put(becomes, forced)
    })
  }

  /** Changes the mode automatically. */
  change(mode: Mode, reason: string): Promise<void> {
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
    // A ledger from before there were several boxes has no such value: there, only an admin could cause DEGRADED.
    return { mode: degraded ? 'DEGRADED' : 'STRICT', forced: forced === undefined ? degraded : forced === 'yes' }
  }
}

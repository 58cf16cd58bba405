/** The consistency mode: `STRICT` while this box hears every other one, `DEGRADED` when it may not. */

import type { By } from '../http/actor.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'

export type Mode = 'STRICT' | 'DEGRADED'

/** A box alone hears everybody there is; only an admin can say otherwise. Survives a restart. */
export class ModeSwitch {
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#mode = this.#read()
    ledger.subscribe((entries) => {
      if (entries.some((entry) => entry.kind === 'mode')) this.#mode = this.#read()
    })
  }

  #mode: Mode

  get mode(): Mode {
    return this.#mode
  }

  /** Forces a mode, with the name of whoever did and why. */
  force(mode: Mode, by: By, reason: string): Promise<void> {
    return this.#ledger.commit(() => {
      this.#ledger.append('mode', { ...by, mode, reason })
      writeValue(this.#ledger.db, 'mode', Buffer.from(mode))
    })
  }

  #read(): Mode {
    return readValue(this.#ledger.db, 'mode')?.toString() === 'DEGRADED' ? 'DEGRADED' : 'STRICT'
  }
}

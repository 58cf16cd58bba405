/** Actions of a supervisor at a desk. */

import { supervisorAdmit } from '../../../src/scan/supervise.ts'
import { undo } from '../../../src/scan/undo.ts'
import type { Desk } from '../../world/desk.ts'

export class Supervision {
  readonly #desk: Desk

  constructor(desk: Desk) {
    this.#desk = desk
  }

  async admit(scanId: string): Promise<void> {
    this.#desk.now += 1_000
    await supervisorAdmit(
      scanId,
      { actor: 'Sam', reason: 'guest of the band' },
      this.#device(),
      this.#desk.deps as never,
    )
  }

  async undo(scanId: string): Promise<void> {
    this.#desk.now += 1_000
    await undo(scanId, { actor: 'Sam', reason: 'turned round' }, this.#device(), this.#desk.deps as never)
  }

  #device() {
    return this.#desk.device('d', true) as never
  }
}

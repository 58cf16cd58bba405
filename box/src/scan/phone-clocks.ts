/**
 * Tells a phone whose clock is wrong from a picture of a phone. Both show an old code. A picture shows the same slot again
 * and grows older; a phone that runs behind shows a new slot each time, and is always late by the same amount.
 */
import { freshness, slotAt } from '@gatehouse/proto/code.ts'
import type { ShownCode } from '../tickets/codes.ts'

/** Codes remembered: a full hour's queue of them; the oldest go first. */
const MAX_PHONES = 4096
/** The moment of a scan falls anywhere within a slot, so two ages of one clock may differ by a slot. */
const TOLERANCE_SLOTS = 1

export class PhoneClocks {
  /** By key: the slot last shown, and how many slots off it was. */
  readonly #last = new Map<string, { slot: number; off: number }>()

  /**
   * Notes what was shown.
   * @param at unix ms of the scan
   * @returns whether the same key has shown another slot before, off by the same amount
   */
  isSteady(code: ShownCode, at: number): boolean {
    if (code?.kind !== 'rotating') return false
    const off = slotAt(at) - code.slot
    const key = code.codeHash.toString('hex')
    const before = this.#last.get(key)
    // A code in its own time says that nothing is wrong with the clock that made it.
    if (freshness(code.slot, at, TOLERANCE_SLOTS).fresh) {
      this.#last.delete(key)
      return false
    }
    this.#last.delete(key)
    this.#last.set(key, { slot: code.slot, off })
    if (this.#last.size > MAX_PHONES) this.#last.delete(this.#last.keys().next().value ?? '')
    return before !== undefined && before.slot !== code.slot && Math.abs(before.off - off) <= TOLERANCE_SLOTS
  }
}

/**
 * Distinguishes a phone whose clock is wrong from a picture of a phone. Both show an old code. A picture shows the same
 * slot again and grows older; a phone that runs behind shows a new slot each time, always late by the same amount.
 */
import { freshness, slotAt } from '@gatehouse/proto/code.ts'
import type { ShownCode } from '../tickets/codes.ts'

/** Codes remembered: a full hour's queue. The oldest are dropped. */
const MAX_PHONES = 4096
/** A scan falls anywhere within a slot, so two ages by one clock may differ by a slot. */
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
    // A fresh code comes from a clock that is right.
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

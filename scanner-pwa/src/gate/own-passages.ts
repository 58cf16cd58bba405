/**
 * Passages that this device has let through and that the mirror does not contain yet: offline admissions, and answers of the box
 * until the next delta. The stream leaves out a device's own scans.
 */
import { compare, parse } from '@gatehouse/proto/hlc.ts'
import type { Use } from '../mirror/mirror.ts'
import { prefixOf } from '../mirror/prefixes.ts'

export interface OwnPassage {
  scanId: string
  codeHash: Uint8Array
  zone: string
  direction: 'in' | 'out'
  use: Use
  /** The box has the passage: it is forgotten once a mirror of that box is newer. */
  confirmed: boolean
  /** Origin of the box that has the passage. */
  by?: string
}

export class OwnPassages {
  readonly #byScan = new Map<string, OwnPassage>()
  /** By zone and prefix: scan ids, oldest first. */
  readonly #byCode = new Map<string, string[]>()

  /** @param stored as they were read from the device */
  constructor(stored: readonly OwnPassage[] = []) {
    for (const passage of stored) this.put(passage)
  }

  /** Adds a passage, or replaces the one of the same scan. */
  put(passage: OwnPassage): void {
    const key = keyOf(passage.codeHash, passage.zone)
    if (!this.#byScan.has(passage.scanId)) this.#byCode.set(key, [...(this.#byCode.get(key) ?? []), passage.scanId])
    this.#byScan.set(passage.scanId, passage)
  }

  /** The box at `by` has the passage. @returns the passage as it is now; undefined for one that is not known */
  confirm(scanId: string, hlc: string, by: string): OwnPassage | undefined {
    const passage = this.#byScan.get(scanId)
    if (!passage) return undefined
    const confirmed = { ...passage, use: { ...passage.use, hlc }, confirmed: true, by }
    this.put(confirmed)
    return confirmed
  }

  /** The passage was undone, or could not be stored. */
  remove(scanId: string): void {
    const passage = this.#byScan.get(scanId)
    if (!passage) return
    this.#byScan.delete(scanId)
    const key = keyOf(passage.codeHash, passage.zone)
    const rest = (this.#byCode.get(key) ?? []).filter((id) => id !== scanId)
    if (rest.length > 0) this.#byCode.set(key, rest)
    else this.#byCode.delete(key)
  }

  /** The last passage of this code through this zone. */
  find(codeHash: Uint8Array, zone: string): OwnPassage | undefined {
    return this.#byScan.get(this.#byCode.get(keyOf(codeHash, zone))?.at(-1) ?? '')
  }

  /** The last passage of this code into this zone, even if it has left since. */
  entry(codeHash: Uint8Array, zone: string): OwnPassage | undefined {
    const scanIds = this.#byCode.get(keyOf(codeHash, zone)) ?? []
    return scanIds.flatMap((id) => this.#byScan.get(id) ?? []).findLast(({ direction }) => direction === 'in')
  }

  /**
   * Forgets the passages that the mirror contains, because the mirror knows what they used up, which this device cannot know for
   * every kind of ticket. Passages of an earlier incarnation of the ledger stay, because the box may have lost them; passages
   * that another box has stay, because this one may not have received them.
   * @param mirror `life` is the beginning of the incarnation, unix seconds; `origin` that of its box
   * @returns the scan ids of the passages that were forgotten
   */
  forgetUpTo({ hlc, life, origin }: { hlc: string; life: number; origin: string }): string[] {
    const made = parse(hlc)
    const forgotten: string[] = []
    if (!made) return forgotten
    for (const { scanId, confirmed, use, by = origin } of [...this.#byScan.values()]) {
      const at = parse(use.hlc)
      if (!confirmed || by !== origin || !at || compare(at, made) > 0 || at.ms < life * 1000) continue
      this.remove(scanId)
      forgotten.push(scanId)
    }
    return forgotten
  }
}

function keyOf(codeHash: Uint8Array, zone: string): string {
  return `${prefixOf(codeHash)}/${zone}`
}

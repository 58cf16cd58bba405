/**
 * Whom this device let in or out and no mirror tells of yet: alone, or by an answer of the box that the next delta will
 * confirm. The stream leaves out what a device did itself.
 */
import { compare, parse } from '@gatehouse/proto/hlc.ts'
import type { Use } from './mirror.ts'
import { prefixOf } from './prefixes.ts'

export interface OwnPassage {
  scanId: string
  codeHash: Uint8Array
  zone: string
  direction: 'in' | 'out'
  use: Use
  /** The box has it: forgotten once a mirror of that box is newer than that. */
  confirmed: boolean
  /** Origin of the box that has it. */
  by?: string
}

export class OwnPassages {
  readonly #byScan = new Map<string, OwnPassage>()
  /** By zone and prefix: scan ids, oldest first. */
  readonly #byCode = new Map<string, string[]>()

  /** Adds a passage; or puts what the box answered in the place of what was known alone. */
  put(passage: OwnPassage): void {
    const key = keyOf(passage.codeHash, passage.zone)
    if (!this.#byScan.has(passage.scanId)) this.#byCode.set(key, [...(this.#byCode.get(key) ?? []), passage.scanId])
    this.#byScan.set(passage.scanId, passage)
  }

  confirm(scanId: string, hlc: string, by: string): void {
    const passage = this.#byScan.get(scanId)
    if (passage) this.put({ ...passage, use: { ...passage.use, hlc }, confirmed: true, by })
  }

  /** Taken back, or the box will never have it. */
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

  /** The last time that this code came in here, also where it has left since. */
  entry(codeHash: Uint8Array, zone: string): OwnPassage | undefined {
    const scanIds = this.#byCode.get(keyOf(codeHash, zone)) ?? []
    return scanIds.flatMap((id) => this.#byScan.get(id) ?? []).findLast(({ direction }) => direction === 'in')
  }

  get(scanId: string): OwnPassage | undefined {
    return this.#byScan.get(scanId)
  }

  /**
   * The mirror was made after these: it says what they came to, which this device cannot know for every kind of ticket.
   * What happened in an earlier life of the box's ledger, that box may have forgotten, and what another box has, this one may
   * not have heard: it is kept.
   * @param mirror `life` in unix seconds: when it began; `origin` of its box
   * @returns the scan ids of what was forgotten
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

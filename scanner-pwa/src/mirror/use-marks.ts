/** Codes that are used up in each zone: by the manifest, by earlier manifests, and by the changes since. */
import { msOf } from './changes.ts'
import { isAmong, packed, prefixOf, without } from './prefixes.ts'
import type { EarlierUses, StoredMirror, UsedByZone } from './stored-mirror.ts'

/** Of one code, in one zone. */
export interface Mark {
  used: boolean
  /** Unix ms: when it was so. */
  at: number
}

export class UseMarks {
  readonly #base: Pick<StoredMirror, 'redeemed' | 'hlc' | 'earlier'>
  /** By zone: the prefixes (base64) that have changed since the manifest. */
  readonly #changes = new Map<string, Map<string, Mark>>()

  constructor(base: Pick<StoredMirror, 'redeemed' | 'hlc' | 'earlier'>) {
    this.#base = base
  }

  set(zone: string, prefix: string, mark: Mark): void {
    const changes = this.#changes.get(zone) ?? new Map<string, Mark>()
    this.#changes.set(zone, changes.set(prefix, mark))
  }

  of(codeHash: Uint8Array, zone: string): Mark | undefined {
    const { redeemed, hlc, earlier } = this.#base
    const change = this.#changes.get(zone)?.get(prefixOf(codeHash))
    if (change) return change
    if (isAmong(redeemed[zone], codeHash)) return { used: true, at: msOf(hlc) }
    const before = earlier.findLast((each) => isAmong(each.redeemed[zone], codeHash))
    return before && { used: true, at: before.at }
  }

  /**
   * The uses that the next manifest may not contain, for the mirror that is made of it. Uses that were taken back are left out.
   * @param isSameLedger whether that manifest is of the same incarnation of the same box's ledger, which has the rest
   */
  forNextMirror(isSameLedger: boolean): EarlierUses[] {
    const changes = [...this.#changes].flatMap(([zone, marks]) =>
      [...marks].map(([prefix, mark]) => ({ zone, prefix, ...mark })),
    )
    const stillUsed = (byZone: UsedByZone) =>
      Object.fromEntries(
        Object.entries(byZone).map(([zone, prefixes]) => {
          const gone = changes.filter((each) => each.zone === zone && !each.used).map(({ prefix }) => prefix)
          return [zone, without(prefixes, new Set(gone))]
        }),
      )
    const earlier = this.#base.earlier.map(({ at, redeemed }) => ({ at, redeemed: stillUsed(redeemed) }))
    if (isSameLedger) return earlier
    const used = changes.filter((each) => each.used)
    const zones = new Set(used.map(({ zone }) => zone))
    const since = [...zones].map((zone) => [zone, packed(used.filter((u) => u.zone === zone).map((u) => u.prefix))])
    return [
      ...earlier,
      { at: msOf(this.#base.hlc), redeemed: stillUsed(this.#base.redeemed) },
      { at: Math.max(0, ...used.map(({ at }) => at)), redeemed: Object.fromEntries(since) },
    ]
  }
}

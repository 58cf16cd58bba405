/** What a simulation has made, counted from what the box answered: by rules that are written here a second time. */
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { FlagKind } from './plan.ts'
import type { SitePost } from './site.ts'

export interface Made {
  scans: number
  verdicts: Record<string, number>
  /** By gate. */
  gates: Record<string, Record<string, number>>
  /** People inside, by zone: how many more there are than before. */
  zones: Record<string, number>
  /** Tickets that were admitted, by tier. */
  admitted: Record<string, number>
  admissions: number
  exits: number
  offline: number
  /** Scan ids that were let in where the box would have refused, by kind of case, as they were planned. */
  flagged: Record<FlagKind, string[]>
  /** Incidents by the state that they were left in. */
  incidents: Record<string, number>
  /** Answers that were not what they had to be. */
  surprises: string[]
}

export class Making {
  readonly made: Made = {
    ...{ scans: 0, verdicts: {}, gates: {}, zones: {}, admitted: {}, admissions: 0, exits: 0, offline: 0 },
    ...{ flagged: { double_use: [], revoked_admission: [] }, incidents: {}, surprises: [] },
  }
  readonly #seen = new Set<string>()

  /** @param alone the scanner had let the person in already */
  scanned(scan: { verdict: Verdict; post: SitePost; code: string; tier: string | undefined; alone: boolean }): void {
    const { verdict: answer, post, code, tier, alone } = scan
    const { made } = this
    const { verdict } = answer
    made.scans++
    add(made.verdicts, verdict)
    made.gates[post.gate] ??= {}
    add(made.gates[post.gate] ?? {}, verdict)
    if (verdict !== 'ADMIT' && verdict !== 'EXIT' && !alone) return
    if (alone) made.offline++
    if (post.from !== null) add(made.zones, post.from, -1)
    if (post.to !== null) add(made.zones, post.to)
    if (post.direction === 'out') {
      made.exits++
      return
    }
    made.admissions++
    if (tier === undefined || this.#seen.has(code)) return
    this.#seen.add(code)
    add(made.admitted, tier)
  }

  flagged(kind: FlagKind, scanId: string): void {
    this.made.flagged[kind].push(scanId)
  }

  /** @param before undefined for one that was just reported */
  incident(state: string, before?: string): void {
    if (before !== undefined) add(this.made.incidents, before, -1)
    add(this.made.incidents, state)
  }

  surprise(what: string): void {
    this.made.surprises.push(what)
  }
}

function add(counts: Record<string, number>, key: string, by = 1): void {
  counts[key] = (counts[key] ?? 0) + by
}

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
  /** Admissions by a supervisor that stand; admissions that were taken back. */
  supervised: number
  undone: number
  /** Scan ids that were let in where the box would have refused, by kind of case, as they were planned. */
  flagged: Record<FlagKind, string[]>
  /** Incidents by the state that they were left in. */
  incidents: Record<string, number>
  /** Answers that were not what they had to be. */
  surprises: string[]
}

interface Decided {
  scanId: string
  post: SitePost
  code: string
  tier: string | undefined
}

export class Making {
  readonly made: Made = {
    ...{ scans: 0, verdicts: {}, gates: {}, zones: {}, admitted: {}, admissions: 0, exits: 0, offline: 0 },
    ...{ supervised: 0, undone: 0 },
    ...{ flagged: { double_use: [], revoked_admission: [] }, incidents: {}, surprises: [] },
  }
  readonly #seen = new Set<string>()
  /** Scans after which a supervisor let the person in. */
  readonly #supervised = new Set<string>()

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
    this.#moved(post, 1)
    if (post.direction === 'out') made.exits++
    else this.#admitted(code, tier)
  }

  supervised({ scanId, post, code, tier }: Decided): void {
    this.made.supervised++
    this.#supervised.add(scanId)
    this.#moved(post, 1)
    this.#admitted(code, tier)
  }

  /** @param decided.left admissions that the ticket has besides */
  undone({ scanId, post, code, tier, left }: Decided & { left: number }): void {
    const { made } = this
    made.undone++
    if (this.#supervised.delete(scanId)) made.supervised--
    this.#moved(post, -1)
    made.admissions--
    if (left > 0 || tier === undefined) return
    this.#seen.delete(code)
    add(made.admitted, tier, -1)
  }

  #moved({ from, to }: SitePost, people: number): void {
    if (from !== null) add(this.made.zones, from, -people)
    if (to !== null) add(this.made.zones, to, people)
  }

  #admitted(code: string, tier: string | undefined): void {
    this.made.admissions++
    if (tier === undefined || this.#seen.has(code)) return
    this.#seen.add(code)
    add(this.made.admitted, tier)
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

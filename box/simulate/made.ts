/** Totals of a simulation, counted from the box's answers by a second implementation of the counting rules. */
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { FlagKind } from './plan.ts'
import type { SitePost } from './site.ts'

export interface Made {
  scans: number
  verdicts: Record<string, number>
  /** By gate. */
  gates: Record<string, Record<string, number>>
  /** By zone: how many more people are inside than before. */
  zones: Record<string, number>
  /** By tier: tickets that were admitted. */
  admitted: Record<string, number>
  admissions: number
  exits: number
  offline: number
  /** Admissions by a supervisor that were not undone. */
  supervised: number
  undone: number
  /** By kind of case: ids of the scans that a scanner admitted offline and the box would have refused, as planned. */
  flagged: Record<FlagKind, string[]>
  /** By state: incidents that were left in it. */
  incidents: Record<string, number>
  /** Answers that differed from the planned ones. */
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
    scans: 0,
    verdicts: {},
    gates: {},
    zones: {},
    admitted: {},
    admissions: 0,
    exits: 0,
    offline: 0,
    supervised: 0,
    undone: 0,
    flagged: { double_use: [], revoked_admission: [] },
    incidents: {},
    surprises: [],
  }
  readonly #seen = new Set<string>()
  /** Scans that a supervisor has overridden. */
  readonly #supervised = new Set<string>()

  /** @param scan.alone the scanner had admitted the person offline */
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

  /** @param decided.left admissions that the ticket has left */
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

  /** @param before its last state; undefined for an incident that was just reported */
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

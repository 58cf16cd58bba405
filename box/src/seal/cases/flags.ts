/** Folds everything that boxes say of a flag into one case, in whatever order their entries come. */
import type { Fact, FactOf } from '../fact.ts'

export interface Flag {
  /** As the first entry says that mentions the flag. */
  readonly kind: string
  readonly ticket: string | null
  readonly device: string | null
  /** The first `flag` entry; absent while only a resolution of another box is known. */
  opened?: FactOf<'flag'>
  readonly scans: readonly string[]
  readonly resolutions: Resolution[]
  /** The resolution that counts; absent while the case is open. */
  resolved?: Resolution
  /** The last entry that changed the case. */
  changed: Fact
}

export interface Resolution {
  readonly fact: FactOf<'flag_resolved'>
  /** Id of the box where somebody resolved it. */
  readonly box: string
}

export class Flags {
  readonly #self: string
  /** By id, in the order in which `flag` entries opened them. */
  readonly byId = new Map<string, Flag>()
  /** Kept from entry to entry: a case may have as many as its ticket has scans. */
  readonly #scans = new Map<string, { list: string[]; known: Set<string> }>()

  /** @param self this box's id */
  constructor(self: string) {
    this.#self = self
  }

  /** @throws TypeError for an entry that somebody has changed */
  add(fact: Fact): void {
    if (fact.kind === 'flag') this.#open(fact)
    else if (fact.kind === 'flag_resolved') this.#resolve(fact)
  }

  #open(fact: FactOf<'flag'>): void {
    const { flag: id, flag_kind: kind, ticket, device, scans } = fact.fields
    const flag = this.#merge(id, { kind, ticket, device }, scans, fact)
    if (flag.opened) return
    flag.opened = fact
    this.byId.delete(id)
    this.byId.set(id, flag)
  }

  #resolve(fact: FactOf<'flag_resolved'>): void {
    const { flag: id, flag_kind: kind, ticket = null } = fact.fields
    // Absent in ledgers of a single box.
    const seen = fact.fields.scans ?? this.byId.get(id)?.scans ?? []
    const flag = this.#merge(id, { kind, ticket, device: null }, seen, fact)
    const resolution = { fact, box: fact.box ?? this.#self }
    flag.resolutions.push(resolution)
    // A resolution counts if it has seen as many scans as there are, and of several the last by clock and box.
    if (seen.length < flag.scans.length || isBefore(resolution, flag.resolved)) return
    flag.resolved = resolution
    flag.changed = fact
  }

  /** A case that gains a scan is open again. */
  #merge(id: string, first: Pick<Flag, 'kind' | 'ticket' | 'device'>, more: readonly string[], fact: Fact): Flag {
    const there = this.#scans.get(id) ?? { list: [], known: new Set() }
    this.#scans.set(id, there)
    const before = there.list.length
    for (const scan of more) {
      if (there.known.has(scan)) continue
      there.known.add(scan)
      there.list.push(scan)
    }
    const flag: Flag = this.byId.get(id) ?? { ...first, scans: there.list, resolutions: [], changed: fact }
    this.byId.set(id, flag)
    if (there.list.length > before) {
      flag.changed = fact
      delete flag.resolved
    }
    return flag
  }
}

function isBefore(a: Resolution, b: Resolution | undefined): boolean {
  return b !== undefined && `${a.fact.hlc} ${a.box}` < `${b.fact.hlc} ${b.box}`
}

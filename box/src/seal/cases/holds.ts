/** Folds everything that boxes say of a hold into one case, in whatever order their entries come. */
import type { Fact, FactOf } from '../fact.ts'

export interface Hold {
  /** Absent while only its end at another box is known. */
  placed?: FactOf<'hold'>
  /** In the order of the entries. Several, if control rooms without connection ended it: the earliest counts. */
  readonly ends: HoldEnd[]
}

export interface HoldEnd {
  readonly fact: FactOf<'hold' | 'hold_released'>
  /** ISO 8601. */
  readonly at: string
  readonly by: string
  /** The hold that took its place. */
  readonly replacedBy?: string
}

export class Holds {
  /** By id, in the order in which they were placed. */
  readonly byId = new Map<string, Hold>()

  add(fact: Fact): void {
    if (fact.kind === 'hold') {
      const { hold: id, actor: by, at, replaces } = fact.fields
      if (replaces !== null) this.#end(replaces, { fact, at, by, replacedBy: id })
      const hold = this.byId.get(id) ?? { ends: [] }
      hold.placed = fact
      this.byId.delete(id)
      this.byId.set(id, hold)
    } else if (fact.kind === 'hold_released') {
      const { hold: id, actor: by, at } = fact.fields
      this.#end(id, { fact, at, by })
    }
  }

  #end(id: string, end: HoldEnd): void {
    const hold = this.byId.get(id) ?? { ends: [] }
    hold.ends.push(end)
    this.byId.set(id, hold)
  }
}

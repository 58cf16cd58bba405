/**
 * Which tickets a zone would refuse as used, for scanners that may have to decide alone. Kept in step lazily: a scan only
 * notes its ticket, and the next manifest looks it up.
 */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import type { ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import { type Event, localDay } from '../event/event.ts'
import type { Entry, Ledger } from '../ledger/ledger.ts'
import type { Ticket } from '../ledger/schema.ts'
import { factsIn, type HeardEntry } from '../mesh/facts.ts'
import { movedTicket } from '../scan/passage.ts'
import { rightToEnter } from '../scan/right-to-enter.ts'
import type { MovedTicket, Tickets } from './tickets.ts'

/** Whether an entry may have given tickets other rights, or other codes: of this box, or of another that it heard. */
export function changesTickets({ kind, fields }: Entry): boolean {
  if (kind === 'heard') return (fields as HeardEntry).tickets_digest !== undefined
  return kind === 'import' || kind === 'shop' || kind === 'claim' || kind === 'release'
}

const PREFIX_BYTES = 8
/** Tickets looked up at a time: a scan waits no longer than that. */
const PAGE = 100

export interface RedeemedDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  /** Unix ms. */
  now: () => number
}

export class Redeemed {
  readonly #deps: RedeemedDeps
  readonly #zones: ReadonlyMap<string, Set<string>>
  /** Refs of tickets to look up again. */
  readonly #dirty = new Set<string>()
  /** The first change of tickets not looked at yet: another tier has other rights, and another key is another prefix. */
  #changedAt: number | undefined
  #day = ''
  #refreshing: Promise<void> | undefined

  constructor(deps: RedeemedDeps) {
    this.#deps = deps
    const entered = deps.event.checkpoints.filter((c) => c.direction === 'in').map((c) => c.to ?? '')
    this.#zones = new Map(entered.map((zone) => [zone, new Set()]))
    deps.ledger.subscribe((entries) => this.#note(entries))
  }

  /** Notes the tickets that these entries moved or changed. */
  #note(entries: readonly Entry[]): void {
    // Nothing has been read yet, so there is nothing to keep in step.
    if (this.#day === '') return
    for (const fact of factsIn(this.#deps.ledger, entries)) {
      if (fact.box === undefined && changesTickets(fact)) this.#changedAt ??= fact.index
      const moved = movedTicket(fact)
      if (moved !== undefined) this.#dirty.add(moved)
    }
  }

  /** Brings everything up to date; waits for `pause` between pages. */
  refresh(pause: () => Promise<unknown>): Promise<void> {
    // One at a time: fifty scanners come back at once after a restart, and none may get what is half read.
    this.#refreshing ??= this.#catchUp(pause).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #catchUp(pause: () => Promise<unknown>): Promise<void> {
    const { event, tickets, now } = this.#deps
    const today = localDay(event, now())
    // A new festival day gives every once-a-day ticket its right back.
    if (today !== this.#day) await this.#readAll(today, pause)
    for (let since = this.#changedAt; since !== undefined; since = this.#changedAt) {
      this.#changedAt = undefined
      for (const page of tickets.movedAndChanged(since)) {
        for (const ref of page) this.#dirty.add(ref)
        await pause()
      }
    }
    let looked = 0
    // Also those that are noted during a pause: at the end nothing is left.
    for (const ref of this.#dirty) {
      const ticket = tickets.byRef(ref)
      if (ticket) this.#update(this.#passagesOf(ticket))
      this.#dirty.delete(ref)
      if (++looked % PAGE === 0) await pause()
    }
  }

  async #readAll(today: string, pause: () => Promise<unknown>): Promise<void> {
    this.#day = today
    this.#dirty.clear()
    this.#changedAt = undefined
    for (const used of this.#zones.values()) used.clear()
    try {
      for (const page of this.#deps.tickets.moved()) {
        for (const ticket of page) this.#update(ticket)
        await pause()
      }
    } catch (error) {
      this.#day = ''
      throw error
    }
  }

  /** Sorted 8-byte prefixes of the code hashes that at least one of `zones` would refuse, as one string of bytes. */
  prefixes(zones: Iterable<string>): Buffer {
    const all = new Set<string>()
    for (const zone of zones) for (const prefix of this.#zones.get(zone) ?? []) all.add(prefix)
    return Buffer.from([...all].sort().join(''), 'latin1')
  }

  /** For one ticket and each of its codes: in which zones it is used up now. */
  standing(ref: string): ManifestDelta['redeemed'] {
    const { event, tickets, now } = this.#deps
    const ticket = tickets.byRef(ref)
    if (!ticket) return []
    const { prefixes, used } = this.#look(this.#passagesOf(ticket), localDay(event, now()))
    return [...this.#zones.keys()].flatMap((zone) =>
      prefixes.map((prefix) => ({ code_hash: toBase64(prefix), zone, used: used.has(zone) })),
    )
  }

  #passagesOf({ id, tier }: Ticket): MovedTicket {
    const { tickets } = this.#deps
    return { tier, movements: tickets.movementsOf(id), codeHashes: tickets.codeHashesOf(id) }
  }

  #update(ticket: MovedTicket): void {
    const { prefixes, used } = this.#look(ticket, this.#day)
    for (const [zone, set] of this.#zones) {
      for (const prefix of prefixes) {
        if (used.has(zone)) set.add(prefix.toString('latin1'))
        else set.delete(prefix.toString('latin1'))
      }
    }
  }

  #look({ tier, movements, codeHashes }: MovedTicket, day: string): { prefixes: Buffer[]; used: Set<string> } {
    const { event } = this.#deps
    const policy = event.tierById.get(tier)?.entry ?? 'once'
    const used = new Set<string>()
    for (const zone of this.#zones.keys()) {
      if (rightToEnter({ zone, day, movements }, policy).usedUpBy) used.add(zone)
    }
    return { prefixes: codeHashes.map((hash) => hash.subarray(0, PREFIX_BYTES)), used }
  }
}

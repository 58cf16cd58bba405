/** Codes that each zone would refuse as used up on one festival day. A scan only marks its ticket, which is looked up at the next refresh. */
import type { Event } from '../event/event.ts'
import type { Entry } from '../ledger/entries.ts'
import type { Fact } from '../ledger/facts.ts'
import type { Ticket } from '../ledger/schema.ts'
import { movedTicket } from '../rights/passage.ts'
import { PrefixSet, unionOf } from './prefix-set.ts'
import type { MovedTicket } from './ticket-pages.ts'
import type { Tickets } from './tickets.ts'
import { type UsedLists, usedZones, zonesOf } from './used-lists.ts'

/** True if an entry may have changed rights or codes of tickets, by this box or by another whose entries it brings. */
export function changesTickets({ kind, fields }: Entry): boolean {
  if (kind === 'heard') return fields.tickets_digest !== undefined
  const oneTicket = kind === 'claim' || kind === 'release' || kind === 'ticket_reissued'
  return oneTicket || kind === 'import' || kind === 'shop'
}

/** Tickets are looked up for so long between two pauses: a scan may wait for it. */
const SLICE_MS = 2

export class UsedOnDay {
  readonly day: string
  readonly #tickets: Tickets
  readonly #event: Event
  #zones: ReadonlyMap<string, PrefixSet>
  /** Refs of tickets to look up again. */
  readonly #dirty = new Set<string>()
  /** The first change of tickets not looked at yet: a new tier has other rights, and a new key another prefix. */
  #changedAt: number | undefined
  /** The last union of several zones, and the sets it was made of: making one sorts all of them. */
  #lastUnion: { of: readonly Buffer[]; union: Buffer } = { of: [], union: Buffer.alloc(0) }

  constructor(day: string, { tickets, event }: { tickets: Tickets; event: Event }) {
    this.day = day
    this.#tickets = tickets
    this.#event = event
    this.#zones = new Map(zonesOf(event).map((zone) => [zone, new PrefixSet()]))
  }

  /** Marks the ticket that this fact has moved or changed. Called for every fact that the lists given to `begin` may lack, in any order. */
  note(fact: Fact): void {
    if (fact.box === undefined && changesTickets(fact)) this.#noteChanges(fact.index)
    const moved = movedTicket(fact)
    if (moved !== undefined) this.#dirty.add(moved)
  }

  /** Begins with lists that were read. What was marked meanwhile is still to be looked up. */
  begin({ zones }: Pick<UsedLists, 'zones'>): void {
    this.#zones = new Map(
      [...zones].map(([zone, { buffer, byteOffset, byteLength }]) => [
        zone,
        new PrefixSet(Buffer.from(buffer, byteOffset, byteLength)),
      ]),
    )
  }

  /** Looks up what was marked, and what is marked meanwhile: whoever asks in the middle of it waits for the same. @param pause between slices */
  async catchUp(pause: () => Promise<unknown>): Promise<void> {
    while (this.#changedAt !== undefined || this.#dirty.size > 0) {
      if (this.#changedAt !== undefined) await this.#markChanged(pause)
      await this.#lookUp(pause)
    }
  }

  /** Sorted 8-byte prefixes of the code hashes that at least one of `zones` would refuse, as one string of bytes. Not to be written to. */
  prefixes(zones: Iterable<string>): Buffer {
    const sets = [...zones].flatMap((zone) => this.#zones.get(zone)?.bytes() ?? [])
    if (sets.length < 2) return unionOf(sets)
    const { of, union } = this.#lastUnion
    if (of.length === sets.length && of.every((set, i) => set === sets[i])) return union
    this.#lastUnion = { of: sets, union: unionOf(sets) }
    return this.#lastUnion.union
  }

  /** Marks the tickets that were changed since `#changedAt`. */
  async #markChanged(pause: () => Promise<unknown>): Promise<void> {
    await this.#tickets.staged.settled()
    const since = this.#changedAt ?? 0
    this.#changedAt = undefined
    try {
      for (const page of this.#tickets.pages.movedAndChanged(since)) {
        for (const ref of page) this.#dirty.add(ref)
        await pause()
      }
    } catch (error) {
      // The next refresh marks all of them again.
      this.#noteChanges(since)
      throw error
    }
  }

  #noteChanges(since: number): void {
    this.#changedAt = Math.min(this.#changedAt ?? Number.POSITIVE_INFINITY, since)
  }

  async #lookUp(pause: () => Promise<unknown>): Promise<void> {
    let began = performance.now()
    for (const ref of this.#dirty) {
      const ticket = this.#tickets.byRef(ref)
      if (ticket) this.#update(passagesOf(ticket, this.#tickets))
      this.#dirty.delete(ref)
      if (performance.now() - began < SLICE_MS) continue
      await pause()
      began = performance.now()
    }
  }

  #update(ticket: MovedTicket): void {
    const { prefixes, used } = usedZones(ticket, this.day, { event: this.#event, zones: this.#zones.keys() })
    for (const [zone, set] of this.#zones) {
      for (const prefix of prefixes) {
        if (used.has(zone)) set.add(prefix)
        else set.delete(prefix)
      }
    }
  }
}

export function passagesOf({ id, tier }: Ticket, tickets: Tickets): MovedTicket {
  return { tier, movements: [...tickets.movementsOf(id)], codeHashes: tickets.codeHashesOf(id) }
}

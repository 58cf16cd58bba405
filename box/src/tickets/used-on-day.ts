/** Codes that each zone would refuse as used up on one festival day. A scan only marks its ticket, which is looked up at the next refresh. */
import type { Event } from '../event/event.ts'
import type { Entry } from '../ledger/entries.ts'
import type { Fact } from '../ledger/facts.ts'
import type { Ticket } from '../ledger/schema.ts'
import { movedTicket } from '../rights/passage.ts'
import { rightToEnter } from '../rights/right-to-enter.ts'
import type { MovedTicket } from './ticket-pages.ts'
import type { Tickets } from './tickets.ts'

/** True if an entry may have changed rights or codes of tickets, by this box or by another whose entries it brings. */
export function changesTickets({ kind, fields }: Entry): boolean {
  if (kind === 'heard') return fields.tickets_digest !== undefined
  const oneTicket = kind === 'claim' || kind === 'release' || kind === 'ticket_reissued'
  return oneTicket || kind === 'import' || kind === 'shop'
}

const PREFIX_BYTES = 8
/** Tickets looked up at a time, which scans wait for. */
const PAGE = 100

export class UsedOnDay {
  readonly day: string
  readonly #tickets: Tickets
  readonly #event: Event
  /** Prefixes of code hashes, as latin1. */
  readonly #zones: ReadonlyMap<string, Set<string>>
  /** Refs of tickets to look up again. */
  readonly #dirty = new Set<string>()
  /** The first change of tickets not looked at yet: a new tier has other rights, and a new key another prefix. */
  #changedAt: number | undefined

  constructor(day: string, { tickets, event }: { tickets: Tickets; event: Event }) {
    this.day = day
    this.#tickets = tickets
    this.#event = event
    this.#zones = new Map(zonesOf(event).map((zone) => [zone, new Set()]))
  }

  /** Marks the ticket that this has moved or changed. From the moment on at which reading begins. */
  note(fact: Fact): void {
    if (fact.box === undefined && changesTickets(fact)) this.#changedAt ??= fact.index
    const moved = movedTicket(fact)
    if (moved !== undefined) this.#dirty.add(moved)
  }

  /** Reads every ticket that has passed a checkpoint. */
  async read(pause: () => Promise<unknown>): Promise<void> {
    for (const page of this.#tickets.pages.moved()) {
      for (const ticket of page) this.#update(ticket)
      await pause()
    }
  }

  /** Looks up what was marked. */
  async catchUp(pause: () => Promise<unknown>): Promise<void> {
    for (let since = this.#changedAt; since !== undefined; since = this.#changedAt) {
      await this.#tickets.staged.settled()
      this.#changedAt = undefined
      for (const page of this.#tickets.pages.movedAndChanged(since)) {
        for (const ref of page) this.#dirty.add(ref)
        await pause()
      }
    }
    let looked = 0
    // The loop also reaches tickets that are marked during a pause.
    for (const ref of this.#dirty) {
      const ticket = this.#tickets.byRef(ref)
      if (ticket) this.#update(passagesOf(ticket, this.#tickets))
      this.#dirty.delete(ref)
      if (++looked % PAGE === 0) await pause()
    }
  }

  /** Sorted 8-byte prefixes of the code hashes that at least one of `zones` would refuse, as one string of bytes. */
  prefixes(zones: Iterable<string>): Buffer {
    const sets = [...zones].flatMap((zone) => this.#zones.get(zone) ?? [])
    const all = sets.length === 1 && sets[0] ? sets[0] : new Set(sets.flatMap((set) => [...set]))
    const bytes = Buffer.alloc(all.size * PREFIX_BYTES)
    let at = 0
    for (const prefix of all) at += bytes.write(prefix, at, 'latin1')
    return sortedPrefixes(bytes)
  }

  #update(ticket: MovedTicket): void {
    const { prefixes, used } = usedZones(ticket, this.day, { event: this.#event, zones: this.#zones.keys() })
    for (const [zone, set] of this.#zones) {
      for (const prefix of prefixes) {
        if (used.has(zone)) set.add(prefix.toString('latin1'))
        else set.delete(prefix.toString('latin1'))
      }
    }
  }
}

/** The zones that checkpoints lead into. */
export function zonesOf(event: Event): string[] {
  return [...new Set(event.checkpoints.filter((c) => c.direction === 'in').map((c) => c.to ?? ''))]
}

export function passagesOf({ id, tier }: Ticket, tickets: Tickets): MovedTicket {
  return { tier, movements: [...tickets.movementsOf(id)], codeHashes: tickets.codeHashesOf(id) }
}

/** The zones that refuse a ticket on this day, and the prefixes of its codes. */
export function usedZones(
  { tier, movements, codeHashes }: MovedTicket,
  day: string,
  { event, zones }: { event: Event; zones: Iterable<string> },
): { prefixes: Buffer[]; used: Set<string> } {
  const policy = event.tierById.get(tier)?.entry ?? 'once'
  const used = new Set<string>()
  for (const zone of zones) if (rightToEnter({ zone, day, movements }, policy).usedUpBy) used.add(zone)
  return { prefixes: codeHashes.map((hash) => hash.subarray(0, PREFIX_BYTES)), used }
}

/** As numbers, which takes a tenth of the time that as many texts take. */
function sortedPrefixes(prefixes: Buffer): Buffer {
  // A view of numbers begins at an offset that they divide, and has the machine's order of bytes.
  const numbers = new BigUint64Array(prefixes.length / PREFIX_BYTES)
  const bytes = Buffer.from(numbers.buffer)
  prefixes.copy(bytes)
  if (LITTLE_ENDIAN) bytes.swap64()
  numbers.sort()
  return LITTLE_ENDIAN ? bytes.swap64() : bytes
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

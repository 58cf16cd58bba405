/**
 * Tickets that each zone would refuse as used up, for scanners that may have to decide offline. A new festival day gives every
 * once-a-day ticket its right back, and no entry says so: the list of that day is read ahead.
 */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import type { ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import { GatehouseError } from '../errors.ts'
import { type Event, localDay } from '../event/event.ts'
import type { Entry } from '../ledger/entries.ts'
import { factsIn } from '../ledger/facts.ts'
import type { TicketDeps } from './tickets.ts'
import { readUsed, type UsedLists, usedZones, zonesOf } from './used-lists.ts'
import { passagesOf, UsedOnDay } from './used-on-day.ts'

/** So long before a festival day begins, its list is read. */
const AHEAD_MS = 30 * 60_000
/** Entries that are read between two pauses: a scan may wait for it. */
const PAGE = 500

/** Reads the lists of a festival day in another thread. */
export type ReadUsed = (day: string) => Promise<UsedLists>

export interface RedeemedDeps extends Omit<TicketDeps, 'codes'> {
  event: Event
  /** Absent to read in this thread, between scans. */
  read?: ReadUsed
}

export class Redeemed {
  readonly #deps: RedeemedDeps
  readonly #zones: readonly string[]
  #today: UsedOnDay | undefined
  /** The next day's, from a while before it begins. */
  #next: UsedOnDay | undefined
  /** Settles when the next day's list is not being read. */
  #ahead: Promise<void> = Promise.resolve()
  #refreshing: Promise<void> | undefined

  constructor(deps: RedeemedDeps) {
    this.#deps = deps
    this.#zones = zonesOf(deps.event)
    deps.ledger.subscribe('committed', (entries) => this.#note(entries))
  }

  #note(entries: readonly Entry[]): void {
    // Nothing was read yet, so nothing can be out of date.
    if (!this.#today && !this.#next) return
    for (const fact of factsIn(this.#deps.ledger, entries)) {
      this.#today?.note(fact)
      this.#next?.note(fact)
    }
  }

  /**
   * Brings today's list up to date, and waits for `pause` between slices.
   * @throws GatehouseError `ledger_unavailable`
   */
  refresh(pause: () => Promise<unknown>): Promise<void> {
    // One at a time: after a restart fifty scanners ask at once, and none may get a half-read state.
    this.#refreshing ??= this.#catchUp(this.#readableAfter(pause)).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** Reads the list of the next festival day if that begins soon, so that nobody waits for it then. */
  readAhead(pause: () => Promise<unknown>): Promise<void> {
    const read = this.#ahead.then(() => this.#catchUpAhead(this.#readableAfter(pause)))
    this.#ahead = read.catch(() => {})
    return read
  }

  #readableAfter(pause: () => Promise<unknown>): () => Promise<void> {
    return async () => {
      await pause()
      this.#requireReadable()
    }
  }

  /** Refuses while the latest commits cannot be read (`Db.isBehind`): tickets that have just passed would look unused. */
  #requireReadable(): void {
    if (!this.#deps.ledger.db.isBehind) return
    throw new GatehouseError(
      'ledger_unavailable',
      'This box cannot write to its disk at the moment: check whether the disk is full.',
    )
  }

  async #catchUpAhead(pause: () => Promise<unknown>): Promise<void> {
    const { event, now } = this.#deps
    const soon = localDay(event, now() + AHEAD_MS)
    if (soon === localDay(event, now())) return
    if (this.#next?.day !== soon)
      await this.#read(soon, pause, (list) => {
        this.#next = list
      })
    this.#requireReadable()
    await this.#next?.catchUp(pause)
  }

  async #catchUp(pause: () => Promise<unknown>): Promise<void> {
    const { event, now } = this.#deps
    const today = () => localDay(event, now())
    // Again where a festival day has begun meanwhile: a manifest has the time at which it is made.
    for (let day = today(); ; day = today()) {
      await this.#catchUpOn(day, pause)
      if (day === today()) return
    }
  }

  async #catchUpOn(day: string, pause: () => Promise<unknown>): Promise<void> {
    this.#requireReadable()
    if (this.#today?.day !== day && this.#next?.day === day) {
      await this.#ahead
      this.#today = this.#next
      this.#next = undefined
    }
    if (this.#today?.day !== day)
      await this.#read(day, pause, (list) => {
        this.#today = list
      })
    // Reading takes seconds.
    this.#requireReadable()
    await this.#today?.catchUp(pause)
  }

  /** @param keep is given the list before it is read, so that what changes meanwhile is marked in it; and nothing if that fails */
  async #read(day: string, pause: () => Promise<unknown>, keep: (list: UsedOnDay | undefined) => void): Promise<void> {
    const { ledger, tickets, event } = this.#deps
    const list = new UsedOnDay(day, this.#deps)
    const here = () =>
      readUsed(tickets.pages, { day, event, upTo: tickets.staged.visible()?.entry ?? ledger.size }, pause)
    // Entries from here on mark their tickets when they are published. Those from `lists.upTo` to here are marked below: another thread sees
    // no fold that is still open, and reading in this thread sees no rows of an import that are still to be moved.
    const markedFrom = ledger.size
    keep(list)
    try {
      const lists = await (this.#deps.read?.(day) ?? here())
      list.begin(lists)
      for (let index = lists.upTo; index < markedFrom; index += PAGE) {
        await pause()
        const entries = ledger.read(index, Math.min(PAGE, markedFrom - index))
        for (const fact of factsIn(ledger, entries)) list.note(fact)
      }
    } catch (error) {
      keep(undefined)
      throw error
    }
  }

  /** Sorted 8-byte prefixes of the code hashes that at least one of `zones` would refuse, as one string of bytes. After `refresh`, and not to be written to. */
  prefixes(zones: Iterable<string>): Buffer {
    return this.#today?.prefixes(zones) ?? Buffer.alloc(0)
  }

  /** The zones where a ticket is used up now, for each of its codes. */
  usedUp(ref: string): ManifestDelta['redeemed'] {
    const { event, tickets, now } = this.#deps
    const ticket = tickets.byRef(ref)
    if (!ticket) return []
    const { prefixes, used } = usedZones(passagesOf(ticket, tickets), localDay(event, now()), {
      event,
      zones: this.#zones,
    })
    return this.#zones.flatMap((zone) =>
      prefixes.map((prefix) => ({ code_hash: toBase64(prefix), zone, used: used.has(zone) })),
    )
  }
}

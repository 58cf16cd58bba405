/** The last events of a stream, limited by number and by bytes. A place is the number of an event since the stream began. */
import type { ChangeEvent } from '../change.ts'
import type { QueueLimits } from '../engine/queue.ts'
import { comparePositions, parseEventId } from '../lsn.ts'

/** The number of events that are missing here; or the reason why the next changes do not join. */
export type Gap = { readonly missing: number } | { readonly why: string }

export class EventRing {
  readonly #limits: QueueLimits
  readonly #entries = new Map<number, ChangeEvent | Gap>()
  #first = 0
  #end = 0
  #bytes = 0
  /** The last event that was removed: a reader that has seen it has missed nothing. */
  #goneId: string | undefined
  #newestId: string | undefined
  #resumed = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The place of the oldest entry. */
  get first(): number {
    return this.#first
  }

  /** The place of the next entry. */
  get end(): number {
    return this.#end
  }

  get oldestId(): string | undefined {
    return this.#entries.values().find((entry) => 'id' in entry)?.id
  }

  get newestId(): string | undefined {
    return this.#newestId
  }

  at(place: number): ChangeEvent | Gap | undefined {
    return this.#entries.get(place)
  }

  /** The last event of the run before: a reader that has seen it has missed nothing. */
  resume(id: string): void {
    this.#goneId = id
    this.#newestId = id
    this.#resumed = true
  }

  /**
   * Tells if an event may still come again after a restart: the run before was killed before it wrote down that it had delivered
   * this one.
   */
  mayComeAgain(id: string): boolean {
    const [event, newest] = [id, this.#newestId ?? ''].map(parseEventId)
    return this.#resumed && event !== undefined && newest !== undefined && comparePositions(event, newest) > 0
  }

  /** The place behind an event; undefined when it is no longer here, or never was. */
  placeAfter(id: string): number | undefined {
    if (id === this.#goneId) return this.#first
    for (let place = this.#end - 1; place >= this.#first; place--) {
      const entry = this.#entries.get(place)
      if (entry && 'id' in entry && entry.id === id) return place + 1
    }
    return undefined
  }

  push(event: ChangeEvent): void {
    this.#entries.set(this.#end++, event)
    this.#bytes += event.bytes
    this.#newestId = event.id
    this.#shrink()
  }

  pushGap(gap: Gap): void {
    this.#entries.set(this.#end++, gap)
    this.#shrink()
  }

  #shrink(): void {
    const { maxEvents, maxBytes } = this.#limits
    while (this.size > maxEvents || (this.#bytes > maxBytes && this.size > 1)) {
      const gone = this.#entries.get(this.#first)
      this.#entries.delete(this.#first++)
      if (!gone) return
      this.#goneId = 'id' in gone ? gone.id : undefined
      if ('id' in gone) this.#bytes -= gone.bytes
    }
  }
}

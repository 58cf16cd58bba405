/** The last events of a stream, limited by number and by bytes. Places in it count on from the first event ever. */
import type { ChangeEvent } from '../change.ts'
import type { QueueLimits } from '../engine/queue.ts'

/** So many events are missing here. */
export interface Gap {
  readonly missing: number
}

export class EventRing {
  readonly #limits: QueueLimits
  readonly #entries = new Map<number, ChangeEvent | Gap>()
  #first = 0
  #end = 0
  #bytes = 0
  /** The last that was let go: who has seen it has missed nothing yet. */
  #goneId: string | undefined
  #newestId: string | undefined

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The place of the oldest entry that is held. */
  get first(): number {
    return this.#first
  }

  /** The place of the next entry that comes. */
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

  /** The place behind an event; undefined when it is not held, or never came by. */
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

  pushGap(missing: number): void {
    this.#entries.set(this.#end++, { missing })
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

/** The reservation stream of the epoch that the box is in, and this box's probe of it. */
import type { Engine } from '../engine/engine.ts'
import { Probe } from './probe.ts'
import { ReservationStream, type ReservationStreamDeps } from './stream.ts'
import { streamSubjects } from './subjects.ts'

export interface EpochStreamDeps {
  boxId: string
  /** Hex. */
  eventTag: string
  /** Undefined until the box's own server has started. */
  engine: () => Pick<Engine, 'bulk' | 'domain' | 'epoch' | 'isCore' | 'replicas' | 'voters' | 'renewLinks'> | undefined
  records: ReservationStreamDeps['records']
  onRefused: ReservationStreamDeps['onRefused']
}

export class EpochStream {
  readonly #deps: EpochStreamDeps
  #opened: { epoch: number; stream: ReservationStream; probe: Probe } | undefined

  constructor(deps: EpochStreamDeps) {
    this.#deps = deps
  }

  /** The stream that was opened last, perhaps of an earlier epoch. */
  get opened(): { stream: ReservationStream; probe: Probe } | undefined {
    return this.#opened
  }

  /** Undefined until the box's own server has started. */
  current(): { stream: ReservationStream; probe: Probe } | undefined {
    const { engine: engineNow, eventTag, boxId, records, onRefused } = this.#deps
    const engine = engineNow()
    if (!engine) return undefined
    if (this.#opened?.epoch !== engine.epoch) {
      const { bulk: nats, domain, replicas, epoch, isCore } = engine
      const subjects = streamSubjects(eventTag, epoch)
      const voters = () => engine.voters
      const stream = new ReservationStream({ nats, domain, replicas, subjects, records, voters, onRefused })
      this.#opened = { epoch, stream, probe: new Probe(stream, boxId, { mayCreate: isCore }) }
    }
    return this.#opened
  }
}

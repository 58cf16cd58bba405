/**
 * `GET /v1/stream`: what happens at other gates, sent to every scanner. Each event is a journal entry in another form, and
 * its id the entry's index, so that a reader that comes back receives exactly what it missed. Events without an id are no
 * position to come back to: an emergency that overtook others, an alert, and the state at the beginning of a connection.
 */
import type { GapEvent, GapReason } from '@gatehouse/proto/wire/device.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { FastifyReply } from 'fastify'
import type { ScanningDevice } from '../ca/roster.ts'
import { EventStreams, type Frame, frame, urgentFirst } from '../http/sse.ts'
import type { Entry } from '../ledger/entries.ts'
import type { Mode } from '../rights/mode.ts'
import {
  atGate,
  currentState,
  type FrameDeps,
  framesOf,
  incidentFrame,
  inZone,
  modeFrame,
  positionOf,
  signOnFrame,
  toDevice,
} from './frames.ts'

/** A reader that is further behind fetches the manifest, which is shorter. */
const MAX_REPLAY = 5_000

export class DeviceStreams {
  readonly #deps: FrameDeps
  readonly #streams = new EventStreams()

  constructor(deps: FrameDeps) {
    this.#deps = deps
    deps.ledger.subscribe('committed', (entries) => {
      if (this.#streams.size === 0) return
      for (const next of urgentFirst([...framesOf(entries, deps)])) this.#streams.send(next)
    })
  }

  /** @param lastEventId the position that the reader has, as it was sent; undefined for a first reading */
  open(reply: FastifyReply, device: ScanningDevice, lastEventId: string | undefined): void {
    const own = this.#deps.signOns.ruleFor(device) ? [signOnFrame(device.id, this.#deps)] : []
    const { size } = this.#deps.ledger
    const rest = lastEventId ? this.#missed(lastEventId) : [this.#at(size - 1, 'position', { version: size })]
    const frames = [...own, ...currentState(this.#deps), ...rest]
    this.#streams.open(reply, device.id, frames, this.#groupsOf(device))
  }

  /** Sends an incident at once to the gates that it concerns: an alert for one that nobody has acknowledged. */
  sendIncident(incident: Incident): void {
    this.#streams.send(incidentFrame(incident))
  }

  /** Sends the mode at once, with the boxes that are unreachable now: those change while the mode stays. */
  sendMode(mode: { mode: Mode; reason: string; hlc: string }): void {
    if (this.#streams.size > 0) this.#streams.send(modeFrame(mode, this.#deps))
  }

  /** Tells a scanner who is signed on at it: at once, because somebody who was removed must not go on. */
  sendSignOn(deviceId: string): void {
    if (this.#streams.size > 0) this.#streams.send(signOnFrame(deviceId, this.#deps))
  }

  close(deviceId: string): void {
    this.#streams.close(deviceId)
  }

  [Symbol.dispose](): void {
    this.#streams[Symbol.dispose]()
  }

  /** The gates of a device's checkpoints, and the zones on either side of them. */
  #groupsOf({ id, checkpoints }: ScanningDevice): Set<string> {
    const own = this.#deps.event.checkpoints.filter(({ id }) => checkpoints.has(id))
    return new Set([toDevice(id), ...own.flatMap(({ gate, from, to }) => [atGate(gate), inZone(from), inZone(to)])])
  }

  #missed(lastEventId: string): Frame[] {
    const { ledger, incarnation } = this.#deps
    const [, sentBy, index] = /^(\w+)-(\d{1,15})$/.exec(lastEventId) ?? []
    const next = Number(index) + 1
    if (sentBy === undefined) return [this.#gap('invalid')]
    if (sentBy !== incarnation) return [this.#gap('another_ledger')]
    if (next > ledger.size) return [this.#gap('ahead')]
    if (ledger.size - next > MAX_REPLAY) return [this.#gap('too_far_back')]
    try {
      // Up to what was published: an entry that another process has just written is sent to every reader in a moment.
      const missed = ledger.read(next, ledger.size - next)
      return eventsIn(missed) > MAX_REPLAY ? [this.#gap('too_far_back')] : [...framesOf(missed, this.#deps)]
    } catch (error) {
      // An entry that somebody has damaged must not keep a scanner off the stream for good.
      if (!(error instanceof SyntaxError)) throw error
      return [this.#gap('unreadable')]
    }
  }

  /** The position that was asked for cannot be resumed: the reader fetches the manifest again. */
  #gap(reason: GapReason): Frame {
    const { size } = this.#deps.ledger
    return this.#at(size - 1, 'gap', { version: size, reason } satisfies GapEvent)
  }

  #at(index: number, event: string, data: object): Frame {
    return frame({ id: positionOf(index, this.#deps), event, data })
  }
}

/** Number of entries to send, those of other boxes included. */
function eventsIn(entries: readonly Entry[]): number {
  const of = ({ kind, fields }: Entry) => (kind === 'heard' ? fields.to - fields.from : 1)
  return entries.reduce((sum, entry) => sum + of(entry), 0)
}

/**
 * `GET /v1/admin/stream`: the statistics when they change, at most once a second, serialized once for however many
 * dashboards there are; and incidents at once.
 */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { FastifyReply } from 'fastify'
import { EventStreams, type Frame, frame } from '../http/sse.ts'
import type { Entry } from '../ledger/entries.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'

/** The least time between two statistics. */
const EVERY_MS = 1_000
/** Of one credential, because all dashboards may use the admin token: lost connections that are not noticed yet included. */
const MOST_STREAMS = 64

export interface AdminStreamDeps {
  ledger: Ledger
  stats: () => Stats
  /** In its current state; undefined for an unknown id. */
  findIncident: (id: string) => Incident | undefined
  /** True while the credential of this key opens the control room; asked every second, and counts as a use. */
  isOpen: (key: string) => boolean
  /** Milliseconds, monotonic. */
  monotonic: () => number
}

export class AdminStream {
  readonly #deps: AdminStreamDeps
  readonly #streams = new EventStreams({ mostOfOne: MOST_STREAMS })
  readonly #tick: NodeJS.Timeout
  readonly #keys = new Set<string>()
  #due: NodeJS.Timeout | undefined
  #sentAt = Number.NEGATIVE_INFINITY
  #notBefore = Number.NEGATIVE_INFINITY
  /** The last statistics, without values that change with time alone: new ones are sent if this differs. */
  #sent = ''

  constructor(deps: AdminStreamDeps) {
    this.#deps = deps
    deps.ledger.subscribe('committed', (entries) => {
      if (this.#streams.size === 0) return
      for (const next of this.#incidentsIn(entries)) this.#streams.send(next)
      this.#plan()
    })
    // They change with time alone, too: a scanner falls silent, a minute of the sparkline ends, a hold expires.
    this.#tick = setInterval(() => {
      this.#closeEnded()
      this.#plan()
    }, EVERY_MS)
    this.#tick.unref()
  }

  /** Takes over the reply, and sends the statistics at once. @param key of the credential that the stream was asked for with */
  open(reply: FastifyReply, key: string): void {
    const stats = this.#deps.stats()
    const now = this.#deps.monotonic()
    // The new dashboard has its statistics; the others wait for theirs at most a second longer.
    this.#notBefore = this.#streams.size === 0 ? now + EVERY_MS : Math.min(now, this.#sentAt + EVERY_MS) + EVERY_MS
    const part = significantPart(stats)
    if (this.#streams.size === 0) this.#sent = part
    // The others do not have these yet. Should they change back, the new dashboard has to hear of that.
    else if (part !== this.#sent) this.#sent = ''
    this.#keys.add(key)
    this.#streams.open(reply, key, [statsFrame(stats)])
  }

  /** A session that ended, a token that was revoked or has expired, here or at another box: its streams end within a second. */
  #closeEnded(): void {
    for (const key of this.#streams.size === 0 ? [] : this.#keys) {
      if (this.#deps.isOpen(key)) continue
      this.#keys.delete(key)
      this.#streams.close(key)
    }
  }

  /** Sends an incident to every dashboard at once: an alert for one that nobody has acknowledged. */
  sendIncident(incident: Incident): void {
    this.#streams.send(incidentFrame(incident))
  }

  /** Sends statistics as soon as they may be sent; not in this turn, in which a scan may be waiting for its answer. */
  #plan(): void {
    if (this.#due || this.#streams.size === 0) return
    this.#due = setTimeout(() => {
      this.#due = undefined
      // Another dashboard may have connected meanwhile.
      if (this.#wait() > 0) this.#plan()
      else this.#sendIfChanged()
    }, Math.ceil(this.#wait()))
    this.#due.unref()
  }

  #wait(): number {
    return Math.max(0, Math.max(this.#sentAt + EVERY_MS, this.#notBefore) - this.#deps.monotonic())
  }

  #sendIfChanged(): void {
    if (this.#streams.size === 0) return
    const stats = this.#deps.stats()
    const sent = significantPart(stats)
    if (sent === this.#sent) return
    this.#sent = sent
    this.#sentAt = this.#deps.monotonic()
    this.#streams.send(statsFrame(stats))
  }

  /** Each incident once, in its current state, emergencies first. */
  #incidentsIn(entries: readonly Entry[]): Frame[] {
    const ids = new Set<string>()
    for (const { kind, fields } of factsIn(this.#deps.ledger, entries)) {
      if (kind === 'incident' || kind === 'incident_action' || kind === 'incident_note') ids.add(fields.incident)
    }
    const incidents = [...ids].flatMap((id) => this.#deps.findIncident(id) ?? [])
    return incidents.sort((a, b) => Number(b.emergency) - Number(a.emergency)).map(incidentFrame)
  }

  /** Ends every stream. */
  [Symbol.dispose](): void {
    clearInterval(this.#tick)
    clearTimeout(this.#due)
    this.#streams[Symbol.dispose]()
  }
}

function statsFrame(stats: Stats): Frame {
  return frame({ event: 'stats', data: stats })
}

function incidentFrame(incident: Incident): Frame {
  return frame({ event: 'incident', data: incident })
}

/** Leaves out values that change with time alone: the time, when each scanner was last seen, and the milliseconds of its clock. */
function significantPart({ as_of, hlc, scanners, mesh, ...rest }: Stats): string {
  const states = scanners.map(({ last_seen, clock_offset_ms, ...scanner }) => [
    scanner,
    Math.round((clock_offset_ms ?? 0) / 1000),
  ])
  return JSON.stringify([rest, states, mesh && { ...mesh, boxes: mesh.boxes.map(significantPeer) }])
}

/** Leaves out when a box was last heard from, for as long as it is reachable. */
function significantPeer({ last_heard, ...box }: Neighbour) {
  return box.heard ? box : { ...box, last_heard }
}

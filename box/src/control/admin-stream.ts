/**
 * `GET /v1/admin/stream`: the statistics when they change, at most once a second, made and written as text once for however
 * many dashboards there are; and incidents at once.
 */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { FastifyReply } from 'fastify'
import { EventStreams, type Frame, frame } from '../http/sse.ts'
import type { Entry, Ledger } from '../ledger/ledger.ts'
import { factsIn } from '../mesh/facts.ts'

/** Between two statistics. */
const EVERY_MS = 1_000
/** One token serves every dashboard: this many, and those that are lost and do not know it yet. */
const MOST_STREAMS = 64
const KEY = 'admin'

export interface AdminStreamDeps {
  ledger: Ledger
  stats: () => Stats
  /** As it stands now; undefined for an id that there is not. */
  incidentAt: (id: string) => Incident | undefined
  /** Milliseconds, monotonic. */
  monotonic: () => number
}

export class AdminStream {
  readonly #deps: AdminStreamDeps
  readonly #streams = new EventStreams({ mostOfOne: MOST_STREAMS })
  readonly #tick: NodeJS.Timeout
  #due: NodeJS.Timeout | undefined
  #sentAt = Number.NEGATIVE_INFINITY
  #notBefore = Number.NEGATIVE_INFINITY
  /** What was sent last, as far as a change of it is worth sending. */
  #sent = ''

  constructor(deps: AdminStreamDeps) {
    this.#deps = deps
    deps.ledger.subscribe((entries) => {
      if (this.#streams.size === 0) return
      for (const next of this.#incidentsIn(entries)) this.#streams.send(next)
      this.#plan()
    })
    // Time alone changes them too: a scanner falls silent, a minute of the sparkline ends, a hold expires.
    this.#tick = setInterval(() => this.#plan(), EVERY_MS)
    this.#tick.unref()
  }

  /** Takes over the reply; the statistics come at once. */
  open(reply: FastifyReply): void {
    const stats = this.#deps.stats()
    const now = this.#deps.monotonic()
    // Whoever comes has its first; the others wait for theirs a second longer at most.
    this.#notBefore = this.#streams.size === 0 ? now + EVERY_MS : Math.min(now, this.#sentAt + EVERY_MS) + EVERY_MS
    if (this.#streams.size === 0) this.#sent = worthSending(stats)
    this.#streams.open(reply, KEY, [statsFrame(stats)])
  }

  /** Tells every dashboard of an incident, now: one that nobody has acknowledged is said again. */
  tell(incident: Incident): void {
    this.#streams.send(incidentFrame(incident))
  }

  /** Sends statistics as soon as they may be sent. Never now: whoever waits for a scan's answer would wait for them. */
  #plan(): void {
    if (this.#due || this.#streams.size === 0) return
    this.#due = setTimeout(() => {
      this.#due = undefined
      // Somebody may have come meanwhile.
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
    const sent = worthSending(stats)
    if (sent === this.#sent) return
    this.#sent = sent
    this.#sentAt = this.#deps.monotonic()
    this.#streams.send(statsFrame(stats))
  }

  /** Each incident once, as it now stands; those that a life may hang on first. */
  #incidentsIn(entries: readonly Entry[]): Frame[] {
    const ids = new Set<string>()
    for (const { kind, fields } of factsIn(this.#deps.ledger, entries)) {
      if (kind === 'incident' || kind === 'incident_action') ids.add((fields as { incident: string }).incident)
    }
    const incidents = [...ids].flatMap((id) => this.#deps.incidentAt(id) ?? [])
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

/** That time goes by, and that a scanner which was live still is, is no news; nor are milliseconds of its clock. */
function worthSending({ as_of, hlc, scanners, mesh, ...rest }: Stats): string {
  const heard = scanners.map(({ last_seen, clock_offset_ms, ...scanner }) => [
    scanner,
    Math.round((clock_offset_ms ?? 0) / 1000),
  ])
  return JSON.stringify([rest, heard, mesh && { ...mesh, boxes: mesh.boxes.map(neighbourWorthSending) }])
}

/** Nor that a box which was heard has been heard again. */
function neighbourWorthSending({ last_heard, ...box }: Neighbour) {
  return box.heard ? box : { ...box, last_heard }
}

/**
 * Says again, on every stream that it concerns, what nobody has acknowledged yet. When is a pure function of the clock; the
 * rest is a timer and a list, which begins with what the ledger has open.
 */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { eq } from '../drizzle/core.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type IncidentKind, incidents } from '../ledger/schema.ts'
import { factsIn } from '../mesh/facts.ts'
import { incidentAt } from './board.ts'
import type { IncidentActionEntry, IncidentEntry } from './entry.ts'
import { isEmergency } from './incident.ts'

/** What a crowd can do in the time counts, and not how much there is to do. */
const REALERT_SECONDS: Partial<Record<IncidentKind, number>> = { crush: 15, fire: 15, medical: 30 }
const USUAL_REALERT_SECONDS = 120
/** How late an alert may be. */
const LOOK_EVERY_MS = 1000

/** How long an incident of a kind may wait for somebody, in milliseconds. */
export function realertMs(kind: IncidentKind, { incidents }: Pick<Event, 'incidents'>): number {
  return (incidents?.realert_seconds?.[kind] ?? REALERT_SECONDS[kind] ?? USUAL_REALERT_SECONDS) * 1000
}

/** The last time that an incident was said again, and how often it was. */
export interface Alert {
  readonly n: number
  /** Unix ms; with `n` 0, when it was reported. */
  readonly at: number
}

/** What must have been said by now of an incident that has been open since `reportedAt`. Times in unix ms. */
export function alertsBy(now: number, reportedAt: number, everyMs: number): Alert {
  const n = Math.max(0, Math.floor((now - reportedAt) / everyMs))
  return { n, at: reportedAt + n * everyMs }
}

/** The alert that is due, once for whatever was missed. A clock that was set back must not keep it waiting. */
export function nextAlert(last: Alert, now: number, everyMs: number): Alert | undefined {
  if (now >= last.at && now < last.at + everyMs) return undefined
  const missed = now < last.at || now >= last.at + 2 * everyMs
  return { n: last.n + 1, at: missed ? now : last.at + everyMs }
}

interface Open {
  kind: IncidentKind
  last: Alert
}

export interface AlertDeps {
  event: Event
  ledger: Ledger
  /** Unix ms. */
  now: () => number
  /** Called for every alert, with its number in `alert`. */
  say: (incident: Incident) => void
}

export class Alerts {
  readonly #deps: AlertDeps
  readonly #open = new Map<string, Open>()
  readonly #timer: NodeJS.Timeout

  constructor(deps: AlertDeps) {
    this.#deps = deps
    const { event, ledger, now } = deps
    const open = ledger.db.drizzle.select().from(incidents).where(eq(incidents.state, 'open')).all()
    for (const { id, kind, reportedAt } of open) {
      this.#open.set(id, { kind, last: alertsBy(now(), reportedAt, realertMs(kind, event)) })
    }
    ledger.subscribe((entries) => {
      for (const { kind, fields, box } of factsIn(ledger, entries)) {
        if (kind === 'incident') this.#add(fields as IncidentEntry, box !== undefined)
        if (kind === 'incident_action') this.#open.delete((fields as IncidentActionEntry).incident)
      }
    })
    this.#timer = setInterval(() => {
      try {
        this.look()
      } catch {
        // A disk that cannot be read may be back at the next look; what was not said then is due still.
      }
    }, LOOK_EVERY_MS)
    this.#timer.unref()
  }

  /** Says what is due, emergencies first. */
  look(): void {
    const { event, now, say } = this.#deps
    const due: [id: string, open: Open, alert: Alert][] = []
    for (const [id, open] of this.#open) {
      const alert = nextAlert(open.last, now(), realertMs(open.kind, event))
      if (alert) due.push([id, open, alert])
    }
    due.sort(([, a], [, b]) => Number(isEmergency(b.kind)) - Number(isEmergency(a.kind)))
    for (const [id, open, alert] of due) {
      const incident = incidentAt(id, this.#deps)
      if (incident) say({ ...incident, alert: alert.n })
      open.last = alert
    }
  }

  /**
   * Every box says it again to those who listen to it, at the same moments and with the same numbers. One that hears of an
   * incident late does not make up for what the others have said; and somebody may have acted on it already, at a third box.
   */
  #add({ incident, incident_kind: kind, at }: IncidentEntry, isHeard: boolean): void {
    const { event, ledger, now } = this.#deps
    if (isHeard && !isOpen(incident, ledger)) return
    const reportedAt = Date.parse(at)
    // The other box's clock may be a little ahead: that is no clock that was set back.
    const heardAt = Math.min(reportedAt, now())
    const last = isHeard ? alertsBy(now(), heardAt, realertMs(kind, event)) : { n: 0, at: reportedAt }
    this.#open.set(incident, { kind, last })
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

function isOpen(id: string, { db }: Ledger): boolean {
  const row = db.drizzle.select({ state: incidents.state }).from(incidents).where(eq(incidents.id, id)).get()
  return row?.state === 'open'
}

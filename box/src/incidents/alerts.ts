/**
 * Repeats, on every stream that it concerns, an incident that nobody has acknowledged yet. The times are a pure function of
 * the clock; the rest is a timer and a list, which begins with the incidents that the ledger has open.
 */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { eq } from '../drizzle/core.ts'
import type { Event } from '../event/event.ts'
import type { EntryFields } from '../ledger/entries.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type IncidentKind, incidents } from '../ledger/schema.ts'
import { type BoardDeps, findIncident } from './board.ts'
import { isEmergency } from './incident.ts'

/** Short where the harm grows in seconds, and not where there is much to do. */
const REALERT_SECONDS: Partial<Record<IncidentKind, number>> = { crush: 15, fire: 15, medical: 30 }
const DEFAULT_REALERT_SECONDS = 120
/** An alert may be this late. */
const CHECK_EVERY_MS = 1000

/** An incident of a kind may wait this long before it is repeated, in milliseconds. */
export function realertMs(kind: IncidentKind, { incidents }: Pick<Event, 'incidents'>): number {
  return (incidents?.realert_seconds?.[kind] ?? REALERT_SECONDS[kind] ?? DEFAULT_REALERT_SECONDS) * 1000
}

/** The last alert of an incident, and its number. */
export interface Alert {
  readonly n: number
  /** Unix ms; with `n` 0, when it was reported. */
  readonly at: number
}

/** The last alert that is due by now of an incident that has been open since `reportedAt`. Times in unix ms. */
export function alertsBy(now: number, reportedAt: number, everyMs: number): Alert {
  const n = Math.max(0, Math.floor((now - reportedAt) / everyMs))
  return { n, at: reportedAt + n * everyMs }
}

/** The alert that is due: one for however many were missed. A clock that was set back must not delay it. */
export function nextAlert(last: Alert, now: number, everyMs: number): Alert | undefined {
  if (now >= last.at && now < last.at + everyMs) return undefined
  const missed = now < last.at || now >= last.at + 2 * everyMs
  return { n: last.n + 1, at: missed ? now : last.at + everyMs }
}

interface Open {
  kind: IncidentKind
  last: Alert
}

export interface AlertDeps extends BoardDeps {
  /** Unix ms. */
  now: () => number
  /** Called for every alert, with its number in `alert`. */
  send: (incident: Incident) => void
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
    ledger.subscribe('committed', (entries) => {
      for (const { kind, fields, box } of factsIn(ledger, entries)) {
        if (kind === 'incident') this.#add(fields, box !== undefined)
        if (kind === 'incident_action') this.#open.delete(fields.incident)
      }
    })
    this.#timer = setInterval(() => {
      try {
        this.sendDue()
      } catch {
        // A disk that cannot be read may be back at the next check: what was not sent stays due.
      }
    }, CHECK_EVERY_MS)
    this.#timer.unref()
  }

  /** Sends what is due, emergencies first. */
  sendDue(): void {
    const { event, now, send } = this.#deps
    const due: [id: string, open: Open, alert: Alert][] = []
    for (const [id, open] of this.#open) {
      const alert = nextAlert(open.last, now(), realertMs(open.kind, event))
      if (alert) due.push([id, open, alert])
    }
    due.sort(([, a], [, b]) => Number(isEmergency(b.kind)) - Number(isEmergency(a.kind)))
    for (const [id, open, alert] of due) {
      const incident = findIncident(id, this.#deps)
      if (incident) send({ ...incident, alert: alert.n })
      open.last = alert
    }
  }

  /**
   * Every box sends alerts to its own streams, at the same moments and with the same numbers. A box that receives an incident
   * late does not repeat the alerts that the others have sent. Somebody at a third box may have acted on it already.
   */
  #add({ incident, incident_kind: kind, at }: EntryFields<'incident'>, isReplicated: boolean): void {
    const { event, ledger, now } = this.#deps
    if (isReplicated && !isOpen(incident, ledger)) return
    const reportedAt = Date.parse(at)
    // The other box's clock may be a little ahead: that does not mean that this one's was set back.
    const since = Math.min(reportedAt, now())
    const last = isReplicated ? alertsBy(now(), since, realertMs(kind, event)) : { n: 0, at: reportedAt }
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

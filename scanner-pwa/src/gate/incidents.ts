/** Incident reports: stored until the box has them, then followed until the control room has acknowledged them. */

import { type Backoff, backoffMs } from '@gatehouse/proto/backoff.ts'
import { type Refusal, refusalSentence } from '@gatehouse/proto/refusals.ts'
import type { AddedNote, Incident, IncidentReport } from '@gatehouse/proto/wire/incidents.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { BoxClient } from '../box/client.ts'
import { refused } from '../box/refused.ts'
import { type Change, type Database, type StoredIncident, write, writeLater } from '../store/database.ts'
import { gateWords as words } from '../words/core.ts'
import { type IncidentState, ScannerError } from './model.ts'

const BACKOFF: Backoff = { initialMs: 1_000, maxMs: 10_000 }
/** A report without an answer for so long counts as not sent: somebody has to use the radio. */
const UNSENT_AFTER_MS = 2_000
/** The device's own reports stay visible this long. */
const KEEP_MS = 12 * 3_600_000

export interface IncidentDeps {
  db: Database
  box: BoxClient
  /** The phone's checkpoint. */
  checkpoint: ReadonlySignal<Checkpoint | null>
  /** Unix ms, corrected. */
  now: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export class Incidents {
  readonly #deps: IncidentDeps
  readonly #own
  /** Of other devices, and not over: at every gate of this device, so that another checkpoint can be chosen without a box. */
  readonly #others = signal<ReadonlyMap<string, Incident>>(new Map())
  /** Ids of own reports that a box did not take in time. */
  readonly #unsent
  readonly #stopping = new AbortController()
  readonly shown: ReadonlySignal<readonly IncidentState[]>
  #sending: Promise<void> | undefined
  #hurry = new AbortController()

  private constructor(deps: IncidentDeps, own: ReadonlyMap<string, StoredIncident>) {
    this.#deps = deps
    this.#own = signal(own)
    // A report that the last visit of this page left without an answer was not sent.
    this.#unsent = signal<ReadonlySet<string>>(new Set(own.keys()))
    this.shown = computed(() =>
      [
        ...[...this.#own.value.values()].map((each) => ownState(each, this.#unsent.value)),
        ...this.#othersHere().map(otherState),
      ].sort((a, b) => b.at - a.at),
    )
  }

  static async open(deps: IncidentDeps): Promise<Incidents> {
    const own = await deps.db.getAll('incidents')
    const old = own.filter(({ at, incident }) => incident && deps.now() - at > KEEP_MS)
    await write(
      deps.db,
      old.map(({ report }) => ({ store: 'incidents', key: report.incident_id, value: undefined })),
    )
    const left = own.filter((each) => !old.includes(each))
    return new Incidents(deps, new Map(left.map((each) => [each.report.incident_id, each])))
  }

  /** The report is on the disk when this resolves, and on its way to the box. */
  async report(report: IncidentReport): Promise<void> {
    const stored: StoredIncident = { report, at: this.#deps.now(), incident: null }
    await write(this.#deps.db, [this.#put(stored)], 'strict')
    void this.#giveUpLater(report.incident_id)
    void this.send()
  }

  async #giveUpLater(id: string): Promise<void> {
    await this.#deps.sleep(UNSENT_AFTER_MS, this.#stopping.signal).catch(() => {})
    this.#notSent(id)
  }

  #notSent(id: string): void {
    this.#unsent.value = new Set(this.#unsent.value).add(id)
  }

  /** @throws ScannerError when the box refuses or cannot be reached */
  async addNote(id: string, body: AddedNote): Promise<void> {
    const { client } = this.#deps.box
    await this.#change(client.POST('/v1/incidents/{id}/notes', { params: { path: { id } }, body }))
  }

  /** @throws ScannerError when the box refuses or cannot be reached */
  async withdraw(id: string): Promise<void> {
    const { client } = this.#deps.box
    await this.#change(client.POST('/v1/incidents/{id}/withdraw', { params: { path: { id } } }))
  }

  async #change(sent: Promise<{ data?: Incident; error?: Refusal }>): Promise<void> {
    const { data, error } = await sent.catch((cause) => {
      throw new ScannerError(words.reportUnreachable, { cause })
    })
    if (error) throw await refused(error)
    if (data) this.take(data)
  }

  /** Takes an incident as the box has it, unless a newer version is known. */
  take(incident: Incident): void {
    const own = this.#own.value.get(incident.incident_id)
    if (own) {
      if (own.incident && own.incident.version > incident.version) return
      writeLater(this.#deps.db, [this.#put({ ...own, incident })])
      return
    }
    const all = new Map(this.#others.value)
    if (isOver(incident)) all.delete(incident.incident_id)
    else all.set(incident.incident_id, incident)
    this.#others.value = all
  }

  #othersHere(): Incident[] {
    const gate = this.#deps.checkpoint.value?.gate
    return [...this.#others.value.values()].filter((one) => one.emergency || one.gate === gate)
  }

  /** Fetches what was missed while the stream was closed. Rejects when the box does not answer. */
  async catchUp(): Promise<void> {
    const { data } = await this.#deps.box.client.GET('/v1/incidents')
    if (!data) return
    // The list has the open incidents: one that is no longer on it is over.
    const named = new Set(data.incidents.map(({ incident_id }) => incident_id))
    this.#others.value = new Map([...this.#others.value].filter(([id]) => named.has(id)))
    for (const incident of data.incidents) this.take(incident)
  }

  /** Sends the reports that the box does not have, oldest first. Resolves when there are none left. */
  send(): Promise<void> {
    this.#hurry.abort()
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #send(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { box, db, random, sleep } = this.#deps
    for (let failures = 0; !stopping.aborted; ) {
      const next = [...this.#own.value.values()].find(({ incident, refusal }) => !incident && refusal === undefined)
      if (!next) return
      try {
        const { data, error, response } = await box.client.POST('/v1/incidents', {
          body: next.report,
          signal: stopping,
        })
        if (data) await write(db, [this.#put({ ...next, incident: data })])
        else if (response.status < 500 && ![401, 408, 429].includes(response.status)) {
          await write(db, [this.#put({ ...next, refusal: await refusalSentence(error) })])
        } else throw new Error(error.code)
        failures = 0
      } catch {
        if (stopping.aborted) return
        this.#notSent(next.report.incident_id)
        this.#hurry = new AbortController()
        await sleep(backoffMs(failures++, BACKOFF, random()), AbortSignal.any([stopping, this.#hurry.signal]))
      }
    }
  }

  #put(stored: StoredIncident): Change {
    const key = stored.report.incident_id
    this.#own.value = new Map(this.#own.value).set(key, stored)
    return { store: 'incidents', key, value: stored }
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#sending
  }
}

function isOver({ state }: Incident): boolean {
  return state === 'resolved' || state === 'cancelled'
}

function ownState({ report, at, incident, refusal }: StoredIncident, unsent: ReadonlySet<string>): IncidentState {
  const waits = unsent.has(report.incident_id) ? 'unsent' : 'sending'
  const taken = incident?.state === 'open' ? 'received' : 'seen'
  return {
    id: report.incident_id,
    kind: report.kind,
    at,
    incident,
    progress: incident === null ? waits : taken,
    ...(refusal !== undefined && { refusal }),
  }
}

function otherState(incident: Incident): IncidentState {
  const { incident_id: id, kind, reported_at, state } = incident
  return { id, kind, at: Date.parse(reported_at), progress: state === 'open' ? 'received' : 'seen', incident }
}

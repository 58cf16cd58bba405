/**
 * Rehearsals of this box: one at a time, started by an admin, ended by an operator, by the clock, or by the box's end. The journal says
 * that it began and that it ended; the rest is in memory. It concerns the scanners that this box answers, and no other box.
 */
import { randomUUID } from 'node:crypto'
import type {
  EndedRehearsal,
  Objection,
  RehearsalNotice,
  RehearsalState,
  RunningRehearsal,
} from '@gatehouse/proto/wire/rehearsal.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { iso } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RedeemDeps } from '../scan/redeem.ts'
import { endOf, objectionsAt } from './moment.ts'
import { type GateDeps, RehearsedGate } from './rehearsed-gate.ts'

export interface RehearsalDeps extends Omit<GateDeps, 'path'> {
  event: Event
  /** The real one. */
  ledger: Ledger
  /** Milliseconds, monotonic: a clock that is set back lengthens no rehearsal. */
  monotonic: () => number
  /** People really let in: ever, and within the last half hour. */
  admissions: () => { all: number; recent: number }
}

interface Running {
  id: string
  by: By
  gate: RehearsedGate
  devices: Set<string>
  startedAt: number
  until: number
  /** By the monotonic clock. */
  endsBy: number
  admittedBefore: number
}

const TICK_MS = 1_000
/** Of memory, about 40 MB. */
const MOST_ENTRIES = 20_000
const OVER = 'No rehearsal is running at this box: scan again, it counts.'
const BY_ITSELF: By = { actor: 'the box', address: 'the box' }

export class Rehearsals implements AsyncDisposable {
  readonly #deps: RehearsalDeps
  readonly #path: string
  #running: Running | undefined
  #starting = false
  #tick: NodeJS.Timeout | undefined

  /** @param path the ledger's file */
  constructor(path: string, deps: RehearsalDeps) {
    this.#path = path
    this.#deps = deps
  }

  state(): RehearsalState {
    const { running } = this
    return { ...(running && { running }), objections: this.#objections() }
  }

  /** Undefined while none runs. */
  get running(): RunningRehearsal | undefined {
    const running = this.#current()
    return running && this.#wireOf(running)
  }

  /** For a scanner's screen. */
  get notice(): RehearsalNotice | undefined {
    const running = this.#current()
    return running && { id: running.id, until: iso(running.until) }
  }

  /**
   * @throws GatehouseError `conflict` while one runs, and where something speaks against it that nobody has overruled;
   *   `ledger_unavailable`
   */
  async start({ minutes, anyway = false }: { minutes: number; anyway?: boolean }, by: By): Promise<RunningRehearsal> {
    const { event, ledger, now, monotonic, admissions } = this.#deps
    if (this.#current() || this.#starting)
      throw new GatehouseError('conflict', 'A rehearsal is running: end it first.', { reason: 'rehearsal_running' })
    const objections = this.#objections()
    if (objections.length > 0 && !anyway) throw refusalOf(objections)
    this.#starting = true
    const gate = new RehearsedGate({ ...this.#deps, path: this.#path })
    try {
      const startedAt = now()
      const until = endOf(startedAt, minutes, event)
      const id = randomUUID()
      const running: Running = {
        ...{ id, by, gate, startedAt, until, devices: new Set<string>() },
        endsBy: monotonic() + (until - startedAt),
        admittedBefore: admissions().all,
      }
      // In the record before the first scan: whoever starts one to let people in unseen is named there.
      await ledger.commit(() => this.#append('started', running, by, objections.length > 0))
      this.#running = running
      this.#tick = setInterval(() => this.#current(), TICK_MS).unref()
      return this.#wireOf(running)
    } catch (error) {
      gate[Symbol.dispose]()
      throw error
    } finally {
      this.#starting = false
    }
  }

  /** @throws GatehouseError `conflict` where none runs; `ledger_unavailable`: it has ended all the same */
  async end(by: By): Promise<EndedRehearsal> {
    const running = this.#current()
    if (!running)
      throw new GatehouseError('conflict', 'No rehearsal is running: scans count already.', {
        reason: 'rehearsal_over',
      })
    return this.#end(running, by)
  }

  /** Answers a scan of this device. @throws GatehouseError `conflict` where none runs: scanners leave it by that; `rate_limited` where it is full */
  gateFor({ id }: { id: string }): RedeemDeps {
    const running = this.#current()
    if (!running) throw new GatehouseError('conflict', OVER, { reason: 'rehearsal_over' })
    if (running.gate.entries >= MOST_ENTRIES) {
      throw new GatehouseError('rate_limited', 'This rehearsal has had very many scans: end it, and start another one.')
    }
    running.devices.add(id)
    return running.gate.deps
  }

  /** Ends it when its time is over. */
  #current(): Running | undefined {
    const running = this.#running
    if (!running) return undefined
    const { now, monotonic } = this.#deps
    if (now() < running.until && monotonic() < running.endsBy) return running
    // The record may be full: nobody is admitted by a rehearsal for that.
    void this.#end(running, BY_ITSELF).catch(() => {})
    return undefined
  }

  async #end(running: Running, by: By): Promise<EndedRehearsal> {
    clearInterval(this.#tick)
    this.#running = undefined
    const { id, gate, devices } = running
    const ended = { id, scans: gate.scans, devices: devices.size }
    const written = this.#deps.ledger.commit(() => this.#append('ended', { ...running, ended }, by))
    gate[Symbol.dispose]()
    await written
    return ended
  }

  #append(
    action: 'started' | 'ended',
    { id, until, ended }: Pick<Running, 'id' | 'until'> & { ended?: EndedRehearsal },
    by: By,
    anyway = false,
  ) {
    const { scans, devices } = ended ?? { scans: 0, devices: 0 }
    const at = iso(this.#deps.now())
    const what = { at, action, rehearsal: id, until: iso(until), scans, devices }
    this.#deps.ledger.append('rehearsal', { ...whoOf(by), ...what, ...(anyway && { anyway: true }) })
  }

  #wireOf({ id, by, startedAt, until, gate, devices, admittedBefore }: Running): RunningRehearsal {
    return {
      id,
      actor: by.actor,
      started_at: iso(startedAt),
      until: iso(until),
      scans: gate.scans,
      devices: devices.size,
      admitted_meanwhile: Math.max(0, this.#deps.admissions().all - admittedBefore),
    }
  }

  #objections(): Objection[] {
    const { event, now, admissions } = this.#deps
    return objectionsAt(now(), event, admissions().recent)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#running
    if (running) await this.#end(running, BY_ITSELF).catch(() => {})
  }
}

function refusalOf(objections: readonly Objection[]): GatehouseError {
  const reason = objections.includes('people_came') ? 'people_came' : 'event_begun'
  const why = {
    people_came: 'People were let in within the last 30 minutes',
    event_begun: 'The event has begun, and people may come',
  }[reason]
  const message = `${why}: whoever enters in a rehearsal is not counted. Make sure that no gate is open, and start it with "anyway".`
  return new GatehouseError('conflict', message, { reason })
}

/** Carries out a plan against a box: each scanner one action after the other, all scanners at the same time. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import { Making } from './made.ts'
import { oldCodeOf } from './phone.ts'
import { type Action, type Deed, HOUR_MS, type Plan } from './plan.ts'
import { answered, Refused, Scanner } from './scanner.ts'
import type { SitePost } from './site.ts'

export interface RunOptions {
  admin: GatehouseClient
  /** Speed relative to the clock; 0 for as fast as possible. */
  speed: number
  /** The ticket id in the link of a ticket, for old codes. */
  ticketIdOf?: (code: string) => string | undefined
  /** @param minute of the hour that the slowest scanner has reached */
  onProgress?: (minute: number, scans: number) => void
}

const STATUS_EVERY_MS = 10_000
const ACTOR = 'simulation'

const RESULT = { acknowledge: 'acknowledged', assign: 'assigned', resolve: 'resolved', cancel: 'cancelled' } as const

type DeedOf<D extends Deed['do']> = Extract<Deed, { do: D }>

/** A scanner at its checkpoint. */
interface Place {
  scanner: Scanner
  post: SitePost
}

/** @throws for an error that a scanner cannot recover from; any other wrong answer is noted as a surprise */
export async function carryOut(plan: Plan, options: RunOptions): Promise<Making> {
  await using stack = new AsyncDisposableStack()
  const stop = new AbortController()
  const scanners: Scanner[] = []
  for (const [lane, post] of plan.posts.entries()) {
    const name = `Simulated ${lane + 1}, ${post.id}`
    const supervisor = plan.actions.some(({ lane: of, deed }) => of === lane && deed.do === 'admit')
    const pairing = { name, checkpoint: post.id, supervisor, signal: stop.signal }
    scanners.push(stack.use(await Scanner.pair(options.admin, pairing)))
  }
  const run = new Run(plan, options, { scanners, stop })
  stack.adopt(setInterval(() => run.reportStatus(), STATUS_EVERY_MS).unref(), clearInterval)
  await run.actions()
  // Revoked, because a scanner that is merely silent may be admitting people offline, and the box allows for that.
  for (const { paired } of scanners) {
    const request = { params: { path: { id: paired.id } }, body: { actor: ACTOR, reason: 'the hour is over' } }
    await answered(() => options.admin.POST('/v1/admin/devices/{id}/revoke', request), stop.signal)
  }
  return run.making
}

class Run {
  readonly making = new Making()
  readonly #plan: Plan
  readonly #options: RunOptions
  readonly #scanners: readonly Scanner[]
  readonly #stop: AbortController
  readonly #started = performance.now()
  /** Scans that a scanner admitted offline and has not uploaded yet, by the number of the action. */
  readonly #unsent = new Map<number, ScanRequest>()
  /** Scans that were answered, and incidents, by the number of the action. */
  readonly #scans = new Map<number, { id: string; code: string }>()
  readonly #incidents = new Map<number, { id: string; state: string }>()

  constructor(plan: Plan, options: RunOptions, of: { scanners: readonly Scanner[]; stop: AbortController }) {
    this.#plan = plan
    this.#options = options
    this.#scanners = of.scanners
    this.#stop = of.stop
  }

  /** Carries out every action, each after those that it waits for. The first failure ends the run. */
  async actions(): Promise<void> {
    const { actions } = this.#plan
    const { signal } = this.#stop
    const done = actions.map(() => Promise.withResolvers<void>())
    // An action that waits for a failed one has to end as well.
    for (const { promise } of done) promise.catch(() => {})
    signal.addEventListener('abort', () => {
      for (const { reject } of done) reject(signal.reason)
    })
    const progress = new Map<number, number>()
    const lanes = Map.groupBy([...actions.entries()], ([, { lane }]) => lane)
    const work = [...lanes].map(async ([lane, ofLane]) => {
      ofLane.sort(([i, a], [j, b]) => a.at - b.at || i - j)
      for (const [n, action] of ofLane) {
        progress.set(lane, action.at)
        await this.#waitUntil(action.at)
        await Promise.all(action.after.map((before) => done[before]?.promise))
        await this.#act(n, action)
        done[n]?.resolve()
        this.#options.onProgress?.(Math.min(...progress.values()) / 60_000, this.making.made.scans)
      }
      progress.set(lane, HOUR_MS)
    })
    await Promise.allSettled(work.map((lane) => lane.catch((error) => this.#stop.abort(error))))
    signal.throwIfAborted()
  }

  /** Sends each scanner's status; an offline scanner sends none. */
  reportStatus(): void {
    const elapsed = performance.now() - this.#started
    const now = this.#options.speed === 0 ? Number.POSITIVE_INFINITY : elapsed * this.#options.speed
    const { offline } = this.#plan
    for (const [lane, { client, checkpoint }] of this.#scanners.entries()) {
      const isOffline = offline?.lane === lane && this.#unsent.size > 0
      if (isOffline && now < offline.until) continue
      const battery = Math.max(0.05, 1 - elapsed / (8 * HOUR_MS) - lane / 100)
      const body = { unsent: isOffline ? this.#unsent.size : 0, app_version: 'simulation', battery, checkpoint }
      // The next status replaces one that was lost.
      client.POST('/v1/status', { body }).catch(() => {})
    }
  }

  async #waitUntil(at: number): Promise<void> {
    const { speed } = this.#options
    const wait = speed === 0 ? 0 : at / speed - (performance.now() - this.#started)
    if (wait > 0) await sleep(wait, undefined, { signal: this.#stop.signal })
    this.#stop.signal.throwIfAborted()
  }

  async #act(n: number, { lane, deed }: Action): Promise<void> {
    const [scanner, post] = [this.#scanners[lane], this.#plan.posts[lane]]
    switch (deed.do) {
      case 'act':
        return await this.#actOnIncident(deed)
      case 'hold':
      case 'release':
        return await this.#holdOrRelease(deed)
      case 'revoke':
        return await this.#revoke(deed)
      case 'wait':
        return
      default:
        if (scanner && post) await this.#actAtGate(n, deed, { scanner, post })
    }
  }

  async #actAtGate(
    n: number,
    deed: DeedOf<'scan' | 'alone' | 'upload' | 'report' | 'admit' | 'undo'>,
    place: Place,
  ): Promise<void> {
    switch (deed.do) {
      case 'scan':
        return await this.#scan(n, deed, place)
      case 'alone':
        this.#unsent.set(n, place.scanner.scanOf(deed.code, true))
        return
      case 'upload':
        return await this.#upload(deed, place)
      case 'report':
        return await this.#report(n, deed, place)
      case 'admit':
      case 'undo':
        await this.#decide(deed, place).catch((error) => {
          if (!(error instanceof Refused)) throw error
          this.making.surprise(`${deed.do}: ${error.message}`)
        })
    }
  }

  async #scan(n: number, deed: DeedOf<'scan'>, place: Place): Promise<void> {
    const id = deed.old && this.#options.ticketIdOf?.(deed.code)
    const payload = id ? await oldCodeOf(id, this.#options.admin, Date.now()) : deed.code
    const scan = place.scanner.scanOf(payload, false)
    await this.#show(scan, deed, place)
    this.#scans.set(n, { id: scan.scan_id, code: deed.code })
  }

  async #upload(deed: DeedOf<'upload'>, place: Place): Promise<void> {
    const scan = this.#unsent.get(deed.of)
    if (!scan) return
    await this.#show(scan, deed, place)
    this.#unsent.delete(deed.of)
    if (deed.flag) this.making.flagged(deed.flag, scan.scan_id)
  }

  async #show(scan: ScanRequest, { code, expect }: { code: string; expect: string }, { scanner, post }: Place) {
    const verdict = await scanner.send(scan)
    this.making.scanned({ verdict, post, code, tier: this.#plan.tiers.get(code), alone: scan.offline_admitted })
    if (verdict.verdict !== expect) this.making.surprise(`${verdict.verdict} and not ${expect} at ${post.id}`)
  }

  async #report(n: number, { kind }: DeedOf<'report'>, { scanner: { client, checkpoint } }: Place): Promise<void> {
    const body = { incident_id: randomUUID(), kind, checkpoint, observed_at: new Date().toISOString() }
    const { incident_id, state } = await this.#answered(() => client.POST('/v1/incidents', { body }))
    this.#incidents.set(n, { id: incident_id, state })
    this.making.incident(state)
  }

  async #actOnIncident({ on, step }: DeedOf<'act'>): Promise<void> {
    const incident = this.#incidents.get(on)
    if (!incident) return
    const body = {
      action: step,
      actor: ACTOR,
      ...(step === 'assign' && { assignee: 'first aid' }),
      ...(step === 'cancel' && { reason: 'nothing was the matter' }),
    }
    const request = { params: { path: { id: incident.id } }, body }
    const { state } = await this.#answered(() => this.#options.admin.POST('/v1/admin/incidents/{id}', request))
    if (state !== RESULT[step]) this.making.surprise(`an incident is ${state} after "${step}"`)
    this.making.incident(state, incident.state)
    incident.state = state
  }

  /** A supervisor admits somebody who was refused, or takes an admission back. */
  async #decide({ do: what, of }: DeedOf<'admit' | 'undo'>, { scanner: { client }, post }: Place): Promise<void> {
    const scan = this.#scans.get(of)
    if (!scan) return
    const { id, code } = scan
    const request = { params: { path: { scan_id: id } }, body: { actor: ACTOR, reason: 'so it was planned' } }
    const decided = { scanId: id, post, code, tier: this.#plan.tiers.get(code) }
    if (what === 'admit') {
      await this.#answered(() => client.POST('/v1/scan/{scan_id}/admit', request))
      this.making.supervised(decided)
    } else {
      const { occurrence } = await this.#answered(() => client.POST('/v1/scan/{scan_id}/undo', request))
      this.making.undone({ ...decided, left: occurrence })
    }
  }

  async #holdOrRelease({ do: what, gate }: DeedOf<'hold' | 'release'>): Promise<void> {
    const { admin } = this.#options
    const request = { params: { path: { id: gate } }, body: { actor: ACTOR, reason: 'too many on the stairs' } }
    if (what === 'hold') await this.#answered(() => admin.POST('/v1/admin/gates/{id}/hold', request))
    else await this.#answered(() => admin.POST('/v1/admin/gates/{id}/release', request))
  }

  async #revoke({ code }: DeedOf<'revoke'>): Promise<void> {
    const request = { params: { path: { id: code } }, body: { actor: ACTOR, reason: 'stolen' } }
    await this.#answered(() => this.#options.admin.POST('/v1/admin/tickets/{id}/revoke', request))
  }

  #answered<T>(ask: Parameters<typeof answered<T>>[0]): Promise<NonNullable<T>> {
    return answered(ask, this.#stop.signal)
  }
}

/** Carries a plan out against a box: each scanner one thing after the other, all of them at once, as fast as is asked. */
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
  /** How much faster than the clock; 0 for as fast as it goes. */
  speed: number
  /** The ticket id in the link of a ticket, for old codes. */
  ticketIdOf?: (code: string) => string | undefined
  /** @param minute of the hour, as far as the slowest scanner is */
  onProgress?: (minute: number, scans: number) => void
}

const STATUS_EVERY_MS = 10_000
const ACTOR = 'simulation'

const RESULT = { acknowledge: 'acknowledged', assign: 'assigned', resolve: 'resolved', cancel: 'cancelled' } as const

/** @throws what a scanner cannot go on from; every other wrong answer is a surprise in what was made */
export async function carryOut(plan: Plan, options: RunOptions): Promise<Making> {
  const { admin, speed } = options
  await using stack = new AsyncDisposableStack()
  const stop = new AbortController()
  const scanners: Scanner[] = []
  for (const [lane, post] of plan.posts.entries()) {
    const name = `Simulated ${lane + 1}, ${post.id}`
    const supervisor = plan.actions.some(({ lane: of, deed }) => of === lane && deed.do === 'admit')
    const pairing = { name, checkpoint: post.id, supervisor, signal: stop.signal }
    scanners.push(stack.use(await Scanner.pair(admin, pairing)))
  }
  const making = new Making()
  const started = performance.now()
  const nowIn = () => (speed === 0 ? Number.POSITIVE_INFINITY : (performance.now() - started) * speed)
  const done = plan.actions.map(() => Promise.withResolvers<void>())
  // One of them that fails ends the run: whoever waits for what will not come must not wait for ever.
  for (const { promise } of done) promise.catch(() => {})
  stop.signal.addEventListener('abort', () => {
    for (const { reject } of done) reject(stop.signal.reason)
  })
  /** What was let in alone, until it is told; other scans and incidents by the action that they were. */
  const kept = new Map<number, ScanRequest>()
  const shown = new Map<number, { id: string; code: string }>()
  const incidents = new Map<number, { id: string; state: string }>()

  const tell = stack.adopt(
    setInterval(() => {
      for (const [lane, scanner] of scanners.entries()) void reportStatus(lane, scanner)
    }, STATUS_EVERY_MS),
    clearInterval,
  )
  tell.unref()
  async function reportStatus(lane: number, { client, checkpoint }: Scanner): Promise<void> {
    const { offline } = plan
    const isAlone = offline?.lane === lane && kept.size > 0
    if (isAlone && nowIn() < offline.until) return
    const battery = Math.max(0.05, 1 - (performance.now() - started) / (8 * HOUR_MS) - lane / 100)
    const body = { unsent: isAlone ? kept.size : 0, app_version: 'simulation', battery, checkpoint }
    // Nobody waits for it, and the next one says the same.
    await client.POST('/v1/status', { body }).catch(() => {})
  }

  const lanes = Map.groupBy([...plan.actions.entries()], ([, { lane }]) => lane)
  const progress = new Map<number, number>()
  const work = [...lanes].map(async ([lane, actions]) => {
    actions.sort(([i, a], [j, b]) => a.at - b.at || i - j)
    for (const [n, action] of actions) {
      progress.set(lane, action.at)
      const wait = speed === 0 ? 0 : action.at / speed - (performance.now() - started)
      if (wait > 0) await sleep(wait, undefined, stop)
      stop.signal.throwIfAborted()
      await Promise.all(action.after.map((before) => done[before]?.promise))
      await act(n, action)
      done[n]?.resolve()
      options.onProgress?.(Math.min(...progress.values()) / 60_000, making.made.scans)
    }
    progress.set(lane, HOUR_MS)
  })
  await Promise.allSettled(work.map((lane) => lane.catch((error) => stop.abort(error))))
  stop.signal.throwIfAborted()
  // Put away. A scanner that is only silent may be letting people in, and the box would count with that.
  for (const { paired } of scanners) {
    const request = { params: { path: { id: paired.id } }, body: { actor: ACTOR, reason: 'the hour is over' } }
    await answered(() => admin.POST('/v1/admin/devices/{id}/revoke', request), stop.signal)
  }
  return making

  async function act(n: number, { lane, deed }: Action): Promise<void> {
    const scanner = scanners[lane]
    const post = plan.posts[lane]
    switch (deed.do) {
      case 'scan': {
        if (!scanner || !post) return
        const id = deed.old && options.ticketIdOf?.(deed.code)
        const payload = id ? await oldCodeOf(id, admin, Date.now()) : deed.code
        const scan = scanner.scanOf(payload, false)
        await show(scan, deed, { scanner, post })
        shown.set(n, { id: scan.scan_id, code: deed.code })
        return
      }
      case 'alone':
        if (scanner) kept.set(n, scanner.scanOf(deed.code, true))
        return
      case 'upload': {
        const scan = kept.get(deed.of)
        if (!scanner || !post || !scan) return
        await show(scan, deed, { scanner, post })
        kept.delete(deed.of)
        if (deed.flag) making.flagged(deed.flag, scan.scan_id)
        return
      }
      case 'report': {
        if (!scanner) return
        const { client, checkpoint } = scanner
        const observed_at = new Date().toISOString()
        const body = { incident_id: randomUUID(), kind: deed.kind, checkpoint, observed_at }
        const { incident_id, state } = await answered(() => client.POST('/v1/incidents', { body }), stop.signal)
        incidents.set(n, { id: incident_id, state })
        making.incident(state)
        return
      }
      case 'act': {
        const incident = incidents.get(deed.on)
        if (!incident) return
        const { step } = deed
        const body = {
          ...{ action: step, actor: ACTOR },
          ...(step === 'assign' && { assignee: 'first aid' }),
          ...(step === 'cancel' && { reason: 'nothing was the matter' }),
        }
        const path = { id: incident.id }
        const { state } = await answered(
          () => admin.POST('/v1/admin/incidents/{id}', { params: { path }, body }),
          stop.signal,
        )
        if (state !== RESULT[step]) making.surprise(`an incident is ${state} after "${step}"`)
        making.incident(state, incident.state)
        incident.state = state
        return
      }
      case 'admit':
      case 'undo':
        await decide(deed, { scanner, post }).catch((error) => {
          if (!(error instanceof Refused)) throw error
          making.surprise(`${deed.do}: ${error.message}`)
        })
        return
      case 'hold':
      case 'release': {
        const { do: what, gate } = deed
        const params = { path: { id: gate } }
        const body = { actor: ACTOR, reason: 'too many on the stairs' }
        if (what === 'hold')
          await answered(() => admin.POST('/v1/admin/gates/{id}/hold', { params, body }), stop.signal)
        else await answered(() => admin.POST('/v1/admin/gates/{id}/release', { params, body }), stop.signal)
        return
      }
      case 'wait':
        return
      case 'revoke': {
        const body = { actor: ACTOR, reason: 'stolen' }
        const path = { id: deed.code }
        await answered(() => admin.POST('/v1/admin/tickets/{id}/revoke', { params: { path }, body }), stop.signal)
        return
      }
    }
  }

  async function decide(
    { do: what, of }: Extract<Deed, { do: 'admit' | 'undo' }>,
    { scanner, post }: { scanner: Scanner | undefined; post: SitePost | undefined },
  ): Promise<void> {
    const scan = shown.get(of)
    if (!scanner || !post || !scan) return
    const { id, code } = scan
    const request = { params: { path: { scan_id: id } }, body: { actor: ACTOR, reason: 'so it was planned' } }
    const decided = { scanId: id, post, code, tier: plan.tiers.get(code) }
    if (what === 'admit') {
      await answered(() => scanner.client.POST('/v1/scan/{scan_id}/admit', request), stop.signal)
      making.supervised(decided)
    } else {
      const undo = () => scanner.client.POST('/v1/scan/{scan_id}/undo', request)
      making.undone({ ...decided, left: (await answered(undo, stop.signal)).occurrence })
    }
  }

  async function show(
    scan: ScanRequest,
    { code, expect }: { code: string; expect: string },
    { scanner, post }: { scanner: Scanner; post: SitePost },
  ): Promise<void> {
    const verdict = await scanner.send(scan)
    const alone = scan.offline_admitted
    making.scanned({ verdict, post, code, tier: plan.tiers.get(code), alone })
    if (verdict.verdict !== expect) making.surprise(`${verdict.verdict} and not ${expect} at ${post.id}`)
  }
}

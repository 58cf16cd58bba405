/** A mesh of two boxes or more, for as long as this one is in it: its server, its claims, its mode, and what it hears. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import type { Mode, ModeSwitch } from '../control/mode.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logger } from '../log.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { Claims } from './claims/claims.ts'
import { type Engine, type EngineDeps, openEngine } from './engine/engine.ts'
import { NoServerError } from './engine/server-binary.ts'
import { isEpochKnown } from './epoch.ts'
import type { Membership } from './membership.ts'
import { ModeWatch } from './mode/watch.ts'
import { gateClause, modeReason, type Refused, type Unheard } from './mode/words.ts'
import { natsTransport } from './spread/nats-transport.ts'
import { openSpread, type Spread, type SpreadDeps } from './spread/spread.ts'
import { type NeighbourHeard, standingOf, unheardOf } from './standing.ts'

export interface MeshDeps {
  boxId: string
  event: Event
  /** Hex. */
  eventTag: string
  ledger: Ledger
  tickets: Tickets
  membership: Membership
  modeSwitch: ModeSwitch
  engine: Pick<EngineDeps, 'dataDir' | 'authority' | 'eventSeed' | 'config'>
  /** What is told, and what becomes of what is heard. */
  spread: Omit<SpreadDeps, 'ledger' | 'tickets' | 'event' | 'logger' | 'now' | 'self' | 'transport' | 'membership'>
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
}

/** How often a server that cannot be started is tried again: it may be installed meanwhile. */
const AGAIN_MS = 30_000
/** How often the voters are asked whether they write to disk: soon while they have not said so. */
const SYNCED_MS = 30_000
const UNSYNCED_MS = 1_000
const LOOK_AROUND_MS = 1_000

export class Running implements AsyncDisposable {
  readonly claim: Claims
  readonly #deps: MeshDeps
  readonly #watch: ModeWatch
  readonly #stack = new AsyncDisposableStack()
  readonly #closing = new AbortController()
  readonly #tell: () => void
  readonly #opening: Promise<void>
  #engine: Engine | undefined
  #spread: Spread | undefined
  /** Why there is no engine. */
  #problem: string | undefined
  #isSynced = false
  #seen = ''
  /** Of the present mode, unix ms. */
  #since: number
  #mode: Mode

  /** @param tell called when mode, or whom this box hears, has changed */
  constructor(deps: MeshDeps, tell: () => void) {
    this.#deps = deps
    this.#tell = tell
    const { boxId, event, eventTag, ledger, tickets, modeSwitch, monotonic, logger, now } = deps
    modeSwitch.watched(true)
    this.claim = new Claims({
      ...{ boxId, event, eventTag, ledger, tickets, monotonic },
      engine: () => this.#engine,
      mode: () => this.mode,
      isHeard: () => this.#watch.state.heard,
      why: () => gateClause(this.#watch.state.obstacle, { unheard: this.unheard(), refused: this.#refused() }),
      hearing: {
        answered: () => this.#watch.answered(),
        silence: () => this.#watch.silence(),
        gaveUp: () => this.#watch.gaveUp(),
      },
    })
    this.#watch = new ModeWatch({
      ...{ switch: modeSwitch, monotonic, logger },
      standing: () => ({
        forced: modeSwitch.forced,
        epochKnown: this.#isEpochKnown(),
        synced: this.#isSynced,
        filled: this.claim.isFilled(),
        owed: this.claim.queueLength(),
        caughtUp: this.#spread?.caughtUp() ?? false,
      }),
      probe: () => this.claim.probe(),
      onHeard: () => this.claim.catchUp(),
      boxes: () => this.#boxes.length,
      reason: ({ obstacle }) => this.#reason(obstacle),
    })
    this.#mode = this.#watch.state.mode
    this.#since = now()
    this.#watch.onChange(() => this.#changed())
    this.#stack.defer(ledger.subscribe((entries) => this.claim.heard(entries)))
    const looking = setInterval(() => this.#lookAround(), LOOK_AROUND_MS)
    looking.unref()
    this.#stack.defer(() => clearInterval(looking))
    this.#opening = this.#open().catch((error) => logger.error({ event: 'mesh_not_open', err: error }))
  }

  get mode(): Mode {
    return this.#watch.state.mode
  }

  unheard(): Unheard[] {
    return unheardOf(this.#boxes, this.#heardFrom(), { self: this.#deps.boxId, now: this.#deps.now() })
  }

  standing(): MeshStanding {
    const { boxId, membership, modeSwitch } = this.#deps
    const { obstacle } = this.#watch.state
    return {
      mode: this.mode,
      since: new Date(this.#since).toISOString(),
      reason: this.#reason(obstacle),
      forced: modeSwitch.forced,
      epoch: membership.topology?.epoch ?? 0,
      unconfirmed: this.claim.queueLength(),
      boxes: standingOf(this.#boxes, this.#heardFrom(), { self: boxId, now: this.#deps.now() }),
    }
  }

  /** The boxes have changed. */
  async apply(): Promise<void> {
    const { topology } = this.#deps.membership
    if (topology) await this.#engine?.apply(topology)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#opening
    // First, or it would take the end for a cut cable.
    await this.#watch[Symbol.asyncDispose]()
    await this.#stack.disposeAsync()
    await this.claim.settled()
  }

  get #boxes() {
    return this.#deps.membership.topology?.boxes ?? []
  }

  #heardFrom(): ReadonlyMap<string, NeighbourHeard> {
    const words = [...(this.#engine?.lastWords() ?? [])].map(([box, lastHeard]) => {
      return [box, { lastHeard, behind: 0 }] as const
    })
    // One that only votes has no journal: its word about itself is all that is heard of it.
    return new Map<string, NeighbourHeard>([...words, ...(this.#spread?.heardFrom() ?? [])])
  }

  #openSpread(engine: Engine): Spread {
    const { boxId: self, eventTag: tag, spread, ledger, tickets, event, logger, now, membership } = this.#deps
    const transport = this.#stack.use(natsTransport({ engine, tag, self }))
    return openSpread({ ...spread, ...{ ledger, tickets, event, logger, now, self, transport, membership } })
  }

  #reason(obstacle: ModeWatch['state']['obstacle']): string {
    if (this.#problem !== undefined && obstacle !== 'forced') return this.#problem
    const [owed, unheard, refused] = [this.claim.queueLength(), this.unheard(), this.#refused()]
    return modeReason(obstacle, { owed, unheard, refused })
  }

  #refused(): Refused[] {
    const names = new Map(this.#boxes.map(({ id, name }) => [id, name]))
    return [...(this.#spread?.refused() ?? [])].map(([box, problem]) => ({ name: names.get(box) ?? box, problem }))
  }

  #isEpochKnown(): boolean {
    const { boxId, membership } = this.#deps
    if (!membership.topology || !this.#engine?.isCore) return true
    return isEpochKnown(membership.topology, boxId, this.#spread?.heardFrom() ?? new Map())
  }

  async #open(): Promise<void> {
    const engine = await this.#openEngine()
    if (!engine) return
    this.#engine = this.#stack.use(engine)
    this.#spread = this.#stack.use(this.#openSpread(engine))
    void this.#watchConnection(engine)
    void this.#watchSynced(engine)
    // The boxes may have changed while it was being started.
    await this.apply()
  }

  /** Tried until there is one: the program may be installed while the gates are open. */
  async #openEngine(): Promise<Engine | undefined> {
    const { signal } = this.#closing
    const { logger, engine: deps, boxId, now, monotonic, membership } = this.#deps
    while (!signal.aborted && membership.topology) {
      try {
        const engine = await openEngine(membership.topology, { ...deps, boxId, logger, now, monotonic, signal })
        this.#problem = undefined
        return engine
      } catch (error) {
        if (signal.aborted) return undefined
        this.#problem = error instanceof NoServerError ? error.message : "This box's own nats-server does not start."
        logger.error({ event: 'mesh_not_open', err: error })
        await waited(AGAIN_MS, signal)
      }
    }
    return undefined
  }

  /** Whom this box hears, and of whom it can take anything, changes without the mode, too. */
  #lookAround(): void {
    const seen = JSON.stringify([this.unheard().map(({ name }) => name), this.#refused()])
    if (seen === this.#seen) return
    this.#seen = seen
    this.#tell()
  }

  /** Without its own server a box hears nobody: that is known at once, and not when nobody has answered. */
  async #watchConnection(engine: Engine): Promise<void> {
    for await (const { type } of engine.bulk.status()) if (type === 'disconnect') this.#watch.gaveUp()
  }

  async #watchSynced(engine: Engine): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      this.#isSynced = await engine.syncAlways().catch(() => this.#isSynced && this.#watch.state.heard)
      await waited(this.#isSynced ? SYNCED_MS : UNSYNCED_MS, signal)
    }
  }

  #changed(): void {
    if (this.mode !== this.#mode) this.#since = this.#deps.now()
    this.#mode = this.mode
    this.#tell()
  }
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}

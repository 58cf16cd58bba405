/** This box's connection to the mesh: its nats-server, and the replication that runs over it once the server is up. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { type Engine, type EngineDeps, openEngine } from './engine/engine.ts'
import type { OwnLinkKeys } from './engine/link-keys.ts'
import { NoServerError } from './engine/server-binary.ts'
import type { Membership } from './membership/membership.ts'
import type { ModeReason } from './mode/reasons.ts'
import { natsTransport } from './replication/nats-transport.ts'
import type { RefusalCounts } from './replication/refused-messages.ts'
import { Replication, type ReplicationDeps } from './replication/replication.ts'

export interface ConnectionDeps {
  boxId: string
  /** Hex. */
  eventTag: string
  engine: Pick<EngineDeps, 'dataDir' | 'authority' | 'routeSecret' | 'config'> & {
    linkKeys: () => Promise<OwnLinkKeys>
  }
  replication: Omit<ReplicationDeps, 'transport'>
  /** Counts what is refused. */
  refusals: RefusalCounts
  membership: Membership
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Aborted, it gives up waiting for the server. */
  signal: AbortSignal
}

/** Interval at which a server that does not start is tried again: it may be installed while the gates are open. */
const RETRY_MS = 30_000
const SERVER_FAILS: ModeReason = {
  text: "This box's own nats-server does not start.",
  coded: [{ code: 'server_fails' }],
}

export class MeshConnection implements AsyncDisposable {
  readonly #deps: ConnectionDeps
  readonly #stack = new AsyncDisposableStack()
  #engine: Engine | undefined
  #replication: Replication | undefined
  #problem: ModeReason | undefined
  /** Resolves when the server is up and replication runs; to undefined when `signal` was aborted before. */
  readonly opened: Promise<Engine | undefined>

  constructor(deps: ConnectionDeps) {
    this.#deps = deps
    this.opened = this.#open().catch((error) => {
      deps.logger.error({ event: 'mesh_not_open', err: error })
      return undefined
    })
  }

  /** Undefined until the server is up. */
  get engine(): Engine | undefined {
    return this.#engine
  }

  /** Undefined until the server is up. */
  get replication(): Replication | undefined {
    return this.#replication
  }

  /** Reason why the server does not start; undefined while it runs. */
  get problem(): ModeReason | undefined {
    return this.#problem
  }

  /** Goes by the topology that the membership has now. */
  async apply(): Promise<void> {
    const { topology } = this.#deps.membership
    if (topology) await this.#engine?.apply(topology)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }

  async #open(): Promise<Engine | undefined> {
    const opened = await this.#openEngine()
    if (!opened) return undefined
    const engine = this.#stack.use(opened)
    this.#engine = engine
    const { boxId: self, eventTag: tag, replication } = this.#deps
    const transport = this.#stack.use(natsTransport({ engine, tag, self, liveScans: replication.ledger.liveScans }))
    this.#replication = this.#stack.use(new Replication({ ...replication, transport }))
    // The topology may have changed while the server was being started.
    await this.apply()
    return engine
  }

  /** Tries until the server starts. */
  async #openEngine(): Promise<Engine | undefined> {
    const { signal, logger, engine, boxId, now, monotonic, membership } = this.#deps
    while (!signal.aborted && membership.topology) {
      try {
        const linkKeys = await engine.linkKeys()
        const { logKey } = this.#deps.replication
        const onRefused: EngineDeps['onRefused'] = (by, why) => this.#deps.refusals.count(by, why, 'status')
        const onServer: EngineDeps['onServer'] = (state) => {
          this.#problem = state === 'fails' ? SERVER_FAILS : undefined
        }
        const deps = { ...engine, linkKeys, logKey, onRefused, onServer, boxId, logger, now, monotonic, signal }
        return await openEngine(membership.topology, deps)
      } catch (error) {
        if (signal.aborted) return undefined
        this.#problem =
          error instanceof NoServerError ? { text: error.message, coded: [{ code: 'no_server' }] } : SERVER_FAILS
        logger.error({ event: 'mesh_not_open', err: error })
        await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
      }
    }
    return undefined
  }
}

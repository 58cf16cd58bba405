/** Questions to the database at intervals while it is read, and the heartbeat. */
import type { SinkLog } from '../../sink.ts'
import { look, type Situation } from './catalog.ts'
import type { Database } from './database.ts'
import { isShuttingDown, LostError } from './faults.ts'
import type { PostgresOptions } from './options.ts'
import type { Session } from './session.ts'

interface PollDeps {
  readonly database: Database
  readonly log: SinkLog
  /** The session that streams; undefined between two of them. */
  readonly session: () => Session | undefined
  /** Oid of the publication that is read. */
  readonly publication: () => string
  readonly onLook: (situation: Situation) => void
}

export class Poll {
  readonly #options: PostgresOptions
  readonly #deps: PollDeps
  readonly #timers: NodeJS.Timeout[] = []

  constructor(options: PostgresOptions, deps: PollDeps) {
    this.#options = options
    this.#deps = deps
  }

  start(): void {
    const { slotPollMs, heartbeatMs } = this.#options
    if (slotPollMs > 0) this.#timers.push(setInterval(() => this.look(), slotPollMs))
    if (heartbeatMs > 0) this.#timers.push(setInterval(() => this.#beat(), heartbeatMs))
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** PostgreSQL 18 does not report a publication that is gone, and a server cannot stop while the slot's reader is behind. */
  look(): void {
    const session = this.#deps.session()
    if (!session) return
    look(this.#deps.database, this.#options).then(
      (situation) => {
        const { publication } = situation
        if (!publication) session.end(new LostError('the publication is gone'))
        else if (publication.oid !== this.#deps.publication()) {
          session.end(new LostError('the publication was made again'))
        }
        this.#deps.onLook(situation)
      },
      (error: unknown) => {
        // It waits until its log is read to the end, which a paused sink would prevent for ever.
        if (isShuttingDown(error)) session.end(new Error('the database is shutting down'))
      },
    )
  }

  #beat(): void {
    this.#deps.database.query("SELECT pg_logical_emit_message(false, 'changefeed', '')").catch((error: Error) => {
      this.#deps.log.warn({ event: 'heartbeat_failed', reason: error.message })
    })
  }
}

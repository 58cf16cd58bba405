/**
 * Changes of a PostgreSQL database, through a replication slot and a publication.
 *
 * Whoever listens is told every transaction at least once, in the order of commits. After a connection was lost, positions
 * go back: the transaction that was being told, and everything that was not acknowledged, comes again from its first event.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { formatLsn, type Lsn, parseLsn } from '../../lsn.ts'
import type { SinkLog } from '../../sink.ts'
import type { Source, SourceListener, SourceState, SourceStatus } from '../../source.ts'
import { createPublication, createSlot, dropSlot, look, type Situation } from './catalog.ts'
import { connectionOf } from './connection.ts'
import { Database } from './database.ts'
import { consequence, isShuttingDown, LostError, SourceError } from './faults.ts'
import type { PostgresOptions } from './options.ts'
import { type Known, plan } from './plan.ts'
import { preflight } from './preflight.ts'
import { Progress } from './progress.ts'
import { Session } from './session.ts'
import { readSlotFile, writeSlotFile } from './slot-file.ts'
import { leftAt } from './timeline.ts'
import { Transactions } from './transactions.ts'
import { Watch } from './watch.ts'

/** A session that lasted this long was a good one: the next attempt after it is not one more of a row. */
const LASTED_MS = 10_000

export interface PostgresSourceContext {
  readonly log: SinkLog
  /** Unix ms. */
  readonly now: () => number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where to remember how far the slot was acknowledged; without it, a slot that was made anew between two runs is not noticed. */
  readonly slotFile?: string
}

export class PostgresSource implements Source {
  readonly kind = 'postgres'
  readonly #options: PostgresOptions
  readonly #context: PostgresSourceContext
  readonly #config: () => ClientConfig
  readonly #database: Database
  readonly #watch: Watch
  readonly #progress: Progress
  readonly #stopping = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  #state: SourceState = { state: 'starting', lastError: null }
  #session: Session | undefined
  #running: Promise<void> | undefined
  #paused = false
  #origin: { system: string; timeline: string; database: string } | undefined
  #identity = ''
  /** The oid of the publication that is read. */
  #publication = ''
  /** This session has the slot, and it stood where it was looked at: what it is told moves it from there. */
  #owned = false
  /** The slot was read before, by this source: it knows where it left it. */
  #taken = false
  #transactions: Transactions | undefined
  #reached: Lsn = 0n

  /** @param options with every default filled in. @throws ConnectionConfigError */
  constructor(options: PostgresOptions, context: PostgresSourceContext) {
    this.#options = options
    this.#context = context
    this.#config = connectionOf(options, context.environment)
    this.#database = new Database(this.#config, options.connectTimeoutMs, () => this.#look())
    this.#watch = new Watch(options, context.log)
    this.#progress = new Progress(
      (end) => this.#remember(end),
      (end) => {
        if (this.#owned) this.#session?.acknowledge(end)
      },
    )
  }

  get identity(): string {
    return this.#identity
  }

  get state(): SourceState {
    return this.#state
  }

  /**
   * Waits for as long as it takes when the database cannot be reached, or somebody else reads the slot.
   * @throws SourceError and others when a person has to mend something
   */
  async start(listener: SourceListener): Promise<void> {
    const begun = Promise.withResolvers<void>()
    this.#running = this.#run(listener, begun)
    await begun.promise
  }

  pause(): void {
    this.#paused = true
    this.#session?.pause()
  }

  resume(): void {
    this.#paused = false
    this.#session?.resume()
  }

  acknowledge(end: Lsn): void {
    this.#progress.acknowledge(end)
  }

  async status(): Promise<SourceStatus> {
    const { slot, publication, walLevel } = await look(this.#database, this.#options)
    return {
      slot: slot
        ? {
            exists: true,
            active: slot.activePid !== null,
            restartLsn: slot.restartLsn,
            confirmedFlushLsn: slot.confirmedFlushLsn,
            retainedWalBytes: slot.retainedWalBytes,
          }
        : { exists: false, active: false, restartLsn: '0/0', confirmedFlushLsn: '0/0', retainedWalBytes: 0 },
      publication: { exists: publication !== undefined, allTables: publication?.allTables ?? false },
      walLevel,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await this.#progress.flush()
    await this.#session?.[Symbol.asyncDispose]()
    await this.#database[Symbol.asyncDispose]()
    await this.#running
    this.#state = { state: 'stopped', lastError: this.#state.lastError }
  }

  /** One session after the other, until there is nothing more to be tried. Never rejects. */
  async #run(listener: SourceListener, begun: PromiseWithResolvers<void>): Promise<void> {
    const { log, now } = this.#context
    const { reconnectMinMs, reconnectMaxMs } = this.#options
    const { signal } = this.#stopping
    let first = true
    let wait = reconnectMinMs
    let broken: string | undefined
    while (!signal.aborted) {
      let since = Number.POSITIVE_INFINITY
      let error: Error
      try {
        await using session = await this.#open(listener, first, broken)
        since = now()
        first = false
        broken = undefined
        begun.resolve()
        error = await session.ended
      } catch (thrown) {
        error = thrown instanceof Error ? thrown : new Error(String(thrown))
      }
      this.#session = undefined
      if (signal.aborted) break
      const reason = error.message || String(error)
      const what = consequence(error, first)
      if (what === 'fail') {
        this.#state = { state: 'failed', lastError: reason }
        for (const timer of this.#timers) clearInterval(timer)
        log.error({ event: 'source_failed', reason })
        begun.reject(error)
        return
      }
      if (what === 'lost') broken = reason
      if (now() - since > LASTED_MS) wait = reconnectMinMs
      this.#state = { state: first ? 'starting' : 'reconnecting', lastError: reason }
      log.warn({ event: 'source_disconnected', reason, againInMs: wait })
      await sleep(wait, undefined, { signal }).catch(() => {})
      wait = Math.min(2 * wait, reconnectMaxMs)
    }
    begun.reject(new Error('the source was closed before it began'))
  }

  /** @param broken what the server said when the slot could not be read */
  async #open(listener: SourceListener, first: boolean, broken: string | undefined): Promise<Session> {
    const { slot, publication, statusIntervalMs, connectTimeoutMs: timeoutMs } = this.#options
    const { log, now } = this.#context
    if (first) await this.#preflight()
    const names = { slot: slot.name, publication: publication.name }
    const { signal } = this.#stopping
    await using stack = new AsyncDisposableStack()
    const session = stack.use(
      await Session.connect(this.#config(), { ...names, statusIntervalMs, timeoutMs, now }, signal),
    )
    const giveUp = () => session.end(new Error('closed'))
    signal.addEventListener('abort', giveUp)
    stack.defer(() => signal.removeEventListener('abort', giveUp))
    let situation = await look(this.#database, this.#options)
    await this.#recognise(session, situation)
    const known = await this.#known()
    const todo = plan(situation, known, this.#options, broken)
    if (todo.action === 'fail') throw new SourceError(todo.reason)
    if (todo.action !== 'stream') {
      if (todo.action === 'recreate') {
        const consequence = 'changes in between are lost; the receivers have to be brought up to date another way'
        const acknowledged = known && formatLsn(known.acknowledged)
        log.error({ event: 'slot_recreated', ...names, reason: todo.reason, acknowledged, consequence })
      } else log.info({ event: 'slot_created', ...names, publicationToo: todo.publication })
      situation = await this.#create(situation, todo)
    }
    this.#publication = situation.publication?.oid ?? ''
    this.#keepReached()
    const transactions = new Transactions(listener)
    this.#transactions = transactions
    this.#session = session
    this.#owned = false
    if (this.#paused) session.pause()
    await session.stream({
      data: (bytes, from, upper, lower) => transactions.take(bytes, from, upper, lower),
      keepalive: (end) => {
        if (transactions.between) listener.idle(end)
      },
    })
    await this.#take(session, situation)
    // Closed while it was being opened: timers that are set now would be stopped by nobody, and the process would never end.
    signal.throwIfAborted()
    this.#watch.look(situation)
    this.#state = { state: 'streaming', lastError: null }
    log.info({ event: 'source_streaming', ...names, identity: this.#identity, from: situation.slot?.confirmedFlushLsn })
    if (first) this.#setTimers()
    // From here on it is closed politely.
    signal.removeEventListener('abort', giveUp)
    stack.move()
    return session
  }

  /** What a person has to mend first is said as a whole, and the advice with it. */
  async #preflight(): Promise<void> {
    const wrong = (await preflight(this.#database, this.#options)).filter(({ ok }) => !ok)
    for (const { check, needed, message } of wrong) {
      if (!needed) this.#context.log.warn({ event: 'preflight', check, advice: message })
    }
    const needed = wrong.filter(({ needed }) => needed).map(({ message }) => message)
    if (needed.length > 0) throw new SourceError(needed.join('\n'))
  }

  /** Positions mean nothing in another cluster, and behind the point where a timeline was left. */
  async #recognise(session: Session, { database }: Situation): Promise<void> {
    const { system, timeline } = await session.identify()
    const origin = { system, timeline, database: database.oid }
    const before = this.#origin
    if (!before) {
      this.#identity = `${system}/${timeline}/${database.oid}/${this.#options.slot.name}`
    } else if (before.system !== system || before.database !== database.oid) {
      throw new SourceError('Another database answers at this address: start again when that is right')
    } else if (before.timeline !== timeline) {
      const left = leftAt(await session.history(timeline), before.timeline)
      this.#keepReached()
      if (left === undefined || left < this.#reached) {
        throw new SourceError(
          'A standby was promoted that lacks changes which were already told: bring the receivers up to date, then start again',
        )
      }
      this.#context.log.warn({ event: 'timeline_changed', from: before.timeline, to: timeline })
    }
    this.#origin = origin
  }

  /** How far the listener was told, in any session. */
  #keepReached(): void {
    const reached = this.#transactions?.reached ?? 0n
    if (reached > this.#reached) this.#reached = reached
  }

  /** The slot is nobody else's from here on: now it is known where it stands. */
  async #take(session: Session, { slot }: Situation): Promise<void> {
    const now = (await look(this.#database, this.#options)).slot?.confirmedFlushLsn
    if (slot?.confirmedFlushLsn !== now) throw new Error('somebody else has read the slot meanwhile')
    this.#owned = true
    this.#taken = true
    await this.#progress.begin(parseLsn(now ?? '') ?? 0n)
    session.acknowledge(this.#progress.remembered)
  }

  async #known(): Promise<Known | undefined> {
    if (this.#taken) return { acknowledged: this.#progress.remembered, publication: this.#publication }
    const { slotFile } = this.#context
    return slotFile === undefined ? undefined : readSlotFile(slotFile, this.#identity)
  }

  /** Publication first: a slot cannot read what is older than its publication. */
  async #create(situation: Situation, todo: { slot?: boolean; publication: boolean }): Promise<Situation> {
    // A slot waits for every open transaction: no limit, but for the end of this process.
    await using patient = new Database(this.#config, 0)
    const end = () => void patient[Symbol.asyncDispose]()
    this.#stopping.signal.addEventListener('abort', end)
    try {
      if (todo.slot !== false) {
        if (situation.slot) await dropSlot(patient, this.#options)
        if (todo.publication) await createPublication(patient, this.#options)
        await createSlot(patient, this.#options)
      }
    } finally {
      this.#stopping.signal.removeEventListener('abort', end)
    }
    return look(this.#database, this.#options)
  }

  async #remember(end: Lsn): Promise<void> {
    const { slotFile, log } = this.#context
    if (slotFile === undefined) return
    try {
      await writeSlotFile(slotFile, this.#identity, { acknowledged: end, publication: this.#publication })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const consequence = 'a slot that is made again while the daemon is off will not be noticed'
      log.error({ event: 'slot_file_not_written', path: slotFile, reason, consequence })
    }
  }

  #setTimers(): void {
    const { slotPollMs, heartbeatMs } = this.#options
    if (slotPollMs > 0) this.#timers.push(setInterval(() => this.#look(), slotPollMs))
    if (heartbeatMs > 0) this.#timers.push(setInterval(() => this.#beat(), heartbeatMs))
  }

  /** The server itself says nothing when a publication is gone (18), and cannot stop while a slot's reader is behind. */
  #look(): void {
    const session = this.#session
    if (!session || this.#stopping.signal.aborted) return
    look(this.#database, this.#options).then(
      (situation) => {
        const { publication } = situation
        if (!publication) session.end(new LostError('the publication is gone'))
        else if (publication.oid !== this.#publication) session.end(new LostError('the publication was made again'))
        this.#watch.look(situation)
      },
      (error: unknown) => {
        // It waits until its log was read to the end, which a sink that is paused would put off for ever.
        if (isShuttingDown(error)) session.end(new Error('the database is shutting down'))
      },
    )
  }

  #beat(): void {
    this.#database.query("SELECT pg_logical_emit_message(false, 'changefeed', '')").catch((error: Error) => {
      this.#context.log.warn({ event: 'heartbeat_failed', reason: error.message })
    })
  }
}

/**
 * Changes of a PostgreSQL database, through a replication slot and a publication.
 *
 * The listener gets every transaction at least once, in the order of commits. After a connection was lost, positions go back:
 * the transaction that was under way, and everything that was not acknowledged, comes again from its first event.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { formatLsn, type Lsn, parseLsn } from '../../lsn.ts'
import type { SinkLog } from '../../sink.ts'
import type { Delivered, SnapshotProgress, Source, SourceListener, SourceState, SourceStatus } from '../../source.ts'
import { look, type Situation, statusOf } from './catalog.ts'
import { connectionOf } from './connection.ts'
import { createAnew } from './create.ts'
import { Database } from './database.ts'
import { consequence, SourceError } from './faults.ts'
import type { PostgresOptions } from './options.ts'
import { Origin } from './origin.ts'
import { plan } from './plan.ts'
import { Poll } from './poll.ts'
import { requirePreflight } from './preflight.ts'
import { Progress } from './progress.ts'
import { prove } from './prove.ts'
import { Session } from './session.ts'
import { ExistingRows } from './snapshot/existing-rows.ts'
import { Transactions } from './transactions.ts'
import { Watch } from './watch.ts'

/** After a session that lasted this long, the waits between attempts begin again at the shortest. */
const LASTED_MS = 10_000

export interface PostgresSourceContext {
  readonly log: SinkLog
  /** Unix ms. */
  readonly now: () => number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** File with the acknowledged position of the slot; without it, a slot that was recreated between two runs goes unnoticed. */
  readonly slotFile?: string
  /** File with the progress of the snapshot; without it, it cannot go on after a restart. */
  readonly snapshotFile?: string
}

export class PostgresSource implements Source {
  readonly kind = 'postgres'
  readonly #options: PostgresOptions
  readonly #names: Readonly<Record<'slot' | 'publication', string>>
  readonly #context: PostgresSourceContext
  readonly #config: () => ClientConfig
  readonly #database: Database
  readonly #watch: Watch
  readonly #poll: Poll
  readonly #progress: Progress
  readonly #stopping = new AbortController()
  #state: SourceState = { state: 'starting', lastError: null }
  #session: Session | undefined
  #running: Promise<void> | undefined
  #paused: PromiseWithResolvers<void> | undefined
  /** The listener knows where it begins. */
  #hasBegun = false
  readonly #rows: ExistingRows
  readonly #origin: Origin
  /** Oid of the publication. */
  #publication = ''
  /** This session has the slot, whose position is verified: acknowledgements may be sent. */
  #owned = false

  /** @param options with defaults. @throws ConnectionConfigError */
  constructor(options: PostgresOptions, context: PostgresSourceContext) {
    this.#options = options
    this.#names = { slot: options.slot.name, publication: options.publication.name }
    this.#context = context
    this.#config = connectionOf(options, context.environment)
    this.#database = new Database(this.#config, options.connectTimeoutMs, () => this.#poll.look())
    this.#watch = new Watch(options, context.log)
    this.#rows = new ExistingRows(options, this.#config, context)
    this.#poll = new Poll(options, {
      database: this.#database,
      log: context.log,
      session: () => (this.#stopping.signal.aborted ? undefined : this.#session),
      publication: () => this.#publication,
      onLook: (situation) => this.#watch.look(situation),
    })
    this.#origin = new Origin({ slot: options.slot.name, slotFile: context.slotFile, log: context.log })
    this.#progress = new Progress(
      (end) => this.#origin.remember(end, this.#publication),
      (end) => {
        if (this.#owned) this.#session?.acknowledge(end)
      },
    )
  }

  get identity(): string {
    return this.#origin.identity
  }

  get state(): SourceState {
    return this.#state
  }

  get snapshot(): SnapshotProgress | null {
    return this.#rows.progress
  }

  /**
   * Waits, however long, while the database cannot be reached or another session reads the slot.
   * @throws SourceError and others when a person has to correct something
   */
  async start(listener: SourceListener, delivered?: Delivered): Promise<void> {
    await this.#origin.recall(delivered)
    const begun = Promise.withResolvers<void>()
    this.#running = this.#run(listener, begun)
    await begun.promise
  }

  pause(): void {
    this.#paused ??= Promise.withResolvers()
    this.#session?.pause()
  }

  resume(): void {
    this.#paused?.resolve()
    this.#paused = undefined
    this.#session?.resume()
  }

  acknowledge(end: Lsn): void {
    if (!this.#rows.acknowledge(end)) this.#progress.acknowledge(end)
  }

  async status(): Promise<SourceStatus> {
    return statusOf(await look(this.#database, this.#options))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort()
    this.#poll.stop()
    this.#paused?.resolve()
    await this.#rows.flush()
    await this.#progress.flush()
    await this.#session?.[Symbol.asyncDispose]()
    await this.#database[Symbol.asyncDispose]()
    await this.#running
    this.#state = { state: 'stopped', lastError: this.#state.lastError }
  }

  /** Runs one session after the other, until it is closed or a person has to act. Never rejects. */
  async #run(listener: SourceListener, begun: PromiseWithResolvers<void>): Promise<void> {
    const { log, now } = this.#context
    const { reconnectMinMs, reconnectMaxMs } = this.#options
    const { signal } = this.#stopping
    let wait = reconnectMinMs
    let broken: string | undefined
    while (!signal.aborted) {
      let since = Number.POSITIVE_INFINITY
      let error: Error
      try {
        await using session = await this.#open(listener, begun, broken)
        since = now()
        broken = undefined
        error = await session.ended
      } catch (thrown) {
        error = thrown instanceof Error ? thrown : new Error(String(thrown))
      }
      this.#session = undefined
      if (signal.aborted) break
      const reason = error.message || String(error)
      const what = consequence(error, !this.#hasBegun)
      if (what === 'fail') {
        this.#state = { state: 'failed', lastError: reason }
        this.#poll.stop()
        log.error({ event: 'source_failed', reason })
        begun.reject(error)
        return
      }
      if (what === 'lost') broken = reason
      if (now() - since > LASTED_MS) wait = reconnectMinMs
      this.#state = { state: this.#hasBegun ? 'reconnecting' : 'starting', lastError: reason }
      log.warn({ event: 'source_disconnected', reason, againInMs: wait })
      await sleep(wait, undefined, { signal }).catch(() => {})
      wait = Math.min(2 * wait, reconnectMaxMs)
    }
    begun.reject(new Error('the source was closed before it began'))
  }

  /** @param broken the server's error when the slot could not be read */
  async #open(
    listener: SourceListener,
    begun: PromiseWithResolvers<void>,
    broken: string | undefined,
  ): Promise<Session> {
    const { log } = this.#context
    if (!this.#hasBegun) await requirePreflight(this.#database, this.#options, log)
    const { signal } = this.#stopping
    await using stack = new AsyncDisposableStack()
    const session = stack.use(await Session.connect(this.#config(), this.#sessionOptions(), signal))
    const giveUp = () => session.end(new Error('closed'))
    signal.addEventListener('abort', giveUp)
    stack.defer(() => signal.removeEventListener('abort', giveUp))
    const situation = await this.#settle(session, listener, broken)
    this.#publication = situation.publication?.oid ?? ''
    if (this.#rows.isPending) {
      this.#state = { state: 'snapshot', lastError: null }
      this.#begin(listener, 0n, begun)
      await this.#rows.read(listener, () => this.#mayGoOn(), signal)
    }
    const transactions = new Transactions(listener, (begun) => this.#origin.passOn(begun))
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
    // Closed meanwhile: nothing would clear timers that are set now, and the process would never end.
    signal.throwIfAborted()
    this.#watch.look(situation)
    this.#state = { state: 'streaming', lastError: null }
    const from = situation.slot?.confirmedFlushLsn
    log.info({ event: 'source_streaming', ...this.#names, identity: this.#origin.identity, from })
    this.#begin(listener, parseLsn(from ?? '') ?? 0n, begun)
    // From here on, disposing it reports progress before it ends.
    signal.removeEventListener('abort', giveUp)
    stack.move()
    return session
  }

  #begin(listener: SourceListener, at: Lsn, begun: PromiseWithResolvers<void>): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    listener.began(at)
    this.#poll.start()
    begun.resolve()
  }

  /** Resolves when no queue is full. @throws when the source is being closed */
  async #mayGoOn(): Promise<void> {
    await this.#paused?.promise
    this.#stopping.signal.throwIfAborted()
  }

  #sessionOptions() {
    const { statusIntervalMs, connectTimeoutMs: timeoutMs } = this.#options
    return { ...this.#names, statusIntervalMs, timeoutMs, now: this.#context.now }
  }

  /**
   * Makes slot and publication what the plan says, once it is known whether this is still the log that was read.
   * @throws SourceError when a person has to decide
   */
  async #settle(session: Session, listener: SourceListener, broken: string | undefined): Promise<Situation> {
    const { log } = this.#context
    const situation = await look(this.#database, this.#options)
    let apart = await this.#origin.recognise(session, situation)
    let step = plan(situation, this.#origin.known, this.#options, { broken, apart })
    if (step.action === 'stream') {
      const proof = this.#origin.proof(parseLsn(situation.slot?.confirmedFlushLsn ?? '') ?? 0n)
      apart = await prove(this.#config(), this.#sessionOptions(), proof, this.#stopping.signal)
      step = plan(situation, this.#origin.known, this.#options, { apart })
    }
    // A new snapshot begins another log, too: its rows have positions before those of the changes so far.
    if (step.action === 'recreate' && this.#rows.areWanted) apart ??= step.reason
    // The events in the queues are of the log before: only a start can begin anew.
    if (apart !== undefined && this.#hasBegun)
      throw new SourceError(`${apart}. Start the feed again when that is right`)
    if (step.action === 'fail') throw new SourceError(step.reason)
    if (step.action === 'recreate') {
      const consequence = this.#rows.areWanted
        ? 'changes in between are lost; all rows that exist now are sent again'
        : 'changes in between are lost; the receivers have to be brought up to date another way'
      const acknowledged = formatLsn(this.#origin.known?.acknowledged ?? 0n)
      log.error({ event: 'slot_recreated', ...this.#names, reason: step.reason, acknowledged, consequence })
    } else if (step.action === 'create') {
      log.info({ event: 'slot_created', ...this.#names, publicationToo: step.publication })
    }
    this.#origin.settle(apart !== undefined)
    // Written down before the old slot is forgotten: after a crash from here on, every sink still learns of it.
    if (step.action === 'recreate') await listener.gap({ reason: step.reason })
    const isNew = step.action === 'create' || (step.action === 'recreate' && (step.slot || this.#rows.areWanted))
    await this.#rows.settle(this.#origin.identity, isNew)
    if (isNew && 'publication' in step) {
      const needed = { dropped: situation.slot !== undefined, publication: step.publication }
      const makeSlot = this.#rows.areWanted ? (database: Database) => this.#rows.makeSlot(session, database) : undefined
      await createAnew(this.#config, this.#options, needed, this.#stopping.signal, makeSlot)
    }
    return step.action === 'stream' ? situation : look(this.#database, this.#options)
  }

  /** No other session can move the slot from here on: its position can be relied on. */
  async #take(session: Session, { slot }: Situation): Promise<void> {
    const now = (await look(this.#database, this.#options)).slot?.confirmedFlushLsn
    if (slot?.confirmedFlushLsn !== now) throw new Error('somebody else has read the slot meanwhile')
    this.#owned = true
    await this.#progress.begin(parseLsn(now ?? '') ?? 0n)
    session.acknowledge(this.#progress.remembered)
  }
}

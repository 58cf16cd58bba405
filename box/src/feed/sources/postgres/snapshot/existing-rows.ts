/** `source.snapshot` of a PostgreSQL source: whether the rows that exist already are sent first, and the slot that they join. */
import type { ClientConfig } from 'pg'
import type { Lsn } from '../../../lsn.ts'
import type { SinkLog } from '../../../sink.ts'
import type { SnapshotProgress, SourceListener } from '../../../source.ts'
import type { Database } from '../database.ts'
import { SourceError } from '../faults.ts'
import type { PostgresOptions } from '../options.ts'
import type { Session } from '../session.ts'
import { SnapshotReader } from './reader.ts'
import { Snapshot } from './snapshot.ts'
import { requireReadable, tablesOf } from './tables.ts'

interface Context {
  readonly log: SinkLog
  readonly snapshotFile?: string
}

export class ExistingRows {
  readonly #options: PostgresOptions
  readonly #config: () => ClientConfig
  readonly #snapshot: Snapshot
  /** The snapshot that the new slot's first position sees, until the session that made the slot ends. */
  #exported: { readonly name: string; readonly lsn: string } | undefined

  /** @param config for each connection */
  constructor(options: PostgresOptions, config: () => ClientConfig, { log, snapshotFile: file }: Context) {
    this.#options = options
    this.#config = config
    this.#snapshot = new Snapshot({ file, publication: options.publication.name, user: this.#user, log })
  }

  get areWanted(): boolean {
    return this.#options.snapshot === 'initial'
  }

  /** True until each of them was passed on. */
  get isPending(): boolean {
    return this.areWanted && this.#snapshot.isPending
  }

  get progress(): SnapshotProgress | null {
    return this.areWanted ? this.#snapshot.progress : null
  }

  /**
   * Writes down what is to be sent, before there is a slot.
   * @param identity of the source
   * @param isNew the slot is about to be made
   * @throws SourceError for a slot that was there before the snapshot was asked for
   */
  async settle(identity: string, isNew: boolean): Promise<void> {
    this.#exported = undefined
    if (!this.areWanted) return
    if (isNew) return this.#snapshot.begin(identity)
    if (await this.#snapshot.recall(identity)) return
    throw new SourceError(
      `The slot ${this.#options.slot.name} is there already, and a snapshot begins with a slot of its own. To send the existing rows, stop the feed, drop the slot (SELECT pg_drop_replication_slot('${this.#options.slot.name}')), remove slot.json and positions.json from stateDir, and start; to go on without them, set source.snapshot to never`,
    )
  }

  /** Makes the slot in the replication session, which exports what it sees. @throws SourceError before there is a slot */
  async makeSlot(session: Session, database: Database): Promise<void> {
    const tables = await tablesOf((sql, values) => database.query(sql, values), this.#options.publication.name)
    requireReadable(tables, this.#user)
    this.#exported = await session.createSlot(this.#options.slot.failover)
  }

  /** Passes them on. @param mayGoOn resolves when no queue is full */
  async read(listener: SourceListener, mayGoOn: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const exported = this.#exported
    this.#exported = undefined
    await using reader = await SnapshotReader.begin(this.#config(), exported, signal)
    await this.#snapshot.read(reader, listener, mayGoOn)
  }

  /** @returns true for a position of the snapshot, which means nothing to the slot */
  acknowledge(end: Lsn): boolean {
    return this.areWanted && this.#snapshot.acknowledge(end)
  }

  flush(): Promise<void> {
    return this.#snapshot.flush()
  }

  get #user(): string {
    const { user, url } = this.#options
    const inUrl = url === undefined ? '' : decodeURIComponent(URL.parse(url)?.username ?? '')
    // A URL without a user has an empty one.
    return user || inUrl || 'the role of the feed'
  }
}

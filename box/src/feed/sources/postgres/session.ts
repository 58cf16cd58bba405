/**
 * A replication session: the only file that knows what `pg` does not document. It asks for a walsender in the startup
 * packet, listens below the client for copy data, and writes copy data back (PostgreSQL manual, "Streaming Replication
 * Protocol").
 */
import { Buffer } from 'node:buffer'
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Lsn } from '../../lsn.ts'
import { serverTime } from './commit-time.ts'
import { ProtocolError } from './pgoutput.ts'

/** At most this often the server is told of progress between its regular statuses. */
const PROGRESS_MS = 1000
const GOODBYE_MS = 2000
const [XLOG_DATA, KEEPALIVE, STATUS] = [0x77, 0x6b, 0x72]
const XLOG_HEADER = 25
const KEEPALIVE_SIZE = 18

export interface SessionOptions {
  readonly slot: string
  readonly publication: string
  /** At most; a third of what the server waits, when that is less. */
  readonly statusIntervalMs: number
  /** Unix ms. */
  readonly now: () => number
}

export interface SessionListener {
  /** `bytes` from `from` to their end are one message of the plugin, at this position, given in two halves. */
  data(bytes: Buffer, from: number, upper: number, lower: number): void
  /** The server has sent everything before `end` that there is to send. */
  keepalive(end: Lsn): void
}

interface PrivateConnection extends EventEmitter {
  readonly stream: Socket
  sendCopyFromChunk(chunk: Buffer): void
}

export class Session implements AsyncDisposable {
  readonly #client: pg.Client
  readonly #connection: PrivateConnection
  readonly #options: SessionOptions
  readonly #ended = Promise.withResolvers<Error>()
  #listener: SessionListener | undefined
  #received: Lsn = 0n
  #flushed: Lsn = 0n
  #told: Lsn = 0n
  #toldAt = 0
  #heardAt = 0
  #paused = false
  #over = false
  #silenceMs = 0
  #status: NodeJS.Timeout | undefined
  #progress: NodeJS.Timeout | undefined

  private constructor(config: pg.ClientConfig, options: SessionOptions) {
    this.#options = options
    this.#client = new pg.Client({ ...config, replication: 'database' } as pg.ClientConfig)
    this.#connection = (this.#client as unknown as { connection: PrivateConnection }).connection
    this.#client.on('error', (error) => this.end(error))
    this.#client.on('end', () => this.end(new Error('the server has closed the connection')))
  }

  /** @throws what the network, TLS or the server has against it */
  static async connect(config: pg.ClientConfig, options: SessionOptions, signal: AbortSignal): Promise<Session> {
    const session = new Session(config, options)
    const giveUp = () => session.end(new Error('closed'))
    signal.addEventListener('abort', giveUp)
    try {
      await session.#client.connect()
      return session
    } catch (error) {
      session.end(error instanceof Error ? error : new Error(String(error)))
      throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Why it ended. Never rejects. */
  get ended(): Promise<Error> {
    return this.#ended.promise
  }

  /** System identifier and timeline. Only before `stream`. */
  async identify(): Promise<{ system: string; timeline: string }> {
    const { rows } = await this.#client.query('IDENTIFY_SYSTEM')
    return { system: String(rows[0]?.systemid), timeline: String(rows[0]?.timeline) }
  }

  /** The history file of a timeline that is not the first. Only before `stream`. */
  async history(timeline: string): Promise<string> {
    const types = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig
    const { rows } = await this.#client.query({ text: `TIMELINE_HISTORY ${Number(timeline)}`, types })
    return String(rows[0]?.content)
  }

  /**
   * Begins to stream from what the slot has confirmed. Resolves when the server has agreed.
   * @throws pg.DatabaseError when it has not: 42704 no such slot, 55000 lost, 55006 somebody else reads it
   */
  async stream(listener: SessionListener): Promise<void> {
    const { slot, publication } = this.#options
    const { rows } = await this.#client.query("SELECT setting FROM pg_settings WHERE name = 'wal_sender_timeout'")
    const serverWaitsMs = Number(rows[0]?.setting)
    this.#listener = listener
    this.#connection.on('copyData', ({ chunk }: { chunk: Buffer }) => this.#hear(chunk))
    const begun = new Promise<void>((resolve) => this.#connection.once('replicationStart', resolve))
    // From position 0/0, and not from one of our own: the server believes one that lies ahead, and skips what is before.
    const names = `"${publication}"`.replaceAll("'", "''")
    const streaming = this.#client
      .query(`START_REPLICATION SLOT "${slot}" LOGICAL 0/0 (proto_version '1', publication_names '${names}')`)
      .then(
        () => this.end(new Error('the server has ended the stream')),
        (error: Error) => this.end(error),
      )
    await Promise.race([begun, streaming])
    if (this.#over) throw await this.ended
    this.#heardAt = this.#options.now()
    const interval = serverWaitsMs > 0 ? Math.min(this.#options.statusIntervalMs, serverWaitsMs / 3) : undefined
    this.#silenceMs = 2 * serverWaitsMs
    // Whatever is read or not: a server that hears nothing ends the session.
    this.#status = setInterval(() => this.#check(), interval ?? this.#options.statusIntervalMs)
    if (this.#paused) this.#connection.stream.pause()
  }

  /** Everything before `end` is safe. The server is told within a second. */
  acknowledge(end: Lsn): void {
    if (end <= this.#flushed) return
    this.#flushed = end
    if (this.#progress || this.#over || !this.#status) return
    const wait = Math.max(0, this.#toldAt + PROGRESS_MS - this.#options.now())
    if (wait === 0) this.#tell(false)
    else this.#progress = setTimeout(() => this.#tell(false), Math.min(wait, PROGRESS_MS))
  }

  /** Before it streams, it waits for that: the answer has to be read. */
  pause(): void {
    this.#paused = true
    if (this.#status) this.#connection.stream.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#heardAt = this.#options.now()
    this.#connection.stream.resume()
  }

  /** Ends it at once. The first reason stays. */
  end(reason: Error): void {
    if (this.#over) return
    this.#over = true
    clearInterval(this.#status)
    clearTimeout(this.#progress)
    this.#ended.resolve(reason)
    this.#connection.stream.destroy()
  }

  /** Tells the server how far everything came, and says goodbye. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#over) return
    if (this.#status && this.#flushed > this.#told) this.#tell(false)
    this.#listener = undefined
    // What is still under way is read and dropped: bytes that nobody reads would turn the goodbye into a reset.
    this.#connection.stream.resume()
    this.#client.end().catch(() => {})
    await Promise.race([this.#ended.promise, sleep(GOODBYE_MS, undefined, { ref: false })])
    this.end(new Error('closed'))
  }

  #hear(chunk: Buffer): void {
    if (this.#over) return
    this.#heardAt = this.#options.now()
    // An exception that left this handler would end the process and not the session.
    try {
      if (chunk[0] === XLOG_DATA && chunk.length > XLOG_HEADER) {
        this.#listener?.data(chunk, XLOG_HEADER, chunk.readUInt32BE(1), chunk.readUInt32BE(5))
      } else if (chunk[0] === KEEPALIVE && chunk.length === KEEPALIVE_SIZE) {
        const end = chunk.readBigUInt64BE(1)
        if (end > this.#received) this.#received = end
        this.#listener?.keepalive(end)
        if (chunk[KEEPALIVE_SIZE - 1] === 1) this.#tell(false)
      } else throw new ProtocolError('copy data that is neither a change nor a keepalive')
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #check(): void {
    const silent = this.#options.now() - this.#heardAt
    if (!this.#paused && this.#silenceMs > 0 && silent > this.#silenceMs) {
      this.end(new Error(`the server has said nothing for ${Math.round(silent / 1000)} s`))
    } else {
      // With a question: a server that hears from us would have no reason to say anything itself.
      this.#tell(true)
    }
  }

  #tell(question: boolean): void {
    if (this.#over) return
    clearTimeout(this.#progress)
    this.#progress = undefined
    this.#told = this.#flushed
    this.#toldAt = this.#options.now()
    const status = Buffer.alloc(34)
    status[0] = STATUS
    status.writeBigUInt64BE(this.#received > this.#flushed ? this.#received : this.#flushed, 1)
    status.writeBigUInt64BE(this.#flushed, 9)
    status.writeBigUInt64BE(this.#flushed, 17)
    status.writeBigInt64BE(serverTime(this.#toldAt), 25)
    status[33] = question ? 1 : 0
    this.#connection.sendCopyFromChunk(status)
  }
}

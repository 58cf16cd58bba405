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
  /** For each answer before the stream. */
  readonly timeoutMs: number
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
  #paused = false
  #over = false
  /** Statuses sent since the server last said something: no clock, which may be set, and no sleep of this machine counts. */
  #unanswered = 0
  #mostUnanswered = Number.POSITIVE_INFINITY
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
    const [row] = await this.#ask('IDENTIFY_SYSTEM')
    return { system: String(row?.systemid), timeline: String(row?.timeline) }
  }

  /** The history file of a timeline that is not the first. Only before `stream`. */
  async history(timeline: string): Promise<string> {
    const [row] = await this.#ask(`TIMELINE_HISTORY ${Number(timeline)}`)
    return String(row?.content)
  }

  /**
   * Begins to stream from what the slot has confirmed. Resolves when the server has agreed.
   * @throws pg.DatabaseError when it has not: 42704 no such slot, 55000 lost, 55006 somebody else reads it
   */
  async stream(listener: SessionListener): Promise<void> {
    const { slot, publication, timeoutMs } = this.#options
    const [row] = await this.#ask("SELECT setting FROM pg_settings WHERE name = 'wal_sender_timeout'")
    const serverWaitsMs = Number(row?.setting)
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
    const hung = setTimeout(() => this.end(new Error('the server does not begin to stream')), timeoutMs)
    await Promise.race([begun, streaming, this.ended])
    clearTimeout(hung)
    if (this.#over) throw await this.ended
    let interval = this.#options.statusIntervalMs
    if (serverWaitsMs > 0) {
      interval = Math.min(interval, serverWaitsMs / 3)
      this.#mostUnanswered = Math.ceil((2 * serverWaitsMs) / interval)
    }
    // Whatever is read or not: a server that hears nothing ends the session.
    this.#status = setInterval(() => this.#check(), interval)
    if (this.#paused) this.#connection.stream.pause()
  }

  /** Everything before `end` is safe. The server is told within a second. */
  acknowledge(end: Lsn): void {
    if (end <= this.#flushed) return
    this.#flushed = end
    if (this.#status && !this.#progress) this.#progressed()
  }

  /** Before it streams, it waits for that: the answer has to be read. */
  pause(): void {
    this.#paused = true
    if (this.#status) this.#connection.stream.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#unanswered = 0
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

  async #ask(text: string): Promise<Record<string, string | null>[]> {
    const asText = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig
    const query = { text, types: asText, query_timeout: this.#options.timeoutMs }
    return (await this.#client.query<Record<string, string | null>>(query)).rows
  }

  #hear(chunk: Buffer): void {
    if (this.#over) return
    this.#unanswered = 0
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
    if (!this.#paused && this.#unanswered >= this.#mostUnanswered) {
      this.end(new Error('the server has said nothing for twice its wal_sender_timeout'))
      return
    }
    if (!this.#paused) this.#unanswered++
    // With a question: a server that hears from us would have no reason to say anything itself.
    this.#tell(true)
  }

  #progressed(): void {
    this.#progress = undefined
    if (this.#over || this.#flushed === this.#told) return
    this.#tell(false)
    this.#progress = setTimeout(() => this.#progressed(), PROGRESS_MS)
  }

  #tell(question: boolean): void {
    if (this.#over) return
    this.#told = this.#flushed
    const status = Buffer.alloc(34)
    status[0] = STATUS
    status.writeBigUInt64BE(this.#received > this.#flushed ? this.#received : this.#flushed, 1)
    status.writeBigUInt64BE(this.#flushed, 9)
    status.writeBigUInt64BE(this.#flushed, 17)
    status.writeBigInt64BE(serverTime(this.#options.now()), 25)
    status[33] = question ? 1 : 0
    this.#connection.sendCopyFromChunk(status)
  }
}

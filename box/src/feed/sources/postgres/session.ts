/**
 * A replication session (PostgreSQL manual, "Streaming Replication Protocol"), and the only file that uses what `pg` does not
 * document: it asks for a walsender in the startup packet, receives copy data below the client, and sends copy data back.
 */
import { Buffer } from 'node:buffer'
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Lsn } from '../../lsn.ts'
import { serverTime } from './commit-time.ts'
import { ProtocolError } from './pgoutput.ts'

/** At most this often progress is reported between the regular status updates. */
const PROGRESS_MS = 1000
const GOODBYE_MS = 2000
const [XLOG_DATA, KEEPALIVE, STATUS] = [0x77, 0x6b, 0x72]
const XLOG_HEADER = 25
const KEEPALIVE_SIZE = 18

export interface SessionOptions {
  readonly slot: string
  readonly publication: string
  /** At most; a third of the server's wal_sender_timeout where that is less. */
  readonly statusIntervalMs: number
  /** For each answer before the stream. */
  readonly timeoutMs: number
  /** Unix ms. */
  readonly now: () => number
}

export interface SessionListener {
  /** `bytes` from `from` to their end are one message of the plugin; `upper` and `lower` are the halves of its LSN. */
  data(bytes: Buffer, from: number, upper: number, lower: number): void
  /** The server has sent everything there is before `end`. */
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
  #reported: Lsn = 0n
  #paused = false
  #over = false
  /** Status updates since the server's last message: counted, since a clock may be set and a machine may sleep. */
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

  /** @throws the error of the network, TLS or the server */
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

  /** Reason why it ended. Never rejects. */
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
   * Makes the slot, and exports what its first position sees: it can be imported until this session is told anything else.
   * Waits for every open transaction, however long. Only before `stream`.
   * @throws pg.DatabaseError
   */
  async createSlot(failover: boolean): Promise<{ name: string; lsn: string }> {
    const options = failover ? "(SNAPSHOT 'export', FAILOVER)" : 'EXPORT_SNAPSHOT'
    const text = `CREATE_REPLICATION_SLOT "${this.#options.slot}" LOGICAL pgoutput ${options}`
    const [row] = await this.#ask(text, 0)
    return { name: String(row?.snapshot_name), lsn: String(row?.consistent_point) }
  }

  /**
   * Begins to stream from the slot's confirmed position. Resolves when the server has begun.
   * @throws pg.DatabaseError: 42704 no such slot, 55000 lost, 55006 another session reads it
   */
  async stream(listener: SessionListener): Promise<void> {
    const { slot, publication, timeoutMs } = this.#options
    const [row] = await this.#ask("SELECT setting FROM pg_settings WHERE name = 'wal_sender_timeout'")
    const serverWaitsMs = Number(row?.setting)
    this.#listener = listener
    this.#connection.on('copyData', ({ chunk }: { chunk: Buffer }) => this.#receive(chunk))
    const begun = new Promise<void>((resolve) => this.#connection.once('replicationStart', resolve))
    // From 0/0 and not from a position of our own: the server would skip to one that is ahead of the slot.
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
    // Also while paused: without status updates the server ends the session.
    this.#status = setInterval(() => this.#check(), interval)
    if (this.#paused) this.#connection.stream.pause()
  }

  /** Everything before `end` is safe. Reported to the server within a second. */
  acknowledge(end: Lsn): void {
    if (end <= this.#flushed) return
    this.#flushed = end
    if (this.#status && !this.#progress) this.#progressed()
  }

  /** Takes effect once it streams: the answer to the request has to be read first. */
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

  /** Ends it at once; `ended` resolves with the first reason. */
  end(reason: Error): void {
    if (this.#over) return
    this.#over = true
    clearInterval(this.#status)
    clearTimeout(this.#progress)
    this.#ended.resolve(reason)
    this.#connection.stream.destroy()
  }

  /** Reports progress to the server and ends the session. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#over) return
    if (this.#status && this.#flushed > this.#reported) this.#report(false)
    this.#listener = undefined
    // Bytes that still arrive are read and dropped: unread ones would make the end of the connection a reset.
    this.#connection.stream.resume()
    this.#client.end().catch(() => {})
    await Promise.race([this.#ended.promise, sleep(GOODBYE_MS, undefined, { ref: false })])
    this.end(new Error('closed'))
  }

  async #ask(text: string, timeoutMs = this.#options.timeoutMs): Promise<Record<string, string | null>[]> {
    const asText = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig
    const query = { text, types: asText, ...(timeoutMs > 0 && { query_timeout: timeoutMs }) }
    return (await this.#client.query<Record<string, string | null>>(query)).rows
  }

  #receive(chunk: Buffer): void {
    if (this.#over) return
    this.#unanswered = 0
    // An exception that leaves this handler would end the process and not only the session.
    try {
      if (chunk[0] === XLOG_DATA && chunk.length > XLOG_HEADER) {
        this.#listener?.data(chunk, XLOG_HEADER, chunk.readUInt32BE(1), chunk.readUInt32BE(5))
      } else if (chunk[0] === KEEPALIVE && chunk.length === KEEPALIVE_SIZE) {
        const end = chunk.readBigUInt64BE(1)
        if (end > this.#received) this.#received = end
        this.#listener?.keepalive(end)
        if (chunk[KEEPALIVE_SIZE - 1] === 1) this.#report(false)
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
    // Requests a reply: a server that gets status updates has no other reason to send anything.
    this.#report(true)
  }

  #progressed(): void {
    this.#progress = undefined
    if (this.#over || this.#flushed === this.#reported) return
    this.#report(false)
    this.#progress = setTimeout(() => this.#progressed(), PROGRESS_MS)
  }

  #report(requestReply: boolean): void {
    if (this.#over) return
    this.#reported = this.#flushed
    const status = Buffer.alloc(34)
    status[0] = STATUS
    status.writeBigUInt64BE(this.#received > this.#flushed ? this.#received : this.#flushed, 1)
    status.writeBigUInt64BE(this.#flushed, 9)
    status.writeBigUInt64BE(this.#flushed, 17)
    status.writeBigInt64BE(serverTime(this.#options.now()), 25)
    status[33] = requestReply ? 1 : 0
    this.#connection.sendCopyFromChunk(status)
  }
}

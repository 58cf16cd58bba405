/** An ordinary session beside the replication session, opened on demand and again after it is lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type Row = Readonly<Record<string, string | null>>

const GOODBYE_MS = 1000

export class Database implements AsyncDisposable {
  readonly #config: () => pg.ClientConfig
  readonly #timeoutMs: number
  readonly #onEnd: () => void
  #client: pg.Client | undefined
  #connected: Promise<unknown> | undefined
  /** One query at a time. */
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  /**
   * @param timeoutMs for each statement; 0 for no limit
   * @param onEnd called when the session has ended unexpectedly
   */
  constructor(config: () => pg.ClientConfig, timeoutMs: number, onEnd: () => void = () => {}) {
    this.#config = config
    this.#timeoutMs = timeoutMs
    this.#onEnd = onEnd
  }

  /** Runs one statement; all values are text. @throws pg.DatabaseError, or the error of the connection */
  query(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const rows = this.#last.then(() => this.#query(sql, values))
    this.#last = rows.catch(() => {})
    return rows
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    const goodbye = this.#client?.end().catch(() => {})
    await Promise.race([goodbye, sleep(GOODBYE_MS, undefined, { ref: false })])
  }

  async #query(sql: string, values: readonly unknown[]): Promise<Row[]> {
    if (this.#closed) throw new Error('the connection is closed')
    this.#client ??= this.#open()
    const client = this.#client
    this.#connected ??= client.connect()
    try {
      await this.#connected
    } catch (error) {
      this.#forget(client)
      throw error
    }
    try {
      return (await client.query<Row>(sql, [...values])).rows
    } catch (error) {
      // An error that is not the server's own: this session may never answer again.
      if (!(error instanceof pg.DatabaseError) && this.#forget(client)) client.end().catch(() => {})
      throw error
    }
  }

  #open(): pg.Client {
    const asText = { getTypeParser: () => (value: string) => value }
    const client = new pg.Client({
      ...this.#config(),
      types: asText as unknown as pg.CustomTypesConfig,
      ...(this.#timeoutMs > 0 && { query_timeout: this.#timeoutMs, statement_timeout: this.#timeoutMs }),
    })
    const gone = () => {
      if (this.#forget(client) && !this.#closed) this.#onEnd()
    }
    return client.on('error', gone).on('end', gone)
  }

  #forget(client: pg.Client): boolean {
    if (this.#client !== client) return false
    this.#client = undefined
    this.#connected = undefined
    return true
  }
}

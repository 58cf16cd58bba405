/** Reads pages of rows in one repeatable-read transaction: all of them are of the same moment. */
import pg from 'pg'
import type { Row } from '../database.ts'
import { pageSql, type SnapshotTable, tablesOf } from './tables.ts'

export interface Page {
  /** JSON objects of column to text or null. */
  readonly rows: readonly string[]
  /** The key of the last row. */
  readonly last: readonly string[]
  /** Characters of the rows. */
  readonly size: number
}

const GOODBYE = 'closed'

export class SnapshotReader implements AsyncDisposable {
  readonly #client: pg.Client
  #lsn = ''
  #time = ''

  private constructor(client: pg.Client) {
    this.#client = client
  }

  /**
   * @param exported the snapshot of the moment in which the slot begins, and that position; a later moment without it
   * @param signal ends the session, in the middle of a statement too
   * @throws pg.DatabaseError, or the error of the network
   */
  static async begin(
    config: pg.ClientConfig,
    exported: { readonly name: string; readonly lsn: string } | undefined,
    signal: AbortSignal,
  ): Promise<SnapshotReader> {
    const types = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig
    const client = new pg.Client({ ...config, types })
    client.on('error', () => {})
    const cut = () => void client.end().catch(() => {})
    signal.addEventListener('abort', cut, { once: true })
    client.once('end', () => signal.removeEventListener('abort', cut))
    const reader = new SnapshotReader(client)
    try {
      await client.connect()
      await reader.#begin(exported)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    return reader
  }

  /** The position in the log that the rows have at least. */
  get lsn(): string {
    return this.#lsn
  }

  /** When they were so: ISO 8601, UTC. */
  get time(): string {
    return this.#time
  }

  tables(publication: string): Promise<SnapshotTable[]> {
    return tablesOf((sql, values) => this.#query(sql, values), publication)
  }

  /** @param after the key of the row before the page; null for the first page */
  async page(table: SnapshotTable, after: readonly string[] | null, limit: number): Promise<Page> {
    const text = pageSql(table, after !== null, limit)
    const { rows } = await this.#client.query<(string | null)[]>({ text, values: [...(after ?? [])], rowMode: 'array' })
    const names = table.columns.map((name) => JSON.stringify(name))
    let size = 0
    const images = rows.map((row) => {
      const json = `{${names.map((name, i) => `${name}:${JSON.stringify(row[i])}`).join(',')}}`
      size += json.length
      return json
    })
    return { rows: images, last: (rows.at(-1)?.slice(names.length) ?? []) as string[], size }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.race([
      this.#client.end().catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, 1000, GOODBYE).unref()),
    ])
  }

  async #begin(exported: { readonly name: string; readonly lsn: string } | undefined): Promise<void> {
    // An error where a policy would leave out rows.
    await this.#query('SET row_security = off')
    // A sink that is slow or paused makes the transaction wait.
    await this.#query('SET idle_in_transaction_session_timeout = 0')
    await this.#query('SET statement_timeout = 0')
    const [now] = exported ? [] : await this.#query(NOW)
    await this.#query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    if (exported) await this.#query(`SET TRANSACTION SNAPSHOT '${exported.name.replaceAll("'", "''")}'`)
    const [begun] = await this.#query(TIME)
    this.#lsn = exported?.lsn ?? now?.lsn ?? '0/0'
    this.#time = begun?.time ?? ''
  }

  async #query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(text, [...values])).rows
  }
}

const NOW = 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS lsn'
const TIME = `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time`

/** A source under test, and a listener that records what it delivers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Value } from 'typebox/value'
import type { ChangeEvent } from '../../src/feed/change.ts'
import type { Lsn } from '../../src/feed/lsn.ts'
import type { Delivered, Source, SourceGap, SourceListener } from '../../src/feed/source.ts'
import { PostgresOptions } from '../../src/feed/sources/postgres/options.ts'
import { PostgresSource } from '../../src/feed/sources/postgres/source.ts'
import type { Postgres } from '../world/postgres.ts'

export interface Logged {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly [field: string]: unknown
}

export class Recorded implements SourceListener {
  readonly events: ChangeEvent[] = []
  readonly commits: { readonly commitLsn: Lsn; readonly end: Lsn }[] = []
  /** Log lines of the source. */
  readonly log: Logged[] = []
  readonly gaps: SourceGap[] = []
  /** Position at which reading began. */
  beganAt: Lsn = 0n
  idles = 0
  lastIdle: Lsn = 0n
  /** Acknowledge what is complete, as an engine does whose sinks are quick; or nothing. */
  acknowledges: boolean
  source: Source | undefined

  constructor(acknowledges = true) {
    this.acknowledges = acknowledges
  }

  began(end: Lsn): void {
    this.beganAt = end
  }

  event(event: ChangeEvent): void {
    this.events.push(event)
  }

  commit(commit: { readonly commitLsn: Lsn; readonly end: Lsn }): void {
    this.commits.push(commit)
    if (this.acknowledges) this.source?.acknowledge(commit.end)
  }

  idle(end: Lsn): void {
    this.idles++
    this.lastIdle = end
    if (this.acknowledges) this.source?.acknowledge(end)
  }

  async gap(gap: SourceGap): Promise<void> {
    this.gaps.push(gap)
  }

  /** Of one table: operation and images, as short as a test wants to see them. */
  changesOf(table: string): string[] {
    return this.events
      .filter((event) => event.table === table)
      .map(({ op, beforeJson, afterJson }) => [op, beforeJson, afterJson].filter(Boolean).join(' '))
  }

  /** Ids of the events, each once. */
  get ids(): string[] {
    return [...new Set(this.events.map(({ id }) => id))]
  }

  logged(event: string): Logged[] {
    return this.log.filter((line) => line.event === event)
  }

  /** Waits for this many events of the table, and the commit of the last. */
  async count(table: string, n: number): Promise<ChangeEvent[]> {
    const found = () => this.events.filter((event) => event.table === table)
    await this.until(
      () => found().length >= n && this.commits.at(-1)?.commitLsn === this.events.at(-1)?.position.commitLsn,
      () => `${n} events of ${table}, not ${found().length}`,
    )
    return found()
  }

  async until(holds: () => boolean | Promise<boolean>, what: () => string = () => String(holds)): Promise<void> {
    for (const end = performance.now() + 60_000; performance.now() < end; await sleep(5)) if (await holds()) return
    throw new Error(`waited in vain for ${what()}; ${JSON.stringify(this.source?.state)}; ${JSON.stringify(this.log)}`)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what a configuration file may say
export type Given = Record<string, any>

/** A database of its own on a server that several tests share, with sources whose slot and publication bear its name. */
export class Place {
  readonly server: Postgres
  readonly name: string

  private constructor(server: Postgres, name: string) {
    this.server = server
    this.name = name
  }

  static async make(server: Postgres, name: string): Promise<Place> {
    await server.query(`CREATE DATABASE ${name}`)
    return new Place(server, name)
  }

  /** One statement with values, or several without, in a session of its own. @returns the (last) rows, every value as its text */
  async query(sql: string, values?: unknown[]): Promise<Record<string, string | null>[]> {
    await using client = await this.server.connect(this.name)
    const types = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig
    const result: unknown = await client.query({ text: sql, types, ...(values && { values }) })
    const last = Array.isArray(result) ? result.at(-1) : result
    return (last as pg.QueryResult<Record<string, string | null>>).rows
  }

  options(given: Given = {}): Given {
    const { slot, publication, ...rest } = given
    return {
      url: this.server.url(this.name),
      slot: { name: this.name, ...slot },
      publication: { name: this.name, ...publication },
      ...rest,
    }
  }

  /** A source that streams. */
  open(given: Given = {}, context: Remembered = {}): Promise<Opened> {
    return openSource(this.server, this.options(given), context)
  }

  /** The slot's row on the server. */
  async slot(name = this.name): Promise<Record<string, string | null> | undefined> {
    const [row] = await this.query('SELECT * FROM pg_replication_slots WHERE slot_name = $1', [name])
    return row
  }
}

/** Options as the configuration's reader fills them in, with everything quick, and everything created that may be. */
export function optionsFor(server: Postgres, given: Given = {}): PostgresOptions {
  const { slot, publication, ...rest } = given
  const options: unknown = Value.Default(PostgresOptions, {
    kind: 'postgres',
    ...(rest.host === undefined && { url: server.url() }),
    slot: { create: true, ...slot },
    publication: { create: true, ...publication },
    reconnectMinMs: 50,
    reconnectMaxMs: 500,
    ...rest,
  })
  const [mistake] = Value.Errors(PostgresOptions, options)
  if (mistake) throw new Error(`${mistake.instancePath} ${mistake.message}`)
  return options as PostgresOptions
}

interface Opened extends AsyncDisposable {
  readonly source: PostgresSource
  readonly heard: Recorded
}

interface Remembered {
  /** File with its progress. */
  slotFile?: string
  /** The progress of the sinks, from the runs before. */
  delivered?: Delivered
  heard?: Recorded
}

/** A source that streams. */
export async function openSource(
  server: Postgres,
  given: Given = {},
  { slotFile, delivered, heard = new Recorded() }: Remembered = {},
): Promise<Opened> {
  const opened = makeSource(server, given, { ...(slotFile !== undefined && { slotFile }), heard })
  await opened.source.start(opened.heard, delivered)
  return opened
}

/** The same, before it is started. */
export function makeSource(
  server: Postgres,
  given: Given = {},
  {
    slotFile,
    heard = new Recorded(),
    now = Date.now,
  }: { slotFile?: string; heard?: Recorded; now?: () => number } = {},
): Opened {
  const write =
    (level: Logged['level']) =>
    (fields: object): void => {
      heard.log.push({ level, event: '', ...fields })
    }
  const source = new PostgresSource(optionsFor(server, given), {
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    now,
    environment: {},
    ...(slotFile !== undefined && { slotFile }),
  })
  heard.source = source
  return { source, heard, [Symbol.asyncDispose]: () => source[Symbol.asyncDispose]() }
}

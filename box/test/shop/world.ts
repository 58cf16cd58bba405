/** A shop with a real PostgreSQL, its feed, and a box in a process of its own, joined by mutual TLS. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { parse, stringify } from 'yaml'
import { FeedProcess } from '../feed/daemon-world.ts'
import { freePorts } from '../world/ports.ts'
import { Postgres } from '../world/postgres.ts'
import { ProcessBox } from '../world/process-box.ts'
import { feed } from '../world/programs.ts'

export interface ShopWorldOptions {
  /** Of the shop's database. */
  schema: string
  /** shop.yaml. */
  mapping: object
  /** More settings of the box. */
  environment?: Record<string, string>
}

export class ShopWorld implements AsyncDisposable {
  readonly postgres: Postgres
  readonly box: ProcessBox
  /** Port at which the box takes the shop's changes. */
  readonly receiverPort: number
  readonly feedFolder: string
  readonly #stack: AsyncDisposableStack
  #feed: FeedProcess | undefined

  private constructor(postgres: Postgres, box: ProcessBox, receiverPort: number, stack: AsyncDisposableStack) {
    this.postgres = postgres
    this.box = box
    this.receiverPort = receiverPort
    this.feedFolder = join(box.folder.path, 'shop-feed')
    this.#stack = stack
  }

  /** Database and box run; no feed yet. */
  static async open({ schema, mapping, environment = {} }: ShopWorldOptions): Promise<ShopWorld> {
    await using opening = new AsyncDisposableStack()
    const postgres = opening.use(await Postgres.start({ version: 15 }))
    await postgres.query(schema)
    // The feed's file has the port: a restarted box keeps it.
    const [port = 0] = await freePorts(1)
    const settings = { GATEHOUSE_RECEIVER_PORT: String(port), ...environment }
    const box = opening.use(new ProcessBox({ environment: settings }))
    const source = 'source' in mapping && { source: { url: postgres.url(), ...(mapping.source as object) } }
    const path = join(box.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'shop.yaml')
    writeFileSync(path, stringify({ ...mapping, ...source }))
    await box.start()
    return new ShopWorld(postgres, box, port, opening.move())
  }

  get feed(): FeedProcess {
    if (!this.#feed) throw new Error('the feed does not run')
    return this.#feed
  }

  /** Makes the certificate and the feed's folder, as an operator does. */
  async certify(...args: string[]): Promise<void> {
    await using command = this.box.command('shop', 'certificate', '--out', this.feedFolder, '--json', ...args)
    await command.exited()
    const path = join(this.feedFolder, 'changefeed.yaml')
    const file = parse(readFileSync(path, 'utf8'))
    file.server.listen = '127.0.0.1:0'
    file.source = { ...file.source, url: this.postgres.url(), passwordEnv: undefined }
    file.source.publication.create = true
    file.sinks[0].options.address = `127.0.0.1:${this.receiverPort}`
    file.sinks[0].backoff = { initialMs: 20, maxMs: 200 }
    writeFileSync(path, stringify(file))
  }

  async startFeed(): Promise<void> {
    const config = join(this.feedFolder, 'changefeed.yaml')
    this.#feed = new FeedProcess([process.execPath, feed(), '--config', config], {})
    await this.#feed.said(/"event":"source_streaming"/)
  }

  async stopFeed(): Promise<void> {
    await this.#feed?.stop()
    this.#feed = undefined
  }

  /** `gatehouse shop ...`. @returns what it printed as JSON */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it looks at
  async shop(...args: string[]): Promise<any> {
    await using command = this.box.command('shop', ...args, '--json')
    await command.exited()
    try {
      // Node's own warnings are in the output too.
      return JSON.parse(/^\{.*\}$/m.exec(command.output)?.[0] ?? '')
    } catch {
      throw new Error(command.output)
    }
  }

  async load(): Promise<{ tables: Record<string, number>; seconds: number }> {
    return this.shop('load', '--config', join(this.feedFolder, 'changefeed.yaml'))
  }

  async verified(): Promise<{ ok: boolean; problems: unknown[] }> {
    const { data } = await this.box.admin().GET('/v1/admin/verify')
    if (!data) throw new Error('no answer')
    return data
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopFeed()
    await this.#stack.disposeAsync()
  }
}

/** Scans until the verdict is this one. @returns how long that took, milliseconds */
export async function verdictOf(
  scan: (payload: string, more?: Partial<ScanRequest>) => Promise<Verdict>,
  payload: string,
  wanted: (verdict: Verdict) => boolean,
): Promise<number> {
  const begun = performance.now()
  for (let last: Verdict | undefined; performance.now() - begun < 30_000; ) {
    last = await scan(payload)
    if (wanted(last)) return performance.now() - begun
    if (performance.now() - begun > 29_000) throw new Error(`${payload}: ${JSON.stringify(last)}`)
  }
  throw new Error('unreachable')
}

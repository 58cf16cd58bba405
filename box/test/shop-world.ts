/** A shop with a real PostgreSQL, its feed, and a box in a process of its own, joined by mutual TLS. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { parse, stringify } from 'yaml'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import { FeedProcess } from './feed-daemon-world.ts'
import { Postgres } from './postgres.ts'
import { BoxFolder, type BoxProcess, type Ports } from './process-box.ts'
import { scanOf } from './scan-of.ts'

const FEED = join(import.meta.dirname, '../src/feed-main.ts')

export interface ShopWorldOptions {
  /** Of the shop's database. */
  schema: string
  /** shop.yaml. */
  mapping: object
  /** More settings of the box. */
  environment?: Record<string, string>
}

export type ShopPorts = Ports & { receiver: number }

export class ShopWorld implements AsyncDisposable {
  readonly postgres: Postgres
  readonly folder: BoxFolder
  readonly feedFolder: string
  readonly #stack = new AsyncDisposableStack()
  #box: BoxProcess | undefined
  #feed: FeedProcess | undefined
  #ports: ShopPorts | undefined
  #admin: GatehouseClient | undefined

  private constructor(postgres: Postgres, folder: BoxFolder) {
    this.postgres = postgres
    this.folder = folder
    this.feedFolder = join(folder.path, 'shop-feed')
  }

  /** Database and box run; no feed yet. */
  static async open({ schema, mapping, environment = {} }: ShopWorldOptions): Promise<ShopWorld> {
    await using opening = new AsyncDisposableStack()
    const postgres = opening.use(await Postgres.start({ version: 15 }))
    await postgres.query(schema)
    const settings = { GATEHOUSE_RECEIVER_PORT: '0', ...environment }
    const folder = opening.use(new BoxFolder({ environment: settings }))
    const world = new ShopWorld(postgres, folder)
    const source = 'source' in mapping && { source: { url: postgres.url(), ...(mapping.source as object) } }
    world.map({ ...mapping, ...source })
    await world.startBox()
    // From here on the world closes itself.
    world.#stack.use(opening.move())
    return world
  }

  get box(): BoxProcess {
    if (!this.#box) throw new Error('the box does not run')
    return this.#box
  }

  get feed(): FeedProcess {
    if (!this.#feed) throw new Error('the feed does not run')
    return this.#feed
  }

  get ports(): ShopPorts {
    if (!this.#ports) throw new Error('the box does not run')
    return this.#ports
  }

  map(mapping: object): void {
    writeFileSync(join(this.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'shop.yaml'), stringify(mapping))
  }

  async startBox(): Promise<void> {
    const { environment } = this.folder
    // The feed's file has the port: a box that comes back is where it was.
    if (this.#ports) Object.assign(environment, { GATEHOUSE_RECEIVER_PORT: String(this.#ports.receiver) })
    this.#box = this.folder.start()
    this.#ports = (await this.#box.opened()) as ShopPorts
    this.#admin = undefined
  }

  async killBox(): Promise<void> {
    await this.box.kill()
  }

  /** Makes the certificate and the feed's folder, as an operator does. */
  async certify(...args: string[]): Promise<void> {
    await using command = this.folder.command('shop', 'certificate', '--out', this.feedFolder, '--json', ...args)
    await command.exited()
    const path = join(this.feedFolder, 'changefeed.yaml')
    const file = parse(readFileSync(path, 'utf8'))
    file.server.listen = '127.0.0.1:0'
    file.source = { ...file.source, url: this.postgres.url(), passwordEnv: undefined }
    file.source.publication.create = true
    file.sinks[0].options.address = `127.0.0.1:${this.ports.receiver}`
    file.sinks[0].backoff = { initialMs: 20, maxMs: 200 }
    writeFileSync(path, stringify(file))
  }

  async startFeed(): Promise<void> {
    const config = join(this.feedFolder, 'changefeed.yaml')
    this.#feed = new FeedProcess([process.execPath, FEED, '--config', config], {})
    await this.#feed.said(/"event":"source_streaming"/)
  }

  async stopFeed(): Promise<void> {
    await this.#feed?.stop()
    this.#feed = undefined
  }

  /** `gatehouse shop ...`. @returns what it printed as JSON */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it looks at
  async shop(...args: string[]): Promise<any> {
    await using command = this.folder.command('shop', ...args, '--json')
    await command.exited()
    try {
      // Node has words of its own on the other stream.
      return JSON.parse(/^\{.*\}$/m.exec(command.output)?.[0] ?? '')
    } catch {
      throw new Error(command.output)
    }
  }

  async load(): Promise<{ tables: Record<string, number>; seconds: number }> {
    return this.shop('load', '--config', join(this.feedFolder, 'changefeed.yaml'))
  }

  async admin(): Promise<GatehouseClient> {
    if (this.#admin) return this.#admin
    const ca = await (await fetch(`http://127.0.0.1:${this.ports.http}/ca.crt`)).text()
    const token = readFileSync(join(this.folder.dataDir, 'admin-token'), 'utf8').trim()
    const secure = this.#stack.use(tlsFetch({ ca }))
    this.#admin = gatehouseClient({ baseUrl: `https://127.0.0.1:${this.ports.https}`, token, fetch: secure })
    return this.#admin
  }

  async verified(): Promise<{ ok: boolean; problems: unknown[] }> {
    const { data } = await (await this.admin()).GET('/v1/admin/verify')
    if (!data) throw new Error('no answer')
    return data
  }

  /** A scanner at every checkpoint. */
  async scanner(): Promise<(payload: string, more?: Partial<ScanRequest>) => Promise<Verdict>> {
    const { ca, certificate: cert, key, token } = await this.folder.pair(this.ports, 'scanner')
    const secure = this.#stack.use(tlsFetch({ ca, cert, key }))
    return async (payload, more) => {
      const client = gatehouseClient({ baseUrl: `https://127.0.0.1:${this.ports.device}`, token, fetch: secure })
      const { data, error } = await client.POST('/v1/scan', { body: scanOf(payload, Date.now(), more ?? {}) })
      if (!data) throw new Error(`${error.code}: ${error.message}`)
      return data
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopFeed()
    await this.#box?.[Symbol.asyncDispose]()
    rmSync(this.feedFolder, { recursive: true, force: true })
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

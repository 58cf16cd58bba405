/** A real HQ over a real PostgreSQL, and real boxes with their feeds that dial it: each a process, all on loopback. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import type { Environment } from '../src/config.ts'
import { type TlsFetch, tlsFetch } from '../src/device/tls-fetch.ts'
import type { HqStatus } from '../src/hq/status.ts'
import { Postgres } from './postgres.ts'
import { BoxFolder, BoxProcess, type Exit, type Ports } from './process-box.ts'
import { scanOf } from './scan-of.ts'
import { until } from './until.ts'

const HQ_MAIN = join(import.meta.dirname, '../src/hq-main.ts')
const BOX_MAIN = join(import.meta.dirname, '../src/main.ts')

export class HqWorld implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-hq-'))
  readonly postgres: Postgres
  #process: BoxProcess | undefined
  #port = 0
  /** What HQ has logged, in all its lives. */
  output = ''

  private constructor(postgres: Postgres) {
    this.postgres = postgres
  }

  static async start(version: 15 | 18 = 18): Promise<HqWorld> {
    const world = new HqWorld(await Postgres.start({ version }))
    try {
      await world.launch()
    } catch (error) {
      await world[Symbol.asyncDispose]()
      throw error
    }
    return world
  }

  get environment() {
    return {
      HQ_DATABASE_URL: this.postgres.url(),
      HQ_DATA_DIR: join(this.path, 'data'),
      HQ_HOST: '127.0.0.1',
      HQ_PORT: String(this.#port),
      HQ_HEALTH_PORT: '0',
      HQ_LOG_LEVEL: 'debug',
    }
  }

  /** host:port that boxes dial, the same in every life. */
  get address(): string {
    return `localhost:${this.#port}`
  }

  get forBoxes(): string {
    return join(this.path, 'data/for-boxes')
  }

  /** PEM, of HQ's own authority. */
  get ca(): string {
    return readFileSync(join(this.forBoxes, 'hq-ca.crt'), 'utf8')
  }

  /** Starts HQ (again). */
  async launch(): Promise<void> {
    this.#process = new BoxProcess([process.execPath, HQ_MAIN, 'serve'], this.environment)
    const line = await this.#process.said(/^\{.*"event":"hq_open".*\}$/m)
    this.#port = JSON.parse(line).port
  }

  async kill(): Promise<void> {
    this.output += this.#process?.output ?? ''
    await this.#process?.kill()
    this.#process = undefined
  }

  /** As an operator stops it. */
  async stop(): Promise<Exit | undefined> {
    this.#process?.signal('SIGTERM')
    const exit = await this.#process?.exited()
    this.output += this.#process?.output ?? ''
    this.#process = undefined
    return exit
  }

  get log(): string {
    return this.output + (this.#process?.output ?? '')
  }

  /** Runs `gatehouse-hq` beside it. */
  async command(...args: string[]): Promise<{ code: number | null; output: string }> {
    await using command = new BoxProcess([process.execPath, HQ_MAIN, ...args], this.environment)
    const { code } = await command.exited()
    return { code, output: command.output }
  }

  async status(): Promise<HqStatus> {
    const { code, output } = await this.command('status', '--json')
    if (code !== 0) throw new Error(output)
    return JSON.parse(output)
  }

  query<Row extends object = Record<string, string>>(sql: string, values?: unknown[]): Promise<Row[]> {
    return this.postgres.query(sql, values) as unknown as Promise<Row[]>
  }

  /** One number. */
  async count(sql: string): Promise<number> {
    const [row] = await this.query(sql)
    return Number(Object.values(row ?? {})[0])
  }

  async alarms(): Promise<string[]> {
    const rows = await this.query<{ kind: string }>('SELECT kind FROM gatehouse.alarms ORDER BY id')
    return rows.map(({ kind }) => kind)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await this.postgres[Symbol.asyncDispose]()
    rmSync(this.path, { recursive: true, force: true })
  }
}

export interface HqBoxOptions {
  tickets: readonly string[]
  environment?: Environment
}

/** A box that has an HQ, over several lives, and one scanner. */
export class HqBox implements AsyncDisposable {
  readonly folder: BoxFolder
  #process: BoxProcess | undefined
  #ports: Ports | undefined
  #device: { token: string; fetch: TlsFetch } | undefined
  /** SHA-256 of the box's authority, as it prints it. */
  fingerprint = ''

  constructor(world: HqWorld, { tickets, environment }: HqBoxOptions) {
    this.folder = new BoxFolder({
      tickets: ['code,tier,seat,name,email,valid_from,valid_until,status', ...tickets],
      environment: {
        GATEHOUSE_FEED_PORT: '0',
        GATEHOUSE_HQ: world.address,
        GATEHOUSE_HQ_CA: join(world.forBoxes, 'hq-ca.crt'),
        GATEHOUSE_HQ_TICKET_KEY: join(world.forBoxes, 'ticket-key'),
        ...environment,
      },
    })
  }

  /** Starts a box, pairs its scanner, and has it added at HQ. */
  static async open(world: HqWorld, name: string, options: HqBoxOptions): Promise<HqBox> {
    const box = new HqBox(world, options)
    try {
      await box.start()
      const { code, output } = await world.command(
        'add-box',
        ...['--name', name, '--url', box.url],
        '--fingerprint',
        box.fingerprint,
      )
      if (code !== 0) throw new Error(output)
      return box
    } catch (error) {
      await box[Symbol.asyncDispose]()
      throw error
    }
  }

  get url(): string {
    return `https://127.0.0.1:${this.#ports?.https}`
  }

  get process(): BoxProcess {
    if (!this.#process) throw new Error('the box is not running')
    return this.#process
  }

  async start(): Promise<void> {
    this.#process = new BoxProcess([process.execPath, BOX_MAIN], this.folder.environment)
    this.#ports = await this.#process.opened()
    this.fingerprint = (await this.#process.said(/sha256:[0-9a-f]{64}/)) ?? ''
    if (this.#device) return
    const { ca, certificate: cert, key, token } = await this.folder.pair(this.#ports, 'scanner')
    this.#device = { token, fetch: tlsFetch({ ca, cert, key }) }
  }

  async kill(): Promise<void> {
    await this.#process?.kill()
    this.#process = undefined
  }

  async stop(): Promise<void> {
    this.#process?.signal('SIGTERM')
    await this.#process?.exited()
    this.#process = undefined
  }

  /** @returns the verdict; what went wrong where there is none */
  async scan(payload: string, more: Partial<ScanRequest> = {}): Promise<string> {
    if (!this.#device || !this.#ports) throw new Error('the box is not running')
    const { token, fetch } = this.#device
    const client = gatehouseClient({ baseUrl: `https://127.0.0.1:${this.#ports.device}`, token, fetch })
    const { data, error, response } = await client.POST('/v1/scan', { body: scanOf(payload, Date.now(), more) })
    return data?.verdict ?? JSON.stringify([response.status, error])
  }

  /** `GET /v1/admin/links` */
  async links() {
    const ca = await (await fetch(`http://127.0.0.1:${this.#ports?.http}/ca.crt`)).text()
    await using secure = tlsFetch({ ca })
    const token = readFileSync(join(this.folder.dataDir, 'admin-token'), 'utf8').trim()
    const { data, error } = await gatehouseClient({ baseUrl: this.url, token, fetch: secure }).GET('/v1/admin/links')
    if (!data) throw new Error(JSON.stringify(error))
    return data
  }

  /** Everything that was committed here has arrived. */
  async arrived(minutes = 1): Promise<void> {
    const everything = async () => {
      const { up } = await this.links()
      return up.connected && up.lag_events === 0
    }
    await until(everything, 'everything has arrived at HQ', minutes)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await this.#device?.fetch[Symbol.asyncDispose]()
    this.folder[Symbol.dispose]()
  }
}

export function codes(count: number, prefix = 'CODE'): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}-${String(i).padStart(6, '0')}`)
}

/** Rows of a ticket file. */
export function rowsOf(all: readonly string[], tier = 'once'): string[] {
  return all.map((code) => `${code},${tier},,,,,,valid`)
}

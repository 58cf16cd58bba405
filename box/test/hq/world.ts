/** A real HQ over a real PostgreSQL, and real boxes with their feeds that dial it: each a process, all on loopback. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import type { Environment } from '../../src/config.ts'
import type { HqStatus } from '../../src/hq/status.ts'
import type { TestDevice } from '../world/device.ts'
import { Postgres } from '../world/postgres.ts'
import { BoxProcess, type Exit, ProcessBox } from '../world/process-box.ts'
import { scanOf } from '../world/scan-of.ts'
import { until } from '../world/until.ts'

const HQ_MAIN = join(import.meta.dirname, '../../src/hq-main.ts')

export class HqWorld implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-hq-'))
  readonly postgres: Postgres
  #process: BoxProcess | undefined
  #port = 0
  /** Everything that HQ has logged since its first start. */
  output = ''

  private constructor(postgres: Postgres) {
    this.postgres = postgres
  }

  static async start(version: 15 | 18 = 18): Promise<HqWorld> {
    await using starting = new AsyncDisposableStack()
    const world = starting.use(new HqWorld(await Postgres.start({ version })))
    await world.launch()
    starting.move()
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

  /** host:port that boxes dial, the same at every start. */
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

/** A box that has an HQ, with its feed beside it, and one scanner. */
export class HqBox extends ProcessBox {
  #scanner: TestDevice | undefined
  /** SHA-256 of the box's authority, as it prints it. */
  fingerprint = ''

  constructor(world: HqWorld, { tickets, environment }: HqBoxOptions) {
    const settings = {
      GATEHOUSE_FEED_PORT: '0',
      GATEHOUSE_HQ: world.address,
      GATEHOUSE_HQ_CA: join(world.forBoxes, 'hq-ca.crt'),
      GATEHOUSE_HQ_TICKET_KEY: join(world.forBoxes, 'ticket-key'),
      ...environment,
    }
    super({ tickets, environment: settings }, (folder) => folder.startWithFeed())
  }

  /** Starts a box, pairs its scanner, and has it added at HQ. */
  static async open(world: HqWorld, name: string, options: HqBoxOptions): Promise<HqBox> {
    await using opening = new AsyncDisposableStack()
    const box = opening.use(new HqBox(world, options))
    await box.start()
    const where = ['--url', box.baseUrl, '--fingerprint', box.fingerprint]
    const { code, output } = await world.command('add-box', '--name', name, ...where)
    if (code !== 0) throw new Error(output)
    opening.move()
    return box
  }

  override async start(): Promise<void> {
    await super.start()
    this.fingerprint = await this.process.said(/sha256:[0-9a-f]{64}/)
    this.#scanner ??= await this.device('scanner')
  }

  /** @returns the verdict; what went wrong where there is none */
  async scan(payload: string, more: Partial<ScanRequest> = {}): Promise<string> {
    if (!this.#scanner) throw new Error('the box has not been open')
    const body = scanOf(payload, Date.now(), more)
    const { data, error, response } = await this.#scanner.client.POST('/v1/scan', { body })
    return data?.verdict ?? JSON.stringify([response.status, error])
  }

  /** `GET /v1/admin/links` */
  async links() {
    const { data, error } = await this.admin().GET('/v1/admin/links')
    if (!data) throw new Error(JSON.stringify(error))
    return data
  }

  /** Waits until everything that was committed here has arrived at HQ. */
  async arrived(minutes = 1): Promise<void> {
    const everything = async () => {
      const { up } = await this.links()
      return up.connected && up.lag_events === 0
    }
    await until(everything, 'everything has arrived at HQ', minutes)
  }
}

export function codes(count: number, prefix = 'CODE'): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}-${String(i).padStart(6, '0')}`)
}

/** Rows of a ticket file. */
export function rowsOf(all: readonly string[], tier = 'once'): string[] {
  return all.map((code) => `${code},${tier},,,,,,valid`)
}

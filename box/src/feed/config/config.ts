/**
 * The configuration of a change feed: one YAML or JSON file, a few variables of the environment above it, and secrets in
 * files of their own. Checked as a whole: every mistake at once, each with its line.
 */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Document, LineCounter, parseDocument } from 'yaml'
import { didYouMean } from '../../event/shape.ts'
import { loadPlugin } from '../plugin.ts'
import type { Durability, SinkKind } from '../sink.ts'
import type { PostgresOptions } from '../sources/postgres/options.ts'
import type { SqliteOptions } from '../sources/sqlite/options.ts'
import { checkValue, formatKeys, type Mistake, type Schema } from './check-value.ts'
import { inFile } from './place.ts'
import { type FeedFile, FeedSchema, type SinkFile } from './schema.ts'

export interface FeedConfig {
  server: {
    host: string
    port: number
    /** Undefined: one is made at each start. */
    authToken: string | undefined
    tls: { cert: string; key: string } | undefined
  }
  stateDir: string
  logLevel: FeedFile['logLevel']
  source: PostgresOptions | SqliteOptions
  sinks: readonly SinkConfig[]
}

export interface SinkConfig extends Pick<SinkFile, 'id' | 'maxAttempts' | 'backoff' | 'queue' | 'batch'> {
  name: string
  /** `grpc`, `webhook`, `event-stream`, or the plugin's path. */
  from: string
  kind: SinkKind
  durability: Durability
  /** `schema.table`; undefined for all. */
  tables: readonly string[] | undefined
  options: object
}

/** What sources and sinks there are: their schemas are loaded when the file names them. */
export interface Kinds {
  source(kind: FeedFile['source']['kind']): Promise<object>
  sink(kind: NonNullable<SinkFile['kind']>): Promise<SinkKind>
}

/** Each stands above its key in the file. */
const OVERRIDES = {
  CHANGEFEED_AUTH_TOKEN: ['server', 'authToken'],
  CHANGEFEED_LISTEN: ['server', 'listen'],
  CHANGEFEED_STATE_DIR: ['stateDir'],
  CHANGEFEED_SOURCE_URL: ['source', 'url'],
  CHANGEFEED_LOG_LEVEL: ['logLevel'],
} as const

export const ENVIRONMENT: Record<string, string> = {
  CHANGEFEED_CONFIG: 'the configuration file, where --config is not given',
  ...Object.fromEntries(Object.entries(OVERRIDES).map(([name, keys]) => [name, `stands above ${formatKeys(keys)}`])),
}

export type FeedEnvironment = Readonly<Record<string, string | undefined>>

/** The configuration cannot be used; every mistake is in the message, a line each. */
export class FeedConfigError extends Error {
  override readonly name = 'FeedConfigError'
}

const MOST_BYTES = 1024 * 1024

/**
 * @param path the file; its own relative paths lead from the folder it is in
 * @throws FeedConfigError
 */
export async function readFeedConfig(path: string, environment: FeedEnvironment, kinds: Kinds): Promise<FeedConfig> {
  const text = readText(path)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const broken = document.errors.map(({ message, pos: [at] }) => `line ${lines.linePos(at).line}: ${message}`)
  if (broken.length > 0) throw new FeedConfigError(list(path, broken))
  const file = toPlain(document, path)

  const mistakes: Mistake[] = []
  const overridden = override(file, environment, mistakes)
  readSecretFiles(file, FeedSchema as Schema, dirname(path), [], mistakes)
  mistakes.push(...checkValue(FeedSchema, file))
  const config = await compose(file, path, kinds, mistakes)
  if (config !== undefined && mistakes.length === 0) return config
  const placed = mistakes
    .filter(({ keys }) => !mistakes.some((other) => formatKeys(other.keys) === `${formatKeys(keys)}File`))
    .map((mistake) => inFile(mistake, document, lines, overridden))
    .sort((a, b) => a.line - b.line)
  throw new FeedConfigError(
    list(
      path,
      placed.map(({ text }) => text),
    ),
  )
}

function readText(path: string): string {
  try {
    const bytes = readFileSync(path)
    if (bytes.length > MOST_BYTES) throw new Error('it is larger than 1 MiB')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new FeedConfigError(`The configuration ${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function toPlain(document: Document, path: string): Record<string, unknown> {
  let plain: unknown
  try {
    // Few aliases: a file of nested ones is small, and what it stands for is not.
    plain = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new FeedConfigError(`The configuration ${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  if (isGroup(plain)) return plain
  throw new FeedConfigError(`The configuration ${path} must be a group of keys: server, stateDir, source, sinks.`)
}

/** @returns which variable each overridden key came from */
function override(
  file: Record<string, unknown>,
  environment: FeedEnvironment,
  mistakes: Mistake[],
): Map<string, string> {
  const overridden = new Map<string, string>()
  for (const [name, keys] of Object.entries(OVERRIDES)) {
    const value = environment[name]
    if (!value) continue
    const last = keys.at(-1) ?? ''
    let group = file
    for (const key of keys.slice(0, -1)) {
      if (!isGroup(group[key])) group[key] = {}
      group = group[key] as Record<string, unknown>
    }
    group[last] = value
    delete group[`${last}File`]
    overridden.set(formatKeys(keys), name)
  }
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('CHANGEFEED_') || Object.hasOwn(ENVIRONMENT, name)) continue
    const guess = didYouMean(name, Object.keys(ENVIRONMENT))
    mistakes.push({ keys: [], message: `${name} is no setting of this version${guess}` })
  }
  return overridden
}

const MAY_BE_A_FILE = /^(\w*(token|secret|password|url))File$/i

/** `authTokenFile` stands for `authToken`, and so for every secret: nobody has to write one into the configuration. */
function readSecretFiles(
  value: unknown,
  schema: Schema,
  folder: string,
  keys: Mistake['keys'],
  mistakes: Mistake[],
): void {
  if (!isGroup(value)) return
  const known = schema.properties ?? {}
  for (const [key, described] of Object.entries(known))
    readSecretFiles(value[key], described, folder, [...keys, key], mistakes)
  for (const [key, path] of Object.entries(value)) {
    const [, target = ''] = MAY_BE_A_FILE.exec(key) ?? []
    if (Object.hasOwn(known, key) || known[target]?.type !== 'string') continue
    delete value[key]
    if (Object.hasOwn(value, target)) mistakes.push({ keys: [...keys, key], message: `set either this or ${target}` })
    else if (typeof path !== 'string') mistakes.push({ keys: [...keys, key], message: 'must be the path of a file' })
    else {
      try {
        value[target] = readFileSync(resolve(folder, path), 'utf8').replace(/\r?\n$/, '')
      } catch (error) {
        mistakes.push({ keys: [...keys, key], message: `cannot be read: ${(error as Error).message}` })
      }
    }
  }
}

/** What the parts say about themselves; it looks at a part only where the whole has the right shape there. */
async function compose(
  file: Record<string, unknown>,
  path: string,
  kinds: Kinds,
  mistakes: Mistake[],
): Promise<FeedConfig | undefined> {
  const sound = (...keys: Mistake['keys']) =>
    !mistakes.some((mistake) => mistake.keys.length >= keys.length && keys.every((key, i) => mistake.keys[i] === key))
  const folder = dirname(path)
  const { server, source, sinks, stateDir, logLevel } = file as unknown as FeedFile

  if (isGroup(source) && sound('source')) {
    const schema = await kinds.source(source.kind)
    readSecretFiles(source, schema as Schema, folder, ['source'], mistakes)
    mistakes.push(...checkValue(schema, source, ['source']))
  }

  const composed: SinkConfig[] = []
  for (const [i, sink] of (Array.isArray(sinks) ? sinks : []).entries()) {
    if (!isGroup(sink)) continue
    const kind = await sinkKind(sink, ['sinks', i], folder, kinds, mistakes)
    if (kind === undefined) continue
    const { id, name = id, tables, kind: builtIn, plugin = '', durability = kind.durability, options, ...rest } = sink
    readSecretFiles(options, kind.options as Schema, folder, ['sinks', i, 'options'], mistakes)
    mistakes.push(...checkValue(kind.options, options, ['sinks', i, 'options']))
    if (typeof id === 'string' && composed.some((other) => other.id === id))
      mistakes.push({ keys: ['sinks', i, 'id'], message: `"${id}" is the id of another sink; give each its own` })
    composed.push({
      ...rest,
      ...{ id, name, tables, kind, durability, from: builtIn ?? plugin, options: options as object },
    })
  }

  if (mistakes.length > 0) return undefined
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(server.listen) ?? []
  if (Number(port) > 65_535) mistakes.push({ keys: ['server', 'listen'], message: 'the port must be 65535 at most' })
  return {
    server: {
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port),
      authToken: server.authToken,
      tls: server.tls && { cert: resolve(folder, server.tls.cert), key: resolve(folder, server.tls.key) },
    },
    stateDir: resolve(folder, stateDir),
    logLevel,
    source: source as unknown as FeedConfig['source'],
    sinks: composed,
  }
}

async function sinkKind(
  { kind, plugin }: SinkFile,
  keys: Mistake['keys'],
  folder: string,
  kinds: Kinds,
  mistakes: Mistake[],
): Promise<SinkKind | undefined> {
  if ((kind === undefined) === (plugin === undefined)) {
    const message = 'set kind (grpc, webhook or event-stream) or plugin (the path of a module), one of the two'
    mistakes.push({ keys: [...keys, 'kind'], message })
    return undefined
  }
  if (mistakes.some((mistake) => mistake.keys.join() === [...keys, 'kind'].join())) return undefined
  if (kind !== undefined) return kinds.sink(kind)
  if (typeof plugin !== 'string') return undefined
  try {
    return await loadPlugin(resolve(folder, plugin))
  } catch (error) {
    // Node says from where it was imported, too: that is this program, and not the operator's.
    const message = (error as Error).message.replace(/ imported from \S+$/, '')
    mistakes.push({ keys: [...keys, 'plugin'], message })
    return undefined
  }
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function list(path: string, mistakes: readonly string[]): string {
  return `The configuration ${path} has mistakes:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`
}

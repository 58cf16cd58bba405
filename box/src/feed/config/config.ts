/**
 * The configuration of a change feed: one YAML or JSON file, a few environment variables that override it, and secrets in
 * files of their own. Checked as a whole: all mistakes are reported at once, each with its line.
 */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { didYouMean } from '../../event/shape.ts'
import { loadPlugin } from '../plugin.ts'
import type { Durability, SinkKind } from '../sink.ts'
import type { PostgresOptions } from '../sources/postgres/options.ts'
import type { SqliteOptions } from '../sources/sqlite/options.ts'
import { checkValue, formatKeys, type Mistake, type Schema } from './check-value.ts'
import { type FileKind, parseText, readTextFile } from './document.ts'
import { type FeedFile, FeedSchema, type SinkFile } from './schema.ts'

export interface FeedConfig {
  server: {
    host: string
    port: number
    /** Undefined: a new one is made at each start. */
    authToken: string | undefined
    tls: { cert: string; key: string } | undefined
  }
  stateDir: string
  logLevel: FeedFile['logLevel']
  source: PostgresOptions | SqliteOptions
  sinks: readonly SinkConfig[]
  /** Probable mistakes, in sentences; the feed runs all the same. */
  warnings: readonly string[]
}

export interface SinkConfig
  extends Pick<SinkFile, 'id' | 'maxAttempts' | 'backoff' | 'queue' | 'batch' | 'deadLetters'> {
  name: string
  /** `grpc`, `webhook`, `event-stream`, or the plugin's path. */
  from: string
  kind: SinkKind
  durability: Durability
  /** `schema.table`; undefined for all. */
  tables: readonly string[] | undefined
  options: object
}

/** The kinds of sources and sinks; each schema is loaded when a file names it. */
export interface Kinds {
  sources: Record<FeedFile['source']['kind'], () => Promise<object>>
  sinks: Record<NonNullable<SinkFile['kind']>, () => Promise<SinkKind>>
}

/** Each overrides its key in the file. */
const OVERRIDES = {
  CHANGEFEED_AUTH_TOKEN: ['server', 'authToken'],
  CHANGEFEED_LISTEN: ['server', 'listen'],
  CHANGEFEED_STATE_DIR: ['stateDir'],
  CHANGEFEED_SOURCE_URL: ['source', 'url'],
  CHANGEFEED_LOG_LEVEL: ['logLevel'],
} as const

export const ENVIRONMENT: Record<string, string> = {
  CHANGEFEED_CONFIG: 'the configuration file, if --config is not given',
  ...Object.fromEntries(Object.entries(OVERRIDES).map(([name, keys]) => [name, `overrides ${formatKeys(keys)}`])),
}

export type FeedEnvironment = Readonly<Record<string, string | undefined>>

/** The configuration cannot be used; the message lists every mistake on a line of its own. */
export class FeedConfigError extends Error {
  override readonly name = 'FeedConfigError'
}

/**
 * @param path the file; relative paths in it are resolved from its folder
 * @throws FeedConfigError
 */
export async function readFeedConfig(path: string, environment: FeedEnvironment, kinds: Kinds): Promise<FeedConfig> {
  const kind: FileKind = { name: `The configuration ${path}`, badAlias: 'unreadable', Refusal: FeedConfigError }
  const { plain: file, refusal } = parseText(readTextFile(path, kind), kind)
  if (!isGroup(file)) {
    throw new FeedConfigError(`${kind.name} must be a group of keys: server, stateDir, source, sinks.`)
  }
  const mistakes: Mistake[] = []
  const overridden = override(file, environment)
  readSecretFiles(file, FeedSchema as Schema, dirname(path), [], mistakes)
  mistakes.push(...checkValue(FeedSchema, file))
  const config = await compose(file, path, kinds, mistakes)
  if (config !== undefined && mistakes.length === 0) {
    return { ...config, warnings: unknownVariables(environment, file.source) }
  }
  // If the file of a secret cannot be read, the secret is missing too: only the first mistake is reported.
  const own = mistakes.filter(
    ({ keys }) => !mistakes.some((other) => formatKeys(other.keys) === `${formatKeys(keys)}File`),
  )
  throw refusal(own, overridden)
}

/** Overwrites keys of the file. @returns which variable each overridden key came from */
function override(file: Record<string, unknown>, environment: FeedEnvironment): Map<string, string> {
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
  return overridden
}

/**
 * Variables that look like settings but are not. They are only warnings: Kubernetes sets `CHANGEFEED_PORT` and others for a service of this
 * name, and a password may be in a variable of any name.
 */
function unknownVariables(environment: FeedEnvironment, source: unknown): string[] {
  const own = isGroup(source) ? source.passwordEnv : undefined
  return Object.keys(environment)
    .filter((name) => name.startsWith('CHANGEFEED_') && !Object.hasOwn(ENVIRONMENT, name) && name !== own)
    .map((name) => `${name} is not a setting of this version${didYouMean(name, Object.keys(ENVIRONMENT))}`)
}

const MAY_BE_A_FILE = /^(\w*(token|secret|password|url))File$/i

/** Replaces `authTokenFile` by the contents of the file that it names, as `authToken`; the same for every other secret. */
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

/** Checks source and sinks against the schemas of their kinds, if their `kind` could be read. */
async function compose(
  file: Record<string, unknown>,
  path: string,
  kinds: Kinds,
  mistakes: Mistake[],
): Promise<Omit<FeedConfig, 'warnings'> | undefined> {
  const sound = (...keys: Mistake['keys']) =>
    !mistakes.some((mistake) => mistake.keys.length >= keys.length && keys.every((key, i) => mistake.keys[i] === key))
  const folder = dirname(path)
  const { server, source, sinks, stateDir, logLevel } = file as unknown as FeedFile

  if (isGroup(source) && sound('source')) {
    const schema = await kinds.sources[source.kind]()
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
    if (durability === 'durable' && kind.neverDurable !== undefined)
      mistakes.push({ keys: ['sinks', i, 'durability'], message: kind.neverDurable })
    composed.push({
      ...rest,
      id,
      name,
      tables,
      kind,
      durability,
      from: builtIn ?? plugin,
      options: options as object,
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
  if (kind !== undefined) return kinds.sinks[kind]()
  if (typeof plugin !== 'string') return undefined
  try {
    return await loadPlugin(resolve(folder, plugin))
  } catch (error) {
    // Node adds the importing file, which is part of this program and says nothing to the operator.
    const message = (error as Error).message.replace(/ imported from \S+$/, '')
    mistakes.push({ keys: [...keys, 'plugin'], message })
    return undefined
  }
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

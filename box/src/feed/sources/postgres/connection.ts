/** Makes the options of `pg` from the configuration. */
import { readFileSync } from 'node:fs'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import type { ClientConfig } from 'pg'
import type { PostgresOptions } from './options.ts'

/** The connection cannot be made as configured; the message lists every mistake. */
export class ConnectionConfigError extends Error {
  override readonly name = 'ConnectionConfigError'
}

/**
 * Settings that the text of a value depends on. An event that is delivered again has to have the same bytes, whatever was set
 * for the server, the database or the role in between.
 */
const PINNED = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'IntervalStyle=postgres',
  'extra_float_digits=3',
  'bytea_output=hex',
  // The text of the type money.
  'lc_monetary=C',
  // Values that name tables and functions always include the schema.
  'search_path=pg_catalog',
]

type TlsOptions = NonNullable<PostgresOptions['tls']>
type Target = Pick<PostgresOptions, 'host' | 'port' | 'database' | 'user' | 'password' | 'tls'>

/**
 * @returns a function that reads password and certificates anew at each call, since they may have been replaced; it throws
 *   ConnectionConfigError too
 * @throws ConnectionConfigError
 */
export function connectionOf(
  options: PostgresOptions,
  environment: Readonly<Record<string, string | undefined>>,
): () => ClientConfig {
  const mistakes: string[] = []
  const target: Target = { ...options, ...(options.url !== undefined && readUrl(options.url, mistakes)) }
  const { host = 'localhost', port = 5432, database, user } = target
  if (options.url !== undefined && (options.host ?? options.port ?? options.database ?? options.user) !== undefined) {
    mistakes.push('url and host, port, database or user say the same twice: use one of the two')
  }
  const { passwordFile, passwordEnv } = options
  if ([target.password, passwordFile, passwordEnv].filter((given) => given !== undefined).length > 1) {
    mistakes.push('the password is given more than once: in url, password, passwordFile or passwordEnv')
  }
  const tls = { ...target.tls, ...options.tls }
  if ((tls.cert === undefined) !== (tls.key === undefined)) mistakes.push('tls.cert and tls.key go together')
  if (mistakes.length > 0) throw new ConnectionConfigError(mistakes.join('\n'))
  const here = host.startsWith('/') || ['localhost', '127.0.0.1', '::1'].includes(host)
  // A forgotten line must not send the rows of a database unencrypted, or to a server whose identity nobody checked.
  const mode = tls.mode ?? (here && Object.keys(tls).length === 0 ? 'disable' : 'verify-full')

  return () => {
    let password = target.password
    if (passwordFile !== undefined) password = read(passwordFile, 'passwordFile').split(/\r?\n/, 1)[0]
    if (passwordEnv !== undefined) {
      password = environment[passwordEnv]
      if (!password) throw new ConnectionConfigError(`passwordEnv names ${passwordEnv}, which is not set`)
    }
    return {
      host,
      port,
      ...(database !== undefined && { database }),
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ssl: mode !== 'disable' && tlsOf(tls, mode, host),
      application_name: `changefeed ${options.slot.name}`,
      options: PINNED.map((setting) => `-c ${setting}`).join(' '),
      connectionTimeoutMillis: options.connectTimeoutMs,
      keepAlive: true,
    }
  }
}

function tlsOf(tls: TlsOptions, mode: string, host: string): ConnectionOptions {
  const { ca, cert, key, servername = host } = tls
  return {
    ...(ca !== undefined && { ca: read(ca, 'tls.ca') }),
    ...(cert !== undefined && { cert: read(cert, 'tls.cert') }),
    ...(key !== undefined && { key: read(key, 'tls.key') }),
    rejectUnauthorized: mode !== 'require',
    // Not the option `servername`: pg overwrites it with the host.
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-full' ? checkServerIdentity(servername, certificate) : undefined,
  }
}

function read(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConnectionConfigError(`${what} cannot be read: ${reason}`, { cause })
  }
}

const URL_TLS = { sslmode: 'mode', sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const
const MODES = ['disable', 'require', 'verify-ca', 'verify-full']

function readUrl(text: string, mistakes: string[]): Target {
  const url = URL.parse(text)
  // The message does not repeat the URL: it may hold a password.
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    mistakes.push('url is not postgres://user@host:port/database')
    return {}
  }
  const target: Target = {}
  let parts: string[]
  try {
    parts = [url.hostname, url.pathname.slice(1), url.username, url.password].map(decodeURIComponent)
  } catch {
    mistakes.push('url is not postgres://user@host:port/database: a % in it has to be written %25')
    return {}
  }
  const [host, database, user, password] = parts
  // URL keeps the brackets of an IPv6 address.
  if (host) target.host = host.replace(/^\[|\]$/g, '')
  if (url.port) target.port = Number(url.port)
  if (database) target.database = database
  if (user) target.user = user
  if (password) target.password = password
  for (const [name, value] of url.searchParams) {
    if (name === 'host') target.host = value
    else if (name === 'sslmode' && !MODES.includes(value)) {
      mistakes.push(`sslmode is ${value}, not one of ${MODES.join(', ')}`)
    } else if (name in URL_TLS) target.tls = { ...target.tls, [URL_TLS[name as keyof typeof URL_TLS]]: value }
    else mistakes.push(`url has ${name}=, which means nothing here`)
  }
  return target
}

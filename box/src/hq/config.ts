/** Everything that the environment decides about HQ, read once and checked as a whole. */
import { resolve } from 'node:path'
import { settingsOf } from '../settings.ts'

export interface HqConfig {
  /** PostgreSQL, as a URL; its password may also stand in PGPASSWORD or in a password file. */
  databaseUrl: string
  /** Where HQ's own authority, certificate and ticket key are kept. */
  dataDir: string
  host: string
  port: number
  healthPort: number
  /** What boxes dial, where it is not one of this machine's own names: a host name, or an address of a local network. */
  publicHost: string | undefined
  /** A certificate of the organiser's, in place of HQ's own: chain and key, PEM. */
  tlsCert: string | undefined
  tlsKey: string | undefined
  /** Connections to the database at a time, and so the boxes that are served at the same moment. */
  connections: number
  logLevel: string
}

export const HQ_ENVIRONMENT = {
  HQ_DATABASE_URL: 'the PostgreSQL database: postgres://user@host:5432/database (required)',
  HQ_DATA_DIR: "where HQ's authority, certificate and ticket key are kept (default: ./hq-data)",
  HQ_HOST: 'address to bind to (default: ::, every address)',
  HQ_PORT: 'where boxes dial in, gRPC with TLS client certificates (default: 7719; 0 picks one)',
  HQ_HEALTH_PORT: 'plain HTTP, GET /healthz and /readyz alone (default: 7720; 0 picks one)',
  HQ_PUBLIC_HOST: "host name that boxes dial: it goes into HQ's own certificate (default: this machine's names)",
  HQ_TLS_CERT: "a certificate chain in place of HQ's own, PEM file",
  HQ_TLS_KEY: 'the key of HQ_TLS_CERT, PEM file',
  HQ_CONNECTIONS: 'connections to the database at most (default: 10)',
  HQ_LOG_LEVEL: 'debug, info, warn, error or silent (default: info)',
} as const

type Name = keyof typeof HQ_ENVIRONMENT
export type HqEnvironment = { readonly [name in Name]?: string | undefined }

/** @throws ConfigError that lists every mistake at once */
export function readHqConfig(environment: HqEnvironment): HqConfig {
  const { mistakes, text, number, oneOf, finish } = settingsOf<Name>(environment)
  const databaseUrl = text('HQ_DATABASE_URL')
  if (databaseUrl === undefined) mistakes.push('HQ_DATABASE_URL is missing, such as postgres://hq@localhost:5432/hq')
  // Not the value: there may be a password in it.
  else if (!/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? '')) {
    mistakes.push('HQ_DATABASE_URL is not of the form postgres://user@host:5432/database')
  }
  const config: HqConfig = {
    databaseUrl: databaseUrl ?? '',
    dataDir: resolve(text('HQ_DATA_DIR') ?? 'hq-data'),
    host: text('HQ_HOST') ?? '::',
    port: number('HQ_PORT', 7719, 65_535),
    healthPort: number('HQ_HEALTH_PORT', 7720, 65_535),
    publicHost: text('HQ_PUBLIC_HOST'),
    tlsCert: text('HQ_TLS_CERT'),
    tlsKey: text('HQ_TLS_KEY'),
    connections: number('HQ_CONNECTIONS', 10, 1000, 2),
    logLevel: oneOf('HQ_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  }
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    mistakes.push('HQ_TLS_CERT and HQ_TLS_KEY go together: set both or neither')
  }
  finish('HQ_', HQ_ENVIRONMENT)
  return Object.freeze(config)
}

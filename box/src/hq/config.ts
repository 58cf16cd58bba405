/** The settings of HQ, read from the environment once and checked as a whole. */
import { resolve } from 'node:path'
import { acmeEnvironment, readAcme } from '../acme-settings.ts'
import { LOG_LEVELS } from '../log.ts'
import { settingsOf } from '../settings.ts'

export interface HqConfig {
  /** PostgreSQL URL; the password may also be in PGPASSWORD or in a password file. */
  databaseUrl: string
  /** Folder of HQ's own authority, certificate and ticket key. */
  dataDir: string
  host: string
  port: number
  healthPort: number
  /** The host name or local address that boxes connect to, where it is not one of this machine's own names. */
  publicHost: string | undefined
  /** A certificate of the organiser's, in place of HQ's own: chain and key, PEM. */
  tlsCert: string | undefined
  tlsKey: string | undefined
  /** Database connections, and so how many boxes are served at the same moment. */
  connections: number
  logLevel: string
}

export const HQ_ENVIRONMENT = {
  HQ_DATABASE_URL: 'the PostgreSQL database: postgres://user@host:5432/database (required)',
  HQ_DATA_DIR: "folder for HQ's CA, certificate and ticket key (default: ./hq-data)",
  HQ_HOST: 'address to bind to (default: ::, all addresses)',
  HQ_PORT: 'port for boxes, gRPC with TLS client certificates (default: 7719; 0: any free port)',
  HQ_HEALTH_PORT: 'port for GET /healthz and /readyz over plain HTTP (default: 7720; 0: any free port)',
  HQ_PUBLIC_HOST: "host name that boxes connect to, for HQ's own certificate (default: this machine's names)",
  HQ_TLS_CERT: "PEM file with a certificate chain in place of HQ's own",
  HQ_TLS_KEY: 'PEM file with the key of HQ_TLS_CERT',
  HQ_CONNECTIONS: 'largest number of connections to the database, 2 to 1000 (default: 10)',
  HQ_LOG_LEVEL: 'debug, info, warn, error or silent (default: info)',
  HQ_ACME_DNS: 'certificate: who changes DNS to prove a name: webhook, command, acme-dns or manual',
  ...acmeEnvironment('HQ'),
} as const

type Name = keyof typeof HQ_ENVIRONMENT
export type HqEnvironment = { readonly [name in Name]?: string | undefined }

/**
 * Settings of "gatehouse-hq certificate", which asks no database.
 * @param host the name to prove
 * @throws ConfigError that lists every mistake at once
 */
export function readHqAcme(environment: HqEnvironment, host: string) {
  const settings = settingsOf<Name>(environment)
  const acme = readAcme(settings, 'HQ', host)
  const dataDir = settings.path('HQ_DATA_DIR') ?? resolve('hq-data')
  if (!acme)
    settings.mistakes.push('HQ_ACME_DNS is missing: webhook, command, acme-dns or manual, to prove the name in DNS')
  settings.finish('HQ_', HQ_ENVIRONMENT)
  return { dataDir, acme }
}

/** @throws ConfigError that lists every mistake at once */
export function readHqConfig(environment: HqEnvironment): HqConfig {
  const { mistakes, text, path, number, oneOf, finish } = settingsOf<Name>(environment)
  const databaseUrl = text('HQ_DATABASE_URL')
  if (databaseUrl === undefined) mistakes.push('HQ_DATABASE_URL is missing, such as postgres://hq@localhost:5432/hq')
  // The message does not repeat the value: it may hold a password.
  else if (!/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? '')) {
    mistakes.push('HQ_DATABASE_URL is not of the form postgres://user@host:5432/database')
  }
  const config: HqConfig = {
    databaseUrl: databaseUrl ?? '',
    dataDir: path('HQ_DATA_DIR') ?? resolve('hq-data'),
    host: text('HQ_HOST') ?? '::',
    port: number('HQ_PORT', 7719, 65_535),
    healthPort: number('HQ_HEALTH_PORT', 7720, 65_535),
    publicHost: text('HQ_PUBLIC_HOST'),
    tlsCert: text('HQ_TLS_CERT'),
    tlsKey: text('HQ_TLS_KEY'),
    connections: number('HQ_CONNECTIONS', 10, 1000, 2),
    logLevel: oneOf('HQ_LOG_LEVEL', LOG_LEVELS, 'info'),
  }
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    mistakes.push('HQ_TLS_CERT and HQ_TLS_KEY go together: set both or neither')
  }
  finish('HQ_', HQ_ENVIRONMENT)
  return Object.freeze(config)
}

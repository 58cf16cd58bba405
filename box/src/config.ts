/** Everything that the environment decides, read once and checked as a whole. */
import { join, resolve } from 'node:path'

export interface Config {
  dataDir: string
  eventDir: string
  /** The demo event: its tickets are nobody's. */
  demo: boolean
  /** Where the listeners bind: every address by default. */
  host: string
  httpPort: number
  httpsPort: number
  devicePort: number
  /** Whether the change feed follows the ledger, and where its control plane is, on this machine alone. */
  feed: boolean
  feedPort: number
  /** A configuration of the operator's in place of the box's own. */
  feedConfig: string | undefined
  /** How phones reach this box, when it is not by this machine's own names: a host name without port. */
  publicHost: string | undefined
  /** An organiser's own certificate for the HTTPS port: chain and key, PEM. */
  tlsCert: string | undefined
  tlsKey: string | undefined
  /** Serve the attendee tier on plain HTTP too, where whoever shares the air can read a ticket's secret. */
  walletOverHttp: boolean
  /** Where the wallet is opened: what ticket links begin with. Undefined: at this box. */
  walletUrl: string | undefined
  scansPerSecond: number
  scanBurst: number
  mdns: boolean
  /** The folder that this box shares with the machine's root, on the appliance image. Undefined: no such machine. */
  appliance: string | undefined
  logLevel: string
}

export const ENVIRONMENT = {
  GATEHOUSE_DATA_DIR: 'where ledger, keys and admin token are kept (default: ./data)',
  GATEHOUSE_EVENT_DIR: 'the folder with event.json (default: the demo event)',
  GATEHOUSE_HOST: 'address to bind to (default: ::, every address)',
  GATEHOUSE_HTTP_PORT: 'plain HTTP, open tier (default: 8080; 0 picks one)',
  GATEHOUSE_HTTPS_PORT: 'HTTPS, everything (default: 8443)',
  GATEHOUSE_DEVICE_PORT: 'device tier with TLS client certificates (default: 8444)',
  GATEHOUSE_FEED: 'log changes of the ledger for the change feed: 1 or 0 (default: 1)',
  GATEHOUSE_FEED_PORT: "the change feed's control plane, on this machine alone (default: 7717; 0 picks one)",
  GATEHOUSE_FEED_CONFIG: "a configuration in place of the box's own feed/changefeed.yaml",
  GATEHOUSE_PUBLIC_HOST: 'host name or address that invites name (default: this machine)',
  GATEHOUSE_TLS_CERT: "an organiser's own certificate chain for the HTTPS port, PEM file",
  GATEHOUSE_TLS_KEY: 'the key of GATEHOUSE_TLS_CERT, PEM file',
  GATEHOUSE_WALLET_OVER_HTTP:
    'serve the attendee tier on plain HTTP too: 1 or 0 (default: 1 for the demo event, else 0)',
  GATEHOUSE_WALLET_URL: 'what ticket links begin with (default: this box, /wallet/)',
  GATEHOUSE_SCANS_PER_SECOND: 'steady rate that one device may scan at (default: 20)',
  GATEHOUSE_SCAN_BURST: 'how many scans a device may send at once (default: 40)',
  GATEHOUSE_MDNS: 'announce the box on the network: 1 or 0 (default: 1)',
  GATEHOUSE_APPLIANCE: "the folder shared with the machine's root: set on the appliance image alone",
  GATEHOUSE_LOG_LEVEL: 'debug, info, warn, error or silent (default: info)',
} as const

type Name = keyof typeof ENVIRONMENT
export type Environment = { readonly [name in Name]?: string | undefined }

/** The environment cannot be used; every mistake is in the message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** @throws ConfigError that lists every mistake at once */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = []
  const text = (name: Name) => environment[name] || undefined

  function number(name: Name, fallback: number, most: number, least = 0): number {
    const value = text(name)
    if (value === undefined) return fallback
    if (/^\d+$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
    mistakes.push(`${name} is "${value}", not a whole number from ${least} to ${most}`)
    return fallback
  }

  function oneOf<T extends string>(name: Name, values: readonly T[], fallback: T): T {
    const value = text(name)
    if (value === undefined) return fallback
    if (values.includes(value as T)) return value as T
    mistakes.push(`${name} is "${value}", not one of ${values.join(', ')}`)
    return fallback
  }

  function url(name: Name): string | undefined {
    const value = text(name)
    if (value === undefined || (/^https?:$/.test(URL.parse(value)?.protocol ?? '') && !value.includes('#')))
      return value
    mistakes.push(`${name} is "${value}", not a URL without a fragment such as https://tickets.example/wallet/`)
    return undefined
  }

  const config: Config = {
    dataDir: resolve(text('GATEHOUSE_DATA_DIR') ?? 'data'),
    demo: text('GATEHOUSE_EVENT_DIR') === undefined,
    eventDir: resolve(text('GATEHOUSE_EVENT_DIR') ?? join(import.meta.dirname, '../demo')),
    host: text('GATEHOUSE_HOST') ?? '::',
    httpPort: number('GATEHOUSE_HTTP_PORT', 8080, 65_535),
    httpsPort: number('GATEHOUSE_HTTPS_PORT', 8443, 65_535),
    devicePort: number('GATEHOUSE_DEVICE_PORT', 8444, 65_535),
    feed: oneOf('GATEHOUSE_FEED', ['1', '0'], '1') === '1',
    feedPort: number('GATEHOUSE_FEED_PORT', 7717, 65_535),
    feedConfig: text('GATEHOUSE_FEED_CONFIG') && resolve(text('GATEHOUSE_FEED_CONFIG') ?? ''),
    publicHost: text('GATEHOUSE_PUBLIC_HOST'),
    tlsCert: text('GATEHOUSE_TLS_CERT'),
    tlsKey: text('GATEHOUSE_TLS_KEY'),
    // The demo's tickets are nobody's, and a wallet without a certificate is the first thing that one tries.
    walletOverHttp: oneOf('GATEHOUSE_WALLET_OVER_HTTP', ['1', '0'], text('GATEHOUSE_EVENT_DIR') ? '0' : '1') === '1',
    walletUrl: url('GATEHOUSE_WALLET_URL'),
    scansPerSecond: number('GATEHOUSE_SCANS_PER_SECOND', 20, 1_000_000, 1),
    scanBurst: number('GATEHOUSE_SCAN_BURST', 40, 1_000_000, 1),
    mdns: oneOf('GATEHOUSE_MDNS', ['1', '0'], '1') === '1',
    appliance: text('GATEHOUSE_APPLIANCE') && resolve(text('GATEHOUSE_APPLIANCE') ?? ''),
    logLevel: oneOf('GATEHOUSE_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  }
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    mistakes.push('GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY go together: set both or neither')
  }
  for (const name of Object.keys(environment)) {
    if (name.startsWith('GATEHOUSE_') && !(name in ENVIRONMENT)) mistakes.push(`${name} is no setting of this version`)
  }
  if (mistakes.length > 0)
    throw new ConfigError(`The environment has mistakes:\n${mistakes.map((m) => `  ${m}`).join('\n')}`)
  return Object.freeze(config)
}

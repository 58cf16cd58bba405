/** Everything that the environment decides, read once and checked as a whole. */
import { join, resolve } from 'node:path'
import { type MeshInvite, readInviteText } from './mesh/join/invite.ts'
import { settingsOf } from './settings.ts'

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
  /** Where HQ's receiver is, `host:port`; undefined: nothing goes up. */
  hq: string | undefined
  /** The authority of its certificate, PEM; undefined: the public ones. */
  hqCa: string | undefined
  /** What names a ticket across boxes is keyed with, a file; the same at every box of HQ's. */
  hqTicketKey: string | undefined
  /** How a shop's tables become tickets; undefined for `shop.yaml` of the event's folder, where there is one. */
  shopFile: string | undefined
  /** Where a shop's changes come in, once they are mapped. */
  receiverPort: number
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
  /** Where the other boxes of the event come in, once there are any; 0 picks a port and keeps it. */
  meshRoutePort: number
  meshLeafPort: number
  /** How the other boxes reach this one, when it is not as phones do: a host name or an address, without port. */
  meshHost: string | undefined
  /** Joins the event of this invite before it opens for the first time; undefined: an event of its own. */
  meshInvite: MeshInvite | undefined
  /** The program nats-server, which several boxes need; looked for when undefined. */
  natsServer: string | undefined
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
  GATEHOUSE_HQ: "where HQ's receiver is, host:port: everything that the ledger publishes goes there (default: nowhere)",
  GATEHOUSE_HQ_CA: "the authority of HQ's certificate, PEM file (default: the public ones)",
  GATEHOUSE_HQ_TICKET_KEY:
    'the file ticket-key of HQ, by which it knows a ticket at several boxes (default: it does not)',
  GATEHOUSE_SHOP: "how a shop's tables become tickets (default: shop.yaml in the event's folder, where there is one)",
  GATEHOUSE_RECEIVER_PORT: "gRPC receiver of a shop's changes, open where they are mapped (default: 7718; 0 picks one)",
  GATEHOUSE_PUBLIC_HOST: 'host name or address that invites name (default: this machine)',
  GATEHOUSE_TLS_CERT: "an organiser's own certificate chain for the HTTPS port, PEM file",
  GATEHOUSE_TLS_KEY: 'the key of GATEHOUSE_TLS_CERT, PEM file',
  GATEHOUSE_WALLET_OVER_HTTP:
    'serve the attendee tier on plain HTTP too: 1 or 0 (default: 1 for the demo event, else 0)',
  GATEHOUSE_WALLET_URL: 'what ticket links begin with (default: this box, /wallet/)',
  GATEHOUSE_SCANS_PER_SECOND:
    'steady rate that one device may scan at; 25 times that for what it let in alone (default: 20)',
  GATEHOUSE_SCAN_BURST:
    'how many scans a device may send at once; 25 times that for what it let in alone (default: 40)',
  GATEHOUSE_MDNS: 'announce the box on the network, and look there for others: 1 or 0 (default: 1)',
  GATEHOUSE_MESH_ROUTE_PORT:
    'voters among the boxes of an event, open once there are three (default: 6222; 0 picks one)',
  GATEHOUSE_MESH_LEAF_PORT: 'other boxes of an event, open once there are any (default: 7422; 0 picks one)',
  GATEHOUSE_MESH_HOST: 'host name or address by which other boxes reach this one (default: GATEHOUSE_PUBLIC_HOST)',
  GATEHOUSE_MESH_INVITE: 'join the event of this invite at the first start, with an empty data folder',
  GATEHOUSE_NATS_SERVER: 'the program nats-server, 2.10.27 or newer, for several boxes (default: found in PATH)',
  GATEHOUSE_APPLIANCE: "the folder shared with the machine's root: set on the appliance image alone",
  GATEHOUSE_LOG_LEVEL: 'debug, info, warn, error or silent (default: info)',
} as const

type Name = keyof typeof ENVIRONMENT
export type Environment = { readonly [name in Name]?: string | undefined }

/** @throws ConfigError that lists every mistake at once */
export function readConfig(environment: Environment): Config {
  const { mistakes, text, number, oneOf, finish } = settingsOf<Name>(environment)

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
    hq: text('GATEHOUSE_HQ'),
    hqCa: text('GATEHOUSE_HQ_CA') && resolve(text('GATEHOUSE_HQ_CA') ?? ''),
    hqTicketKey: text('GATEHOUSE_HQ_TICKET_KEY') && resolve(text('GATEHOUSE_HQ_TICKET_KEY') ?? ''),
    shopFile: text('GATEHOUSE_SHOP') && resolve(text('GATEHOUSE_SHOP') ?? ''),
    receiverPort: number('GATEHOUSE_RECEIVER_PORT', 7718, 65_535),
    publicHost: text('GATEHOUSE_PUBLIC_HOST'),
    tlsCert: text('GATEHOUSE_TLS_CERT'),
    tlsKey: text('GATEHOUSE_TLS_KEY'),
    // The demo's tickets are nobody's, and a wallet without a certificate is the first thing that one tries.
    walletOverHttp: oneOf('GATEHOUSE_WALLET_OVER_HTTP', ['1', '0'], text('GATEHOUSE_EVENT_DIR') ? '0' : '1') === '1',
    walletUrl: url('GATEHOUSE_WALLET_URL'),
    scansPerSecond: number('GATEHOUSE_SCANS_PER_SECOND', 20, 1_000_000, 1),
    scanBurst: number('GATEHOUSE_SCAN_BURST', 40, 1_000_000, 1),
    mdns: oneOf('GATEHOUSE_MDNS', ['1', '0'], '1') === '1',
    meshRoutePort: number('GATEHOUSE_MESH_ROUTE_PORT', 6222, 65_535),
    meshLeafPort: number('GATEHOUSE_MESH_LEAF_PORT', 7422, 65_535),
    meshHost: text('GATEHOUSE_MESH_HOST') ?? text('GATEHOUSE_PUBLIC_HOST'),
    meshInvite: readInviteText(text('GATEHOUSE_MESH_INVITE') ?? ''),
    natsServer: text('GATEHOUSE_NATS_SERVER') && resolve(text('GATEHOUSE_NATS_SERVER') ?? ''),
    appliance: text('GATEHOUSE_APPLIANCE') && resolve(text('GATEHOUSE_APPLIANCE') ?? ''),
    logLevel: oneOf('GATEHOUSE_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  }
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    mistakes.push('GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY go together: set both or neither')
  }
  if (config.meshHost !== undefined && text('GATEHOUSE_MESH_HOST') && !/^[A-Za-z0-9.:-]+$/.test(config.meshHost)) {
    mistakes.push(`GATEHOUSE_MESH_HOST is "${config.meshHost}", not a host name or an address such as 192.168.1.20`)
  }
  if (text('GATEHOUSE_MESH_INVITE') !== undefined && (!config.meshInvite || config.demo)) {
    mistakes.push(
      config.meshInvite
        ? 'GATEHOUSE_MESH_INVITE goes with GATEHOUSE_EVENT_DIR: name the folder that the event is to have here'
        : 'GATEHOUSE_MESH_INVITE is no invite for a box, which begins with gatehouse-mesh:https://',
    )
  }
  if (config.hq !== undefined && !/^([^\s:/]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(config.hq)) {
    mistakes.push(`GATEHOUSE_HQ is "${config.hq}", not host:port such as hq.example.com:7719`)
  }
  if (config.hq === undefined && (config.hqCa ?? config.hqTicketKey) !== undefined) {
    mistakes.push('GATEHOUSE_HQ_CA and GATEHOUSE_HQ_TICKET_KEY go with GATEHOUSE_HQ: set it, or neither of them')
  }
  if (config.hq !== undefined && (!config.feed || config.feedConfig !== undefined)) {
    mistakes.push(
      "GATEHOUSE_HQ is for the box's own feed: leave GATEHOUSE_FEED and GATEHOUSE_FEED_CONFIG out, or add the sink to your own configuration",
    )
  }
  finish('GATEHOUSE_', ENVIRONMENT)
  return Object.freeze(config)
}

/** The settings of the box, read from the environment once and checked as a whole. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { acmeEnvironment, readAcme } from './acme-settings.ts'
import { readInviteText } from './ca/box-invite.ts'
import { LOG_LEVELS } from './log.ts'
import { PROVIDER_ENVIRONMENT, readProvider } from './provider-settings.ts'
import { isPublicName } from './public-name.ts'
import { type Settings, settingsOf } from './settings.ts'

export type Config = ReturnType<typeof settingsOfBox>

/** The event that the guide has written, or will write, for a box that was given none. */
export interface OwnEvent {
  eventDir: string
  /** Of its own ledger: the demo's stays where it was. */
  dataDir: string
}

export const ENVIRONMENT = {
  GATEHOUSE_DATA_DIR: 'folder for ledger, keys and admin token (default: ./data)',
  GATEHOUSE_EVENT_DIR: 'folder with event.json (default: the event that the guide has written, else the demo event)',
  GATEHOUSE_HOST: 'address to bind to (default: ::, all addresses)',
  GATEHOUSE_HTTP_PORT: 'port for plain HTTP, open tier only (default: 8080; 0: any free port)',
  GATEHOUSE_HTTPS_PORT: 'port for HTTPS, everything (default: 8443; 0: any free port)',
  GATEHOUSE_DEVICE_PORT: 'port for devices with TLS client certificates (default: 8444; 0: any free port)',
  GATEHOUSE_PRETIXSCAN_PORT: 'port for handhelds with pretixSCAN (default: off; 0: any free port)',
  GATEHOUSE_FEED: 'change log in the ledger, and the change feed: 1 on, 0 off (default: 1)',
  GATEHOUSE_FEED_PORT: "port of the change feed's control plane, on 127.0.0.1 only (default: 7717; 0: any free port)",
  GATEHOUSE_FEED_CONFIG: "configuration file in place of the box's own feed/changefeed.yaml",
  GATEHOUSE_FEED_GROUP:
    'number of the group whose members run the change feed, where that is another user than the box (default: none)',
  GATEHOUSE_HQ: "host:port of HQ's receiver, which gets everything that the ledger publishes (default: no HQ)",
  GATEHOUSE_HQ_CA: "PEM file with the CA of HQ's certificate (default: the public CAs)",
  GATEHOUSE_HQ_TICKET_KEY:
    'the file ticket-key from HQ, so that HQ recognises a ticket at several boxes (default: none)',
  GATEHOUSE_SHOP: "file that maps a shop's tables to tickets (default: shop.yaml in the event folder, if it exists)",
  GATEHOUSE_RECEIVER_PORT:
    "port for a shop's changes over gRPC, open if they are mapped (default: 7718; 0: any free port)",
  GATEHOUSE_PUBLIC_HOST: 'host name or address in invites and links (default: this machine)',
  GATEHOUSE_TLS_CERT: "PEM file with an own certificate chain for the HTTPS port (default: the box's certificate)",
  GATEHOUSE_TLS_KEY: 'PEM file with the key of GATEHOUSE_TLS_CERT',
  GATEHOUSE_CERTIFICATE_NAME:
    'host name by which phones reach this box, for a certificate that they trust already (default: none)',
  GATEHOUSE_ACME_DNS:
    'who changes DNS to prove that name: webhook, command, acme-dns or manual (default: nobody; the certificate is imported)',
  ...acmeEnvironment('GATEHOUSE'),
  GATEHOUSE_WALLET_OVER_HTTP:
    'serve the attendee tier on plain HTTP too: 1 yes, 0 no (default: 1 for the demo event, else 0)',
  GATEHOUSE_WALLET_URL: 'start of every ticket link (default: /wallet/ of this box)',
  GATEHOUSE_SCANS_PER_SECOND:
    'scans per second that one device may send; 25 times as many for those admitted offline (default: 20)',
  GATEHOUSE_SCAN_BURST:
    'scans that one device may send at once; 25 times as many for those admitted offline (default: 40)',
  GATEHOUSE_LOOK_UP:
    "who looks tickets up by name, order or seat: off, desk, or supervisors, which is the desk and supervisors' scanners (default: supervisors)",
  GATEHOUSE_MDNS: 'announce the box by mDNS, and search for others: 1 yes, 0 no (default: 1)',
  GATEHOUSE_MESH_ROUTE_PORT:
    'port for the other voters of the event, open once there are three boxes (default: 6222; 0: any free port)',
  GATEHOUSE_MESH_LEAF_PORT:
    'port for the other boxes of the event, open once there are any (default: 7422; 0: any free port)',
  GATEHOUSE_MESH_HOST: 'host name or address by which other boxes reach this one (default: GATEHOUSE_PUBLIC_HOST)',
  GATEHOUSE_MESH_INVITE: 'join the event of this invite at the first start, with an empty data folder',
  GATEHOUSE_NATS_SERVER: 'path of nats-server, 2.10.27 or newer, for several boxes (default: found in PATH)',
  ...PROVIDER_ENVIRONMENT,
  GATEHOUSE_APPLIANCE: "folder shared with the machine's root; set by the appliance image only",
  GATEHOUSE_LOG_LEVEL: 'debug, info, warn, error or silent (default: info)',
} as const

type Name = keyof typeof ENVIRONMENT
export type Environment = { readonly [name in Name]?: string | undefined }

/** @throws ConfigError that lists every mistake at once */
export function readConfig(environment: Environment): Config {
  const settings = settingsOf<Name>(environment)
  const config = settingsOfBox(settings)
  requireAgreement(config, settings)
  settings.finish('GATEHOUSE_', ENVIRONMENT)
  return Object.freeze(config)
}

/** Each setting as it is read, with its default. */
function settingsOfBox(settings: Settings<Name>) {
  const { text, path, number, oneOf } = settings
  const dataDir = path('GATEHOUSE_DATA_DIR') ?? resolve('data')
  const own: OwnEvent | undefined =
    text('GATEHOUSE_EVENT_DIR') === undefined
      ? { eventDir: join(dataDir, 'own/event'), dataDir: join(dataDir, 'own/data') }
      : undefined
  const hasOwn = own !== undefined && existsSync(join(own.eventDir, 'event.json'))
  return {
    dataDir: hasOwn ? own.dataDir : dataDir,
    /** The folder that GATEHOUSE_DATA_DIR names: `dataDir`, or one above it. */
    dataRoot: dataDir,
    /** The box runs the demo event, whose tickets belong to nobody. */
    demo: own !== undefined && !hasOwn,
    eventDir: path('GATEHOUSE_EVENT_DIR') ?? (hasOwn ? own.eventDir : join(import.meta.dirname, '../demo')),
    /** Folders for the first event of its own, which the guide makes; undefined on a box that has one. */
    ownEvent: hasOwn ? undefined : own,
    /** The address that the listeners bind to: all addresses by default. */
    host: text('GATEHOUSE_HOST') ?? '::',
    httpPort: number('GATEHOUSE_HTTP_PORT', 8080, 65_535),
    httpsPort: number('GATEHOUSE_HTTPS_PORT', 8443, 65_535),
    devicePort: number('GATEHOUSE_DEVICE_PORT', 8444, 65_535),
    /** Port for handhelds with pretixSCAN; undefined: they are not served. */
    pretixScanPort: pretixScanPort(settings),
    /** Keep a change log in the ledger, and run the change feed. */
    feed: oneOf('GATEHOUSE_FEED', ['1', '0'], '1') === '1',
    /** Port of the feed's control plane, on 127.0.0.1 only. */
    feedPort: number('GATEHOUSE_FEED_PORT', 7717, 65_535),
    /** The operator's configuration of the feed, in place of the one that the box writes. */
    feedConfig: path('GATEHOUSE_FEED_CONFIG'),
    /** Group of the feed's user, where that is another one than the box's: it gets the ledger and the folder `feed`. */
    feedGroup: feedGroup(settings),
    /** Address of HQ's receiver, `host:port`; undefined: nothing is sent to HQ. */
    hq: text('GATEHOUSE_HQ'),
    /** CA of HQ's certificate, a PEM file; undefined: the public CAs. */
    hqCa: path('GATEHOUSE_HQ_CA'),
    /** File with the key of the refs that name a ticket across boxes; the same at every box of an HQ. */
    hqTicketKey: path('GATEHOUSE_HQ_TICKET_KEY'),
    /** File that maps a shop's tables to tickets; undefined: `shop.yaml` in the event folder, if it exists. */
    shopFile: path('GATEHOUSE_SHOP'),
    /** Port of the gRPC receiver of a shop's changes, open if there is a mapping. */
    receiverPort: number('GATEHOUSE_RECEIVER_PORT', 7718, 65_535),
    /** Host name without port by which phones reach this box; undefined: this machine's own names. */
    publicHost: text('GATEHOUSE_PUBLIC_HOST'),
    /** The organiser's own certificate chain for the HTTPS port, a PEM file; its key is in `tlsKey`. */
    tlsCert: text('GATEHOUSE_TLS_CERT'),
    tlsKey: text('GATEHOUSE_TLS_KEY'),
    /** The public name of the box, and how its certificate is obtained; undefined: it has none. */
    certificate: certificate(settings),
    /** Serve the attendee tier on plain HTTP too, where anybody on the radio network can read a ticket's secret. */
    // The demo's tickets belong to nobody, and a newcomer opens the wallet before trusting a certificate.
    walletOverHttp: oneOf('GATEHOUSE_WALLET_OVER_HTTP', ['1', '0'], own && !hasOwn ? '1' : '0') === '1',
    /** Start of every ticket link; undefined: the wallet of this box. */
    walletUrl: walletUrl(settings),
    scansPerSecond: number('GATEHOUSE_SCANS_PER_SECOND', 20, 1_000_000, 1),
    scanBurst: number('GATEHOUSE_SCAN_BURST', 40, 1_000_000, 1),
    /** Places where tickets are looked up by name, order or seat. */
    lookUps: oneOf('GATEHOUSE_LOOK_UP', ['off', 'desk', 'supervisors'], 'supervisors'),
    mdns: oneOf('GATEHOUSE_MDNS', ['1', '0'], '1') === '1',
    /** The organiser's OpenID provider; undefined: people sign in without one. */
    provider: readProvider(settings),
    ...settingsOfMesh(settings),
    /** On the appliance image, the folder that this box shares with the machine's root; undefined elsewhere. */
    appliance: path('GATEHOUSE_APPLIANCE'),
    logLevel: oneOf('GATEHOUSE_LOG_LEVEL', LOG_LEVELS, 'info'),
  }
}

/** Settings of a box among several. */
function settingsOfMesh({ text, path, number }: Settings<Name>) {
  return {
    /** Ports for the other boxes of the event, open once there are any; 0: a free port is chosen once and kept. */
    meshRoutePort: number('GATEHOUSE_MESH_ROUTE_PORT', 6222, 65_535),
    meshLeafPort: number('GATEHOUSE_MESH_LEAF_PORT', 7422, 65_535),
    /** Host name or address without port by which the other boxes reach this one; by default as phones do. */
    meshHost: text('GATEHOUSE_MESH_HOST') ?? text('GATEHOUSE_PUBLIC_HOST'),
    /** The box joins the event of this invite before it opens for the first time; undefined: it has its own event. */
    meshInvite: readInviteText(text('GATEHOUSE_MESH_INVITE') ?? ''),
    /** The program nats-server, which several boxes need; undefined: it is searched for in PATH. */
    natsServer: path('GATEHOUSE_NATS_SERVER'),
  }
}

/** Checks settings against each other. */
function requireAgreement(config: Config, { mistakes, text }: Settings<Name>): void {
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    mistakes.push('GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY go together: set both or neither')
  }
  if (config.meshHost !== undefined && text('GATEHOUSE_MESH_HOST') && !/^[A-Za-z0-9.:-]+$/.test(config.meshHost)) {
    mistakes.push(`GATEHOUSE_MESH_HOST is "${config.meshHost}", not a host name or an address such as 192.168.1.20`)
  }
  if (text('GATEHOUSE_MESH_INVITE') !== undefined && (!config.meshInvite || config.demo)) {
    mistakes.push(
      config.meshInvite
        ? 'GATEHOUSE_MESH_INVITE needs GATEHOUSE_EVENT_DIR: name the folder for the event'
        : 'GATEHOUSE_MESH_INVITE is not an invite for a box, which begins with gatehouse-mesh:https://',
    )
  }
  if (config.hq !== undefined && !/^([^\s:/]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(config.hq)) {
    mistakes.push(`GATEHOUSE_HQ is "${config.hq}", not host:port such as hq.example.com:7719`)
  }
  if (config.provider && config.publicHost === undefined)
    mistakes.push('GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_PUBLIC_HOST: the provider sends people back to that name')
  if (config.hq === undefined && (config.hqCa ?? config.hqTicketKey) !== undefined) {
    mistakes.push('GATEHOUSE_HQ_CA and GATEHOUSE_HQ_TICKET_KEY need GATEHOUSE_HQ: set it, or remove both')
  }
  if (config.hq !== undefined && (!config.feed || config.feedConfig !== undefined)) {
    mistakes.push(
      "GATEHOUSE_HQ configures the box's own feed: remove GATEHOUSE_FEED and GATEHOUSE_FEED_CONFIG, or add the sink to your own configuration",
    )
  }
}

function certificate(settings: Settings<Name>) {
  const { text, mistakes } = settings
  const name = text('GATEHOUSE_CERTIFICATE_NAME')?.toLowerCase()
  const acme = readAcme(settings, 'GATEHOUSE', name ?? '')
  if (name === undefined) {
    if (acme) mistakes.push('GATEHOUSE_ACME_DNS needs GATEHOUSE_CERTIFICATE_NAME, the name to prove')
    return undefined
  }
  if (!isPublicName(name)) {
    mistakes.push(`GATEHOUSE_CERTIFICATE_NAME is "${name}", not a host name in a domain, such as gate.example.org`)
    return undefined
  }
  return { name, acme }
}

function pretixScanPort({ number, text }: Settings<Name>): number | undefined {
  const port = number('GATEHOUSE_PRETIXSCAN_PORT', 0, 65_535)
  return text('GATEHOUSE_PRETIXSCAN_PORT') === undefined ? undefined : port
}

function feedGroup({ number, text }: Settings<Name>): number | undefined {
  const group = number('GATEHOUSE_FEED_GROUP', 0, 2 ** 31 - 1, 1)
  return text('GATEHOUSE_FEED_GROUP') === undefined ? undefined : group
}

function walletUrl({ mistakes, text }: Settings<Name>): string | undefined {
  const value = text('GATEHOUSE_WALLET_URL')
  if (value === undefined || (/^https?:$/.test(URL.parse(value)?.protocol ?? '') && !value.includes('#'))) return value
  mistakes.push(
    `GATEHOUSE_WALLET_URL is "${value}", not a URL without a fragment such as https://tickets.example/wallet/`,
  )
  return undefined
}

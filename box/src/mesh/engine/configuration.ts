/**
 * Writes the configuration of a box's nats-server, from the topology and the box's place in it. There are two accounts, so that an
 * emergency has connections of its own and waits behind nothing: `MESH` for everything, `URGENT` for emergencies. Only the voters
 * have JetStream, and it stores nothing but the reservation stream: replicated entries are in the ledgers. Every member connects
 * with keys of its own, which are in the topology, and may do there what its role needs.
 */
import { hostInUrl } from '../../listen.ts'
import type { Topology, TopologyBox } from '../topology.ts'
import { boxOf, votersOf } from '../topology.ts'
import { ACCOUNTS, type Account, DOMAIN } from './accounts.ts'
import { userKey } from './nkey.ts'
import { memberPermissions, type Permissions, relayPermissions } from './permissions.ts'

/** Twice what the reservations of a million tickets need. */
const MOST_STORED_BYTES = 1024 ** 3
/** Twice the largest batch of a journal. */
const LARGEST_MESSAGE = 1024 ** 2

export interface Files {
  /** This box's certificate for the mesh, its key, and the certificate of the event's authority: PEM files. */
  certificate: string
  key: string
  authority: string
  /** Folder in which the server writes at which port it listens. */
  portsFolder: string
  pid: string
  /** Of JetStream: one for each epoch and each incarnation of a voter. */
  store: string
}

export interface ConfigurationOptions {
  topology: Topology
  boxId: string
  /** The name by which the voters know this server: the box's id, or another one after it came back with an empty store. */
  serverName: string
  /** Address to bind to; `::` for all. */
  bind: string
  /** The ports that the listeners of route and leaf bind to, where they are not those in the topology. */
  ports?: { route: number; leaf: number } | undefined
  files: Files
  /** A publicly trusted certificate for a box in a data centre, in place of the box's own: PEM files. */
  publicCertificate?: { certificate: string; key: string } | undefined
  /** Passwords: `local` of this box's own connections, random; `route` of the voters of this epoch. */
  secrets: { local: string; route: string }
  /** This box's keys for its connections, as nats-server reads them. */
  seeds: { bulk: string; urgent: string }
  /** Port for the box's own connections, on loopback; 0 for any free one. */
  clientPort: number
  /** A voter that recovers connects as a leaf does. */
  asLeaf?: boolean
}

/** Requests that a server takes from its own box alone. */
const FOR_OWN_BOX = ['RELOAD', 'KICK', 'LDM', 'CONNZ', 'SUBSZ', 'PROFILEZ'].map((what) => `$SYS.REQ.SERVER.*.${what}`)

/** True if the server of this box has a vote. */
export function isVoter(topology: Topology, boxId: string): boolean {
  return votersOf(topology).includes(boxId)
}

/** @returns nats-server's whole configuration, one setting a line */
export function configurationOf(options: ConfigurationOptions): string {
  const { topology, boxId } = options
  return textFor(options, { users: usersOf(topology, boxId), pins: pinsOf(topology) })
}

/** The same without the keys of members that connect here: a server takes a change of these without a restart. */
export function skeletonOf(options: ConfigurationOptions): string {
  return textFor(options, { users: [], pins: [] })
}

/** The members that connect to this box, by the keys that they connect with. Empty for a box without connections. */
export function nkeysOf(topology: Topology, boxId: string): string[] {
  return usersOf(topology, boxId).map(({ nkey }) => nkey)
}

interface LinkUser {
  account: Account
  nkey: string
  permissions: Permissions
}

function usersOf(topology: Topology, boxId: string): LinkUser[] {
  const voters = votersOf(topology)
  const isDialled = boxOf(topology, boxId).dial !== undefined
  if (!isDialled && !voters.includes(boxId)) return []
  const others = topology.boxes.filter(({ id }) => id !== boxId)
  return others.flatMap((box): LinkUser[] => {
    const { id, link_keys: keys, dial } = box
    if (!keys || dial !== undefined || (isDialled && !voters.includes(id))) return []
    return ACCOUNTS.map((account) => ({
      account,
      nkey: userKey(Buffer.from(account === 'MESH' ? keys.bulk : keys.urgent, 'base64')),
      permissions: isDialled ? relayPermissions(account) : memberPermissions(account, box),
    }))
  })
}

/** The account of connections without a listed key: it takes none. */
const STRANGERS = 'STRANGERS'

interface Members {
  users: readonly LinkUser[]
  /** Of the certificates of the voters. */
  pins: readonly string[]
}

function textFor(options: ConfigurationOptions, members: Members): string {
  const { topology, boxId, files, secrets } = options
  const box = boxOf(topology, boxId)
  const voter = isVoter(topology, boxId) && options.asLeaf !== true
  const lines = [
    `server_name: ${quote(options.serverName)}`,
    `listen: "127.0.0.1:${options.clientPort === 0 ? -1 : options.clientPort}"`,
    `ports_file_dir: ${quote(files.portsFolder)}`,
    `pid_file: ${quote(files.pid)}`,
    `max_payload: ${LARGEST_MESSAGE}`,
    // With the defaults a lost connection would be noticed after twenty minutes.
    'ping_interval: "2s"',
    'ping_max: 2',
    'write_deadline: "5s"',
    // Messages that the box does not read in time are dropped: it pulls what it missed.
    'max_pending: 64MB',
    'logtime: false',
    'system_account: SYS',
    ...accounts(secrets.local, voter, members.users),
    ...(voter ? jetStream(files.store) : []),
    ...(voter && votersOf(topology).length > 1 ? cluster(box, options, members.pins) : []),
    ...leafNodes(box, voter, options),
  ]
  return `${lines.join('\n')}\n`
}

function accounts(password: string, voter: boolean, users: readonly LinkUser[]): string[] {
  const account = (name: string, more: string[] = []) => [
    `  ${name} {`,
    '    users: [',
    `      { user: ${quote(name.toLowerCase())}, password: ${quote(password)}, allowed_connection_types: [ "STANDARD" ] }`,
    ...users.flatMap((user) => (user.account === name ? userLine(user) : [])),
    '    ]',
    ...more,
    '  }',
  ]
  return [
    'accounts {',
    ...account('SYS'),
    ...account('MESH', voter ? ['    jetstream: enabled'] : []),
    ...account('URGENT'),
    // Where no member is listed yet, nats-server lets in whoever shows no password, keys or none, and keeps them when members are.
    `  ${STRANGERS} { limits { max_leafnodes: 0 } }`,
    '}',
  ]
}

function userLine({ nkey, permissions: { publish, subscribe } }: LinkUser): string {
  const only = (subjects: readonly string[]) =>
    subjects.length > 0 ? `{ allow: [ ${subjects.map(quote).join(', ')} ] }` : '{ deny: ">" }'
  const may = `{ publish: ${only(publish)}, subscribe: ${only(subscribe)} }`
  return `      { nkey: ${nkey}, allowed_connection_types: [ "LEAFNODE" ], permissions: ${may} }`
}

function jetStream(store: string): string[] {
  return [
    'jetstream {',
    `  store_dir: ${quote(store)}`,
    `  domain: ${quote(DOMAIN)}`,
    // A write is acknowledged when it is on disk. By default a power cut would lose two minutes of acknowledged writes.
    '  sync_interval: always',
    `  max_file_store: ${MOST_STORED_BYTES}`,
    '  max_memory_store: 0',
    '}',
  ]
}

function cluster(
  box: TopologyBox,
  { topology, bind, ports, files, secrets }: ConfigurationOptions,
  pins: readonly string[],
): string[] {
  const voters = votersOf(topology).map((id) => boxOf(topology, id))
  return [
    'cluster {',
    // Voters of different epochs never form one cluster.
    `  name: "core-${topology.epoch}"`,
    `  listen: ${quote(hostPort(bind, (ports ?? box.ports).route))}`,
    // A voter tells another one how to reach a third: by the address in the topology, and not the one that it happens to see.
    `  advertise: ${quote(hostPort(box.host, box.ports.route))}`,
    '  no_advertise: true',
    // An account uses the connection that its name hashes to (FNV-1a): of three, MESH has one for itself, and URGENT shares one
    // with SYS, over which the voters agree. With connections reserved for an account (`accounts`), two voters that dialled each
    // other at once were left with a connection that worked in one direction only.
    '  pool_size: 3',
    '  ping_interval: "2s"',
    `  authorization { user: "route", password: ${quote(secrets.route)}, timeout: 10 }`,
    ...pinned(tls(files), pins),
    // Routes carry the system account: without this any voter could end the connections of another one's server.
    `  permissions { import: { deny: [ ${FOR_OWN_BOX.map(quote).join(', ')} ] } }`,
    // This voter is among them: a new core takes their number for its size, and with two routes it would count two voters.
    '  routes: [',
    ...voters.map(
      ({ host, ports }) => `    ${quote(`nats-route://route:${secrets.route}@${hostPort(host, ports.route)}`)}`,
    ),
    '  ]',
    '}',
  ]
}

function leafNodes(box: TopologyBox, voter: boolean, options: ConfigurationOptions): string[] {
  const { topology, bind, ports, files, seeds, publicCertificate } = options
  const others = votersOf(topology).flatMap((id) => (id === box.id ? [] : boxOf(topology, id)))
  const accepts = voter || box.dial !== undefined
  const inDataCentre = topology.boxes.filter(({ id, dial }) => id !== box.id && dial !== undefined)
  const listener = [
    `  listen: ${quote(hostPort(bind, (ports ?? box.ports).leaf))}`,
    // A leaf that has connected is told where to connect the next time, in spite of `no_advertise`: at the topology's address.
    `  advertise: ${quote(hostPort(box.host, box.ports.leaf))}`,
    '  no_advertise: true',
    `  authorization { account: ${STRANGERS}, timeout: 10 }`,
    ...(box.dial !== undefined && publicCertificate ? tls(files, publicCertificate) : tls(files)),
  ]
  const remote = (to: readonly TopologyBox[], more: string[]) =>
    ACCOUNTS.flatMap((account) => [
      '    {',
      `      account: ${account}`,
      `      urls: [ ${to.map(({ host, ports }) => quote(`tls://${hostPort(host, ports.leaf)}`)).join(', ')} ]`,
      `      nkey: ${account === 'MESH' ? seeds.bulk : seeds.urgent}`,
      ...more,
      '    }',
    ])
  const remotes = voter
    ? inDataCentre.flatMap((to) => remote([to], dialTls(files)))
    : box.dial === undefined
      ? remote(others, remoteTls(files))
      : []
  return [
    'leafnodes {',
    // A box without a connection tries each second, so that a mended cable is noticed at once.
    '  reconnect: "1s"',
    ...(accepts ? listener : pinned(tls(files), pinsOf(topology))),
    ...(remotes.length > 0 ? ['  remotes: [', ...remotes, '  ]'] : []),
    '}',
  ]
}

/** Both ends show a certificate of the event's authority, unless `shown` is another one. */
function tls({ certificate, key, authority }: Files, shown = { certificate, key }): string[] {
  return [
    '  tls {',
    `    cert_file: ${quote(shown.certificate)}`,
    `    key_file: ${quote(shown.key)}`,
    `    ca_file: ${quote(authority)}`,
    '    verify: true',
    '    timeout: 10',
    '  }',
  ]
}

/** The only keys that are believed at the other end, whatever its certificate says. */
function pinned(lines: string[], pins: readonly string[]): string[] {
  // With an empty list nats-server would believe every certificate.
  const all = pins.length > 0 ? pins : [NOBODY]
  return [...lines.slice(0, -1), `    pinned_certs: [ ${all.map(quote).join(', ')} ]`, ...lines.slice(-1)]
}
const NOBODY = '0'.repeat(64)

function pinsOf(topology: Topology): string[] {
  return votersOf(topology).flatMap((id) => boxOf(topology, id).link_keys?.tls ?? [])
}

function remoteTls(files: Files): string[] {
  return tls(files).map((line) => `    ${line}`)
}

/** The certificate of a data centre is checked as that of any web site; the one shown to it is of the event's authority. */
function dialTls(files: Files): string[] {
  return remoteTls(files).filter((line) => !line.includes('ca_file:'))
}

function hostPort(host: string, port: number): string {
  return `${hostInUrl(host)}:${port}`
}

/** Ids and hosts have a narrow alphabet, but a path may contain any character. */
function quote(text: string): string {
  return JSON.stringify(text)
}

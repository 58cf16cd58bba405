/**
 * What a box's nats-server is started with: text, from who the boxes are and what this one is. Two accounts, so that an
 * emergency has connections of its own and waits behind nothing: `MESH` for everything, `URGENT` for what cannot wait. Only the
 * voters have JetStream, and all it holds is the stream of claims: what boxes tell each other lies in their ledgers.
 */
import type { Topology, TopologyBox } from '../topology.ts'
import { boxOf, votersOf } from '../topology.ts'

/** The JetStream domain of the voters, wherever one asks from. */
export const DOMAIN = 'core'
export const ACCOUNTS = ['MESH', 'URGENT'] as const
export type Account = (typeof ACCOUNTS)[number]

/** Claims of a million tickets are half of this. */
const MOST_STORED_BYTES = 1024 ** 3
/** Twice the largest batch of a journal. */
const LARGEST_MESSAGE = 1024 ** 2

export interface Files {
  /** This box's certificate for the mesh, its key, and the event's authority: PEM. */
  certificate: string
  key: string
  authority: string
  /** Where the server says at which port it listens. */
  portsFolder: string
  pid: string
  /** One for each epoch, and each time that a voter came back as a new one. */
  store: string
}

export interface ConfigurationOptions {
  topology: Topology
  boxId: string
  /** What the voters know this server by: its box's id, and another name once it has come back without its memory. */
  serverName: string
  /** Address to bind to, `::` for every one. */
  bind: string
  /** What the listeners of route and leaf bind to, when it is not what the other boxes are told. */
  ports?: { route: number; leaf: number } | undefined
  files: Files
  /** A data centre's publicly trusted certificate in place of the box's own: PEM files. */
  publicCertificate?: { certificate: string; key: string } | undefined
  /** Passwords: of this box's own connections, random; of the other boxes, who derive the same. */
  secrets: { local: string; mesh: string }
  /** Port for the box's own connections, on loopback: 0 picks one. */
  clientPort: number
  /** A voter that asks after the others before it takes part again: it connects as a leaf does. */
  asLeaf?: boolean
}

/** Whether the server of this box has a vote. */
export function isVoter(topology: Topology, boxId: string): boolean {
  return votersOf(topology).includes(boxId)
}

/** @returns the whole of nats-server's configuration, one setting a line */
export function configurationOf(options: ConfigurationOptions): string {
  const { topology, boxId, files, secrets } = options
  const box = boxOf(topology, boxId)
  const voter = isVoter(topology, boxId) && options.asLeaf !== true
  const lines = [
    `server_name: ${quote(options.serverName)}`,
    `listen: "127.0.0.1:${options.clientPort === 0 ? -1 : options.clientPort}"`,
    `ports_file_dir: ${quote(files.portsFolder)}`,
    `pid_file: ${quote(files.pid)}`,
    `max_payload: ${LARGEST_MESSAGE}`,
    // The default of ten times two minutes would be a box that one believes to hear for twenty minutes.
    'ping_interval: "2s"',
    'ping_max: 2',
    'write_deadline: "5s"',
    // What the box does not fetch in time is not kept for it: it asks again.
    'max_pending: 64MB',
    'logtime: false',
    'system_account: SYS',
    ...accounts(secrets.local, voter),
    ...(voter ? jetStream(files.store) : []),
    ...(voter && votersOf(topology).length > 1 ? cluster(box, options) : []),
    ...leafNodes(box, voter, options),
  ]
  return `${lines.join('\n')}\n`
}

function accounts(password: string, voter: boolean): string[] {
  const account = (name: string, more: string[] = []) => [
    `  ${name} {`,
    `    users: [ { user: ${quote(name.toLowerCase())}, password: ${quote(password)} } ]`,
    ...more,
    '  }',
  ]
  return [
    'accounts {',
    ...account('SYS'),
    ...account('MESH', voter ? ['    jetstream: enabled'] : []),
    ...account('URGENT'),
    '}',
  ]
}

function jetStream(store: string): string[] {
  return [
    'jetstream {',
    `  store_dir: ${quote(store)}`,
    `  domain: ${quote(DOMAIN)}`,
    // What has been acknowledged is on disk: the default forgets two minutes of it in a power cut.
    '  sync_interval: always',
    `  max_file_store: ${MOST_STORED_BYTES}`,
    '  max_memory_store: 0',
    '}',
  ]
}

function cluster(box: TopologyBox, { topology, bind, ports, files, secrets }: ConfigurationOptions): string[] {
  const voters = votersOf(topology).map((id) => boxOf(topology, id))
  return [
    'cluster {',
    // Voters of two epochs never are one cluster.
    `  name: "core-${topology.epoch}"`,
    `  listen: ${quote(hostPort(bind, (ports ?? box.ports).route))}`,
    // Voters tell each other how to reach a third: as the list of boxes says, and not as they happen to see it.
    `  advertise: ${quote(hostPort(box.host, box.ports.route))}`,
    '  no_advertise: true',
    // An account goes over the connection that its name hashes to (FNV-1a): of three, MESH has one for itself, and URGENT shares
    // one with SYS, where the voters agree. Connections of an account's own (`accounts`) have left two voters half deaf to each
    // other when both dialled at once.
    '  pool_size: 3',
    '  ping_interval: "2s"',
    `  authorization { user: "route", password: ${quote(secrets.mesh)}, timeout: 10 }`,
    ...tls(files),
    // This one among them: how many there are is what a new core takes for its size, and with two it would be one of two.
    '  routes: [',
    ...voters.map(
      ({ host, ports }) => `    ${quote(`nats-route://route:${secrets.mesh}@${hostPort(host, ports.route)}`)}`,
    ),
    '  ]',
    '}',
  ]
}

function leafNodes(box: TopologyBox, voter: boolean, options: ConfigurationOptions): string[] {
  const { topology, bind, ports, files, secrets, publicCertificate } = options
  const others = votersOf(topology).flatMap((id) => (id === box.id ? [] : boxOf(topology, id)))
  const accepts = voter || box.dial !== undefined
  const inDataCentre = topology.boxes.filter(({ id, dial }) => id !== box.id && dial !== undefined)
  const users = ACCOUNTS.map(
    (account) => `{ user: ${quote(account.toLowerCase())}, password: ${quote(secrets.mesh)}, account: ${account} }`,
  )
  const listener = [
    `  listen: ${quote(hostPort(bind, (ports ?? box.ports).leaf))}`,
    // Whoever has dialled is told where to dial the next time, whatever `no_advertise` says: as the list of boxes has it.
    `  advertise: ${quote(hostPort(box.host, box.ports.leaf))}`,
    '  no_advertise: true',
    '  authorization {',
    '    timeout: 10',
    `    users: [ ${users.join(', ')} ]`,
    '  }',
    ...(box.dial !== undefined && publicCertificate ? tls(files, publicCertificate) : tls(files)),
  ]
  const urls = (to: readonly TopologyBox[], account: Account) =>
    to.map(({ host, ports }) => quote(`tls://${account.toLowerCase()}:${secrets.mesh}@${hostPort(host, ports.leaf)}`))
  const remote = (to: readonly TopologyBox[], more: string[]) =>
    ACCOUNTS.flatMap((account) => [
      '    {',
      `      account: ${account}`,
      `      urls: [ ${urls(to, account).join(', ')} ]`,
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
    // A box that hears nobody tries each second: a mended cable is noticed at once.
    '  reconnect: "1s"',
    ...(accepts ? listener : []),
    ...(remotes.length > 0 ? ['  remotes: [', ...remotes, '  ]'] : []),
    '}',
  ]
}

/** Both ends show a certificate of the event's authority. */
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

function remoteTls(files: Files): string[] {
  return tls(files).map((line) => `    ${line}`)
}

/** A data centre's certificate is checked as any site's on the internet is; the certificate shown there is the event's. */
function dialTls(files: Files): string[] {
  return remoteTls(files).filter((line) => !line.includes('ca_file:'))
}

function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Ids and hosts are of a narrow alphabet; a path is whatever the operator's file system holds. */
function quote(text: string): string {
  return JSON.stringify(text)
}

/**
 * The settings of `gatehouse.toml`, which any laptop can edit. Every text gives settings: a key with a mistake is reported, and treated
 * as if it were not in the file. Pure.
 */

import { rolesOf } from '../../box/src/provider-settings.ts'
import { coded } from '../../proto/said.ts'
import {
  CLAIM,
  CLIENT_ID,
  CONTACT,
  COUNTRY,
  DNS_METHOD,
  EVENT_NAME,
  FILE,
  HOST_NAME,
  HOSTS,
  HTTPS_URL,
  INVITE,
  ISSUER,
  isAddress,
  isFileName,
  isHostAndPort,
  LOOK_UP,
  networkAddress,
  OIDC_PROMPT,
  PASSPHRASE,
  PEM_FILE,
  PLAIN,
  PUBLIC_HOST,
  PUBLIC_NAME,
  RECORD,
  SCOPE,
  SSID,
  WIFI_MODE,
} from './forms.ts'
import { MISSING, type Problem, SettingsFile } from './settings-file.ts'

export interface Settings {
  /** Host name; the box is found at `<name>.local`. */
  name: string
  /** A folder or archive on the boot partition with event.json in it. */
  event: string | undefined
  /** Address by which phones reach the box, in invites and links. */
  publicHost: string | undefined
  walletOverHttp: boolean
  /** `off`, `desk` or `supervisors`: where tickets are looked up by name; undefined for the box's default. */
  lookUp: string | undefined
  /** Serve handhelds with pretixSCAN. */
  pretixScan: boolean
  /** Write the admin token to the boot partition, once. */
  showAdminToken: boolean
  /** Wired network; undefined: by DHCP. */
  wired: Wired | undefined
  wifi: Wifi
  /** Time servers before Debian's own. */
  timeServers: string[]
  /** File names on the boot partition. */
  tls: { certificate: string; key: string } | undefined
  /** The public name, and how its certificate is obtained. */
  certificate: PublicName | undefined
  /** The organiser's OpenID provider. */
  oidc: Oidc | undefined
  hq: { address: string; ca: string } | undefined
  meshInvite: string | undefined
}

export interface PublicName {
  name: string
  /** Undefined: nobody changes DNS, and the certificate is imported. */
  dns: DnsSettings | undefined
  contact: string | undefined
  directory: string | undefined
  /** File name on the boot partition. */
  ca: string | undefined
}

export interface Oidc {
  issuer: string
  clientId: string
  /** File name on the boot partition. */
  secret: string
  /** Role of each group, as JSON. */
  roles: string
  groupsClaim: string | undefined
  scope: string | undefined
  prompt: string | undefined
  /** File name on the boot partition. */
  ca: string | undefined
}

export interface DnsSettings {
  method: string
  at: string | undefined
  /** File name on the boot partition. */
  secret: string | undefined
  record: string | undefined
}

export interface Wired {
  /** `192.168.1.10/24` */
  address: string
  gateway: string | undefined
  dns: string[]
}

export type Wifi =
  | { mode: 'off' }
  | { mode: 'client'; ssid: string; password: string | undefined; country: string }
  | { mode: 'access-point'; ssid: string; password: string; country: string; channel: number; address: string }

export const DEFAULTS: Settings = Object.freeze({
  name: 'gatehouse',
  event: undefined,
  publicHost: undefined,
  walletOverHttp: false,
  lookUp: undefined,
  pretixScan: false,
  showAdminToken: false,
  wired: undefined,
  wifi: { mode: 'off' as const },
  timeServers: [],
  tls: undefined,
  certificate: undefined,
  oidc: undefined,
  hq: undefined,
  meshInvite: undefined,
})

export function readSettings(text: string): { settings: Settings; problems: Problem[] } {
  const file = new SettingsFile(text)
  const settings: Settings = {
    name: file.text('box', 'name', HOST_NAME) ?? DEFAULTS.name,
    event: file.text('box', 'event', EVENT_NAME),
    publicHost: file.text('box', 'public_host', PUBLIC_HOST),
    walletOverHttp: file.flag('box', 'wallet_over_http'),
    lookUp: file.text('box', 'look_up', LOOK_UP),
    pretixScan: file.flag('box', 'pretixscan'),
    showAdminToken: file.flag('box', 'show_admin_token'),
    wired: readWired(file),
    wifi: readWifi(file),
    timeServers: file.texts('time', 'servers', HOSTS),
    tls: file.pair('tls', 'certificate', 'key', PEM_FILE),
    certificate: readPublicName(file),
    oidc: readOidc(file),
    hq: readHq(file),
    meshInvite: file.text('mesh', 'invite', INVITE),
  }
  return { settings, problems: file.problems }
}

function readPublicName(file: SettingsFile): PublicName | undefined {
  const name = file.text('certificate', 'name', PUBLIC_NAME)
  const dns = readDns(file)
  const contact = file.text('certificate', 'contact', CONTACT)
  const directory = file.text('certificate', 'directory', HTTPS_URL)
  const ca = file.text('certificate', 'ca', PEM_FILE)
  if (name !== undefined) return { name, dns, contact, directory, ca }
  if (dns && file.at('certificate', 'name') === undefined)
    file.wrong('certificate', 'name', `is missing: ${PUBLIC_NAME.should}`, MISSING, PUBLIC_NAME.coded)
  return undefined
}

/** Whole, or undefined: half of it would keep the box from starting. */
function readDns(file: SettingsFile): DnsSettings | undefined {
  const method = file.text('certificate', 'dns', DNS_METHOD)
  const at = file.text('certificate', 'dns_at', HTTPS_URL)
  const secret = file.text('certificate', 'dns_secret', FILE)
  const record = file.text('certificate', 'dns_record', RECORD)
  if (method === undefined) return undefined
  if (method === 'manual') return { method, at: undefined, secret: undefined, record }
  for (const [key, value] of Object.entries({ dns_at: at, dns_secret: secret })) {
    if (value !== undefined) continue
    if (file.at('certificate', key) === undefined)
      file.wrong('certificate', key, `is missing: ${method} needs it`, MISSING, coded('needed_by', { name: method }))
    return undefined
  }
  return { method, at, secret, record }
}

/** Whole, or undefined: half of it would keep the box from starting. */
function readOidc(file: SettingsFile): Oidc | undefined {
  const issuer = file.text('oidc', 'issuer', ISSUER)
  const clientId = file.text('oidc', 'client_id', CLIENT_ID)
  const secret = file.text('oidc', 'secret', FILE)
  const roles = readRoles(file)
  const optional = {
    groupsClaim: file.text('oidc', 'groups_claim', CLAIM),
    scope: file.text('oidc', 'scope', SCOPE),
    prompt: file.text('oidc', 'prompt', OIDC_PROMPT),
    ca: file.text('oidc', 'ca', PEM_FILE),
  }
  const needed = { issuer, client_id: clientId, secret, roles }
  const names = [...Object.keys(needed), 'groups_claim', 'scope', 'prompt', 'ca']
  if (!names.some((key) => isGiven(file.at('oidc', key)))) return undefined
  for (const key of Object.keys(needed))
    if (!isGiven(file.at('oidc', key)))
      file.wrong(
        'oidc',
        key,
        'is missing: the provider needs issuer, client_id, secret and roles',
        MISSING,
        coded('needed_by_provider'),
      )
  // A wrong one of the others counts as well: the provider would be asked for something else than what was meant.
  const isWrong = names.some(
    (key) => isGiven(file.at('oidc', key)) && file.problems.some(({ where }) => where === `oidc.${key}`),
  )
  if (isWrong || issuer === undefined || clientId === undefined || secret === undefined || roles === undefined)
    return undefined
  return { issuer, clientId, secret, roles, ...optional }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== ''
}

/** Without quotes and backslashes in names of groups: two programs read the file that it is written to, each in its own way. */
function readRoles(file: SettingsFile): string | undefined {
  const value = file.at('oidc', 'roles')
  if (!isGiven(value)) return undefined
  const text = JSON.stringify(value) ?? ''
  const roles = rolesOf(text)
  const isPlain =
    roles && [...roles.keys()].every((group) => /^[^\p{Cc}"'\\]{1,200}$/u.test(group) && group.isWellFormed())
  if (isPlain && text.length <= 8_000) return text
  return file.wrong(
    'oidc',
    'roles',
    'is { "group" = "role" } with the roles viewer, desk, operator and admin; no quotes or backslashes in the name of a group',
    coded('roles'),
  )
}

function readHq(file: SettingsFile): Settings['hq'] {
  const hq = file.pair('hq', 'address', 'ca', PLAIN)
  if (hq && !isHostAndPort(hq.address))
    return file.wrong('hq', 'address', 'is host:port, such as hq.example:7719', coded('host_and_port'))
  if (hq && !isFileName(hq.ca)) return file.wrong('hq', 'ca', PEM_FILE.should, PEM_FILE.coded)
  return hq
}

function readWired(file: SettingsFile): Wired | undefined {
  const address = file.text('network', 'address', networkAddress('192.168.1.10/24'))
  const gateway = file.text('network', 'gateway', {
    fits: isAddress,
    should: 'is an address, such as 192.168.1.1',
    coded: coded('address', { example: '192.168.1.1' }),
  })
  const dns = file.texts('network', 'dns', {
    fits: isAddress,
    should: 'is a list of addresses',
    coded: coded('addresses'),
  })
  if (address !== undefined) return { address, gateway, dns }
  if (gateway !== undefined || dns.length > 0)
    file.wrong(
      'network',
      'address',
      'is missing: without it, the network gives all of them',
      MISSING,
      coded('network_gives'),
    )
  return undefined
}

const OFF: Wifi = { mode: 'off' }

function readWifi(file: SettingsFile): Wifi {
  const mode = file.text('wifi', 'mode', WIFI_MODE)
  if (mode === undefined || mode === 'off') {
    if (mode === undefined && file.at('wifi', 'ssid') !== undefined && file.at('wifi', 'mode') === undefined)
      file.wrong('wifi', 'mode', 'is missing: "client" or "access-point"', MISSING, WIFI_MODE.coded)
    return OFF
  }
  // The rules for radios differ by country; until the kernel knows the country, it does not transmit.
  const country = file.text('wifi', 'country', COUNTRY)
  const ssid = file.text('wifi', 'ssid', SSID)
  const password = file.text('wifi', 'password', PASSPHRASE)
  if (country === undefined && file.at('wifi', 'country') === undefined)
    file.wrong('wifi', 'country', 'is missing: two capital letters, such as "PT"', MISSING, COUNTRY.coded)
  if (ssid === undefined && file.at('wifi', 'ssid') === undefined)
    file.wrong('wifi', 'ssid', 'is missing: the name of the network', MISSING, coded('network_name'))
  if (country === undefined || ssid === undefined) return OFF
  // A mistyped password must never turn a closed network into an open one.
  if (password === undefined && (file.at('wifi', 'password') ?? '') !== '') return OFF
  if (mode === 'client') return { mode, ssid, password, country }
  if (password === undefined) {
    file.wrong(
      'wifi',
      'password',
      'is missing: an access point without one is open to everybody',
      MISSING,
      coded('open_to_all'),
    )
    return OFF
  }
  const address = file.text('wifi', 'address', networkAddress('10.77.0.1/24')) ?? '10.77.0.1/24'
  return { mode: 'access-point', ssid, password, country, channel: readChannel(file), address }
}

function readChannel(file: SettingsFile): number {
  const channel = file.at('wifi', 'channel') ?? 6
  if (typeof channel === 'number' && Number.isInteger(channel) && channel >= 1 && channel <= 13) return channel
  file.wrong('wifi', 'channel', 'is a whole number from 1 to 13', coded('channel'))
  return 6
}

/**
 * `gatehouse.toml`, from the partition that any laptop can edit. Whatever is in it, there are settings in the end: a mistake is
 * said, and what it stood for is as if it had not been written. Pure.
 */
import { isIP } from 'node:net'
import { parse, TomlError } from 'smol-toml'

export interface Settings {
  /** Host name; the box is found at `<name>.local`. */
  name: string
  /** A folder or archive on the boot partition with event.json in it. */
  event: string | undefined
  /** How phones reach the box, in invites and links. */
  publicHost: string | undefined
  walletOverHttp: boolean
  /** Write the admin token to the boot partition, once. */
  showAdminToken: boolean
  /** Wired network; undefined: by DHCP. */
  wired: Wired | undefined
  wifi: Wifi
  /** Time servers before Debian's own. */
  timeServers: string[]
  /** File names on the boot partition. */
  tls: { certificate: string; key: string } | undefined
  hq: { address: string; ca: string } | undefined
  meshInvite: string | undefined
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

/** One mistake, as the person with the laptop finds it: where, and what to write instead. */
export interface Problem {
  /** `wifi.password`, or `line 4` */
  where: string
  message: string
}

export const DEFAULTS: Settings = Object.freeze({
  ...{ name: 'gatehouse', event: undefined, publicHost: undefined, walletOverHttp: false, showAdminToken: false },
  ...{ wired: undefined, wifi: { mode: 'off' as const }, timeServers: [], tls: undefined, hq: undefined },
  meshInvite: undefined,
})

/** Every key that there is, by section: the file that comes with the image names each of them. */
export const KEYS = {
  box: ['name', 'event', 'public_host', 'wallet_over_http', 'show_admin_token'],
  network: ['address', 'gateway', 'dns'],
  wifi: ['mode', 'ssid', 'password', 'country', 'channel', 'address'],
  time: ['servers'],
  tls: ['certificate', 'key'],
  hq: ['address', 'ca'],
  mesh: ['invite'],
} as const
type Section = keyof typeof KEYS

export function readSettings(text: string): { settings: Settings; problems: Problem[] } {
  const problems: Problem[] = []
  const table = parseToml(text, problems)
  const at = (section: Section, key: string): unknown => {
    const found = table[section]
    return isTable(found) ? found[key] : undefined
  }
  const wrong = (section: Section, key: string, message: string): undefined => {
    problems.push({ where: `${section}.${key}`, message })
    return undefined
  }
  const text_ = (section: Section, key: string, fits: (value: string) => boolean, should: string) => {
    const value = at(section, key)
    if (value === undefined || value === '') return undefined
    return typeof value === 'string' && fits(value) ? value : wrong(section, key, should)
  }
  const yes = (section: Section, key: string) => {
    const value = at(section, key)
    if (value === undefined || typeof value === 'boolean') return value ?? false
    wrong(section, key, 'is true or false, without quotes')
    return false
  }
  const texts = (section: Section, key: string, fits: (value: string) => boolean, should: string): string[] => {
    const value = at(section, key) ?? []
    const list = typeof value === 'string' ? [value] : value
    if (Array.isArray(list) && list.length <= 8 && list.every((one) => typeof one === 'string' && fits(one)))
      return list
    wrong(section, key, should)
    return []
  }

  noteUnknown(table, problems)
  const settings: Settings = {
    name: text_('box', 'name', isHostName, 'is a host name: letters, digits and hyphens, at most 63') ?? DEFAULTS.name,
    event: text_('box', 'event', isFileName, 'is the name of a folder or archive on this partition'),
    publicHost: text_('box', 'public_host', isHost, 'is a host name or an address, without https:// and port'),
    walletOverHttp: yes('box', 'wallet_over_http'),
    showAdminToken: yes('box', 'show_admin_token'),
    wired: readWired(),
    wifi: readWifi(),
    timeServers: texts('time', 'servers', isHost, 'is a list of host names or addresses'),
    tls: pair('tls', 'certificate', 'key', isFileName, 'is the name of a PEM file on this partition'),
    hq: readHq(),
    meshInvite: text_(
      'mesh',
      'invite',
      (value) => /^[\x21-\x7e]{8,4096}$/.test(value),
      'is the invite as the other box printed it',
    ),
  }
  return { settings, problems }

  function pair<A extends string, B extends string>(
    section: Section,
    first: A,
    second: B,
    fits: (value: string) => boolean,
    should: string,
  ): { [name in A | B]: string } | undefined {
    const [one, two] = [text_(section, first, fits, should), text_(section, second, fits, should)]
    if (one !== undefined && two !== undefined) return { [first]: one, [second]: two } as { [name in A | B]: string }
    if (at(section, first) !== undefined && at(section, second) === undefined)
      wrong(section, second, `is missing: it goes with ${first}`)
    if (at(section, second) !== undefined && at(section, first) === undefined)
      wrong(section, first, `is missing: it goes with ${second}`)
    return undefined
  }

  function readHq() {
    const hq = pair(
      'hq',
      'address',
      'ca',
      (value) => /^[^\0-\x20"']{1,253}$/.test(value),
      'is written in plain characters',
    )
    if (hq && !isHostAndPort(hq.address)) return wrong('hq', 'address', 'is host:port, such as hq.example:7719')
    if (hq && !isFileName(hq.ca)) return wrong('hq', 'ca', 'is the name of a PEM file on this partition')
    return hq
  }

  function readWired(): Wired | undefined {
    const address = text_(
      'network',
      'address',
      isNetworkAddress,
      'is an address with its prefix, such as 192.168.1.10/24',
    )
    const gateway = text_('network', 'gateway', (value) => isIP(value) > 0, 'is an address, such as 192.168.1.1')
    const dns = texts('network', 'dns', (value) => isIP(value) > 0, 'is a list of addresses')
    if (address !== undefined) return { address, gateway, dns }
    if (gateway !== undefined || dns.length > 0)
      wrong('network', 'address', 'is missing: without it, the network gives all of them')
    return undefined
  }

  function readWifi(): Wifi {
    const off: Wifi = { mode: 'off' }
    const mode = text_(
      'wifi',
      'mode',
      (value) => ['off', 'client', 'access-point'].includes(value),
      'is "off", "client" or "access-point"',
    )
    if (mode === undefined || mode === 'off') {
      if (mode === undefined && at('wifi', 'ssid') !== undefined && at('wifi', 'mode') === undefined)
        wrong('wifi', 'mode', 'is missing: "client" or "access-point"')
      return off
    }
    // What the radio may do differs by country, and the kernel keeps it silent until it is told.
    const country = text_(
      'wifi',
      'country',
      (value) => /^[A-Z]{2}$/.test(value),
      'is two capital letters, such as "PT"',
    )
    const ssid = text_('wifi', 'ssid', (value) => isPlain(value) && bytes(value) <= 32, 'is at most 32 bytes')
    const password = text_('wifi', 'password', isPassphrase, 'has 8 to 63 plain characters')
    if (country === undefined && at('wifi', 'country') === undefined)
      wrong('wifi', 'country', 'is missing: two capital letters, such as "PT"')
    if (ssid === undefined && at('wifi', 'ssid') === undefined)
      wrong('wifi', 'ssid', 'is missing: the name of the network')
    if (country === undefined || ssid === undefined) return off
    // A network that was meant to be closed is not opened, nor joined as an open one, because its password was mistyped.
    if (password === undefined && (at('wifi', 'password') ?? '') !== '') return off
    if (mode === 'client') return { mode, ssid, password, country }
    if (password === undefined) {
      wrong('wifi', 'password', 'is missing: an access point without one is open to everybody')
      return off
    }
    const channel = at('wifi', 'channel') ?? 6
    const address =
      text_('wifi', 'address', isNetworkAddress, 'is an address with its prefix, such as 10.77.0.1/24') ??
      '10.77.0.1/24'
    if (typeof channel !== 'number' || !Number.isInteger(channel) || channel < 1 || channel > 13) {
      wrong('wifi', 'channel', 'is a whole number from 1 to 13')
      return { mode: 'access-point', ssid, password, country, channel: 6, address }
    }
    return { mode: 'access-point', ssid, password, country, channel, address }
  }
}

type Table = { [key: string]: unknown }

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function parseToml(text: string, problems: Problem[]): Table {
  try {
    // Notepad's mark, and line ends of any system.
    return parse(text.replace(/^﻿/, '')) as Table
  } catch (error) {
    const where = error instanceof TomlError ? `line ${error.line}` : 'the file'
    const [said = ''] = (error as Error).message.replace(/^Invalid TOML document: /, '').split('\n')
    problems.push({ where, message: `${said}. Nothing of the file was used: correct it, then start the box again` })
    return {}
  }
}

function noteUnknown(table: Table, problems: Problem[]): void {
  for (const [section, value] of Object.entries(table)) {
    if (!Object.hasOwn(KEYS, section)) {
      const home = Object.entries(KEYS).find(([, keys]) => (keys as readonly string[]).includes(section))?.[0]
      problems.push({
        where: shown(section),
        message: home ? `stands under [${home}]` : 'is no section of this version',
      })
      continue
    }
    if (!isTable(value)) {
      problems.push({ where: section, message: `is a section: write [${section}] on a line of its own` })
      continue
    }
    const keys = KEYS[section as Section] as readonly string[]
    for (const key of Object.keys(value))
      if (!keys.includes(key))
        problems.push({ where: `${section}.${shown(key)}`, message: `is not known: ${keys.join(', ')}` })
  }
}

/** What came from the file, fit to be shown. */
function shown(key: string): string {
  return key.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 60)
}

const isHostName = (value: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(value)
const isHost = (value: string) => isIP(value) > 0 || (value.length <= 253 && value.split('.').every(isHostName))
const isPlain = (value: string) => !/\p{Cc}/u.test(value)
const bytes = (value: string) => new TextEncoder().encode(value).length
/** On this partition: no path leads out of it. */
const isFileName = (value: string) => /^[A-Za-z0-9._ -]{1,100}$/.test(value) && !/^\.{1,2}$/.test(value)
/** WPA2: 8 to 63 printable ASCII characters. */
const isPassphrase = (value: string) => /^[\x20-\x7e]{8,63}$/.test(value)

function isHostAndPort(value: string): boolean {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(value) ?? []
  return isHost(host.replace(/^\[(.*)\]$/, '$1')) && Number(port) > 0 && Number(port) < 65_536
}

function isNetworkAddress(value: string): boolean {
  const [address = '', prefix = '', more] = value.split('/')
  const kind = isIP(address)
  return (
    more === undefined &&
    kind > 0 &&
    /^\d{1,3}$/.test(prefix) &&
    Number(prefix) >= 1 &&
    Number(prefix) <= (kind === 4 ? 32 : 128)
  )
}

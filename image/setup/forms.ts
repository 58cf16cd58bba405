/** The forms of the values in `gatehouse.toml`. */

import { isIP } from 'node:net'
import { isIssuer, isScope } from '../../box/src/provider-settings.ts'
import { isContact, isHttps, isPublicName, isRecordName } from '../../box/src/public-name.ts'
import { type Coded, type CodeOf, coded } from '../../proto/said.ts'

/** What is wrong with a line of the file, for the box's page and its control room. */
export type SettingCode = Coded<CodeOf<'setting'>>

/** The values that a key may have, and the report's words for any other: "box.name is a host name". */
export interface Form {
  fits: (value: string) => boolean
  should: string
  /** The same as a code, for apps. */
  coded: SettingCode
}

export const isAddress = (value: string) => isIP(value) > 0
const isHostName = (value: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(value)
const isHost = (value: string) => isAddress(value) || (value.length <= 253 && value.split('.').every(isHostName))
/** A name without a path, so that it cannot lead out of the partition. */
export const isFileName = (value: string) => /^[A-Za-z0-9._ -]{1,100}$/.test(value) && !/^\.{1,2}$/.test(value)

export function isHostAndPort(value: string): boolean {
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

export const HOST_NAME: Form = {
  fits: isHostName,
  should: 'is a host name: letters, digits and hyphens, at most 63',
  coded: coded('host_name'),
}
export const EVENT_NAME: Form = {
  fits: isFileName,
  should: 'is the name of a folder or archive on this partition',
  coded: coded('event_name'),
}
export const PUBLIC_HOST: Form = {
  fits: isHost,
  should: 'is a host name or an address, without https:// and port',
  coded: coded('host'),
}
export const HOSTS: Form = { fits: isHost, should: 'is a list of host names or addresses', coded: coded('hosts') }
export const PEM_FILE: Form = {
  fits: isFileName,
  should: 'is the name of a PEM file on this partition',
  coded: coded('pem_file'),
}
export const PUBLIC_NAME: Form = {
  fits: isPublicName,
  should: 'is a host name in your domain, in small letters, such as gate.example.org',
  coded: coded('public_name'),
}
export const DNS_METHOD: Form = {
  fits: (value) => ['webhook', 'acme-dns', 'manual'].includes(value),
  should: 'is "webhook", "acme-dns" or "manual"',
  coded: coded('one_of', { known: 'webhook, acme-dns, manual' }),
}
/** In one word, so that it stays one value wherever it is written. */
export const HTTPS_URL: Form = {
  fits: (value) => /^[\x21-\x7e]{9,500}$/.test(value) && !/["'`$\\]/.test(value) && isHttps(value),
  should: 'is a URL that begins with https://',
  coded: coded('https_url'),
}
export const ISSUER: Form = {
  fits: (value) => /^[\x21-\x7e]{9,500}$/.test(value) && !/["'`$\\]/.test(value) && isIssuer(value),
  should: "is the provider's issuer as it writes it, such as https://login.example.org/realms/event",
  coded: coded('issuer'),
}
export const SCOPE: Form = {
  fits: (value) => /^[A-Za-z0-9 :/._-]{1,200}$/.test(value) && isScope(value),
  should: 'is scopes with one space between, "openid" among them',
  coded: coded('scope'),
}
export const CLIENT_ID: Form = {
  fits: (value) => /^[A-Za-z0-9._~:/@-]{1,200}$/.test(value),
  should: 'is the id of the client at the provider: letters, digits and . _ ~ : / @ -',
  coded: coded('client_id'),
}
export const CLAIM: Form = {
  fits: (value) => /^[A-Za-z0-9._:/-]{1,200}$/.test(value),
  should: 'is the name of a claim, such as "groups"',
  coded: coded('claim'),
}
export const OIDC_PROMPT: Form = {
  fits: (value) => value === 'login' || value === 'select_account',
  should: 'is "login" or "select_account"',
  coded: coded('one_of', { known: 'login, select_account' }),
}
export const RECORD: Form = {
  fits: isRecordName,
  should: 'is the name of a DNS record, in small letters',
  coded: coded('record'),
}
export const CONTACT: Form = {
  fits: (value) => /^[\x21-\x7e]+$/.test(value) && !/[`$\\]/.test(value) && isContact(value),
  should: 'is an e-mail address',
  coded: coded('contact'),
}
export const FILE: Form = {
  fits: isFileName,
  should: 'is the name of a file on this partition',
  coded: coded('file'),
}
export const PLAIN: Form = {
  fits: (value) => /^[^\0-\x20"']{1,253}$/.test(value),
  should: 'is written in plain characters',
  coded: coded('plain'),
}
export const INVITE: Form = {
  fits: (value) => /^[\x21-\x7e]{8,4096}$/.test(value),
  should: 'is the invite as the other box printed it',
  coded: coded('invite'),
}
export const WIFI_MODE: Form = {
  fits: (value) => ['off', 'client', 'access-point'].includes(value),
  should: 'is "off", "client" or "access-point"',
  coded: coded('one_of', { known: 'off, client, access-point' }),
}
export const LOOK_UP: Form = {
  fits: (value) => ['off', 'desk', 'supervisors'].includes(value),
  should: 'is "off", "desk" or "supervisors"',
  coded: coded('one_of', { known: 'off, desk, supervisors' }),
}
export const COUNTRY: Form = {
  fits: (value) => /^[A-Z]{2}$/.test(value),
  should: 'is two capital letters, such as "PT"',
  coded: coded('country'),
}
export const SSID: Form = {
  fits: (value) => !/\p{Cc}/u.test(value) && new TextEncoder().encode(value).length <= 32,
  should: 'is at most 32 bytes',
  coded: coded('ssid'),
}
/** WPA2: 8 to 63 printable ASCII characters. */
export const PASSPHRASE: Form = {
  fits: (value) => /^[\x20-\x7e]{8,63}$/.test(value),
  should: 'has 8 to 63 plain characters',
  coded: coded('passphrase'),
}

export function networkAddress(example: string): Form {
  return {
    fits: isNetworkAddress,
    should: `is an address with its prefix, such as ${example}`,
    coded: coded('network_address', { example }),
  }
}

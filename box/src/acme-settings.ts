/**
 * Settings of a public certificate by ACME, from the environment: that of a box, and that of HQ, which obtains one for a box.
 * The variables are the same but for their beginning.
 */
import { isIP } from 'node:net'
import { isContact, isHttps, isRecordName } from './public-name.ts'
import type { Settings } from './settings.ts'

const MEANINGS = {
  ACME_DNS_AT: 'webhook, acme-dns: an https URL; command: the path of a program',
  ACME_DNS_SECRET: 'webhook: file with its token; acme-dns: file with what it answered to the registration, JSON',
  ACME_DNS_RECORD: 'TXT record to write (default: _acme-challenge of the name)',
  ACME_DNS_WAIT: 'seconds until a change is in DNS, 1 to 3600 (default: 180)',
  ACME_DNS_SERVER: "address of a resolver that is asked for the record (default: the zone's own servers)",
  ACME_DIRECTORY: "https URL of the authority's directory (default: Let's Encrypt)",
  ACME_CONTACT: 'e-mail address for the authority (default: none)',
  ACME_CA: 'PEM file with the CA of directory and DNS service (default: the public CAs)',
} as const

type Owner = 'GATEHOUSE' | 'HQ'
type Meanings<P extends Owner> = { readonly [key in keyof typeof MEANINGS as `${P}_${key}`]: string }
export type AcmeName<P extends Owner> = `${P}_ACME_DNS` | keyof Meanings<P>

/** The variables with their help, but for the one that turns it on, which says more than this. */
export function acmeEnvironment<P extends Owner>(owner: P): Meanings<P> {
  return Object.fromEntries(
    Object.entries(MEANINGS).map(([key, meaning]) => [`${owner}_${key}`, meaning]),
  ) as Meanings<P>
}

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

/** @param name the host name to prove @returns undefined where no way to change DNS is set */
export function readAcme<P extends Owner>(settings: Settings<AcmeName<P>>, owner: P, name: string) {
  const { mistakes } = settings
  const of = (key: 'ACME_DNS' | keyof typeof MEANINGS) => `${owner}_${key}` as AcmeName<P>
  const text = (key: Parameters<typeof of>[0]) => settings.text(of(key))
  if (text('ACME_DNS') === undefined) return undefined
  const method = settings.oneOf(of('ACME_DNS'), ['webhook', 'command', 'acme-dns', 'manual'], 'manual')
  const isService = method === 'webhook' || method === 'acme-dns'
  const at = method === 'command' ? settings.path(of('ACME_DNS_AT')) : text('ACME_DNS_AT')
  const secret = settings.path(of('ACME_DNS_SECRET'))
  const directory = text('ACME_DIRECTORY') ?? LETS_ENCRYPT
  const wrong = (key: Parameters<typeof of>[0], what: string) => void mistakes.push(`${String(of(key))} is ${what}`)
  if (method !== 'manual' && at === undefined)
    wrong('ACME_DNS_AT', `missing: ${isService ? 'the https URL of' : 'the path of the program for'} ${method}`)
  if (isService && at !== undefined && !isHttps(at)) wrong('ACME_DNS_AT', `"${at}", not an https URL`)
  if (isService && secret === undefined) wrong('ACME_DNS_SECRET', `missing: a file for ${method}`)
  if (!isHttps(directory)) wrong('ACME_DIRECTORY', `"${directory}", not an https URL`)
  const record = text('ACME_DNS_RECORD')?.toLowerCase().replace(/\.$/, '') ?? `_acme-challenge.${name}`
  if (!isRecordName(record)) wrong('ACME_DNS_RECORD', `"${record}", not the name of a record`)
  const waitMs = settings.number(of('ACME_DNS_WAIT'), 180, 3_600, 1) * 1000
  const server = text('ACME_DNS_SERVER')
  if (server !== undefined && !isResolver(server))
    wrong('ACME_DNS_SERVER', `"${server}", not an address such as 192.0.2.53`)
  const contact = text('ACME_CONTACT')
  if (contact !== undefined && !isContact(contact)) wrong('ACME_CONTACT', `"${contact}", not an e-mail address`)
  return { directory, contact, ca: settings.path(of('ACME_CA')), dns: { method, at, secret, record, waitMs, server } }
}

/** An address, with or without a port. */
function isResolver(value: string): boolean {
  return isIP(value) !== 0 || isIP(value.replace(/^\[?(.+?)\]?(:\d{1,5})?$/, '$1')) !== 0
}

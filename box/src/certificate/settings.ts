/** Settings of the public certificate; `box/src/config.ts` reads them. */

/** The way in which a TXT record comes into DNS. */
export const DNS_METHODS = ['webhook', 'command', 'acme-dns', 'manual'] as const
export type DnsMethod = (typeof DNS_METHODS)[number]

export interface CertificateSettings {
  /** The host name by which phones reach this box. */
  readonly name: string
  /** Undefined: the certificate is imported, and nobody renews it. */
  readonly acme: AcmeSettings | undefined
}

export interface AcmeSettings {
  /** URL of the authority's directory. */
  readonly directory: string
  /** E-mail address for the authority. */
  readonly contact: string | undefined
  /** PEM file with the CAs of directory and DNS service, besides the public ones. */
  readonly ca: string | undefined
  readonly dns: DnsSettings
}

export interface DnsSettings {
  readonly method: DnsMethod
  /** URL of a service, or path of a program. */
  readonly at: string | undefined
  /** File with the service's secret. */
  readonly secret: string | undefined
  /** The record to write: `_acme-challenge` of the name, or where a CNAME there leads. */
  readonly record: string
  /** Time in which a change has to be seen, milliseconds. */
  readonly waitMs: number
  /** `address` or `address:port` of the resolver that is asked; undefined: the zone's own servers. */
  readonly server: string | undefined
}

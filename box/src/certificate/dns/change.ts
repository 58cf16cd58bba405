/** Changing DNS, by one of the methods in the settings. */
import type { DnsSettings } from '../settings.ts'
import { acmeDns } from './acme-dns.ts'
import { command } from './command.ts'
import { webhook } from './webhook.ts'

export interface TxtRecord {
  /** Full name, without a dot at its end. */
  readonly record: string
  readonly value: string
}

export interface DnsChange {
  /** @throws when the service did not say that it has done so */
  present(record: TxtRecord, signal: AbortSignal): Promise<void>
  /** Afterwards; a record that stays is harmless. */
  remove(record: TxtRecord, signal: AbortSignal): Promise<void>
}

/** A service has this long to answer, and a program to end. */
export const PATIENCE_MS = 30_000

/** @param ca PEM, of the service, besides the public CAs */
export function dnsChange(settings: DnsSettings, ca: string | undefined, patienceMs = PATIENCE_MS): DnsChange {
  const { method, at = '', secret = '' } = settings
  switch (method) {
    case 'webhook':
      return webhook({ url: at, secretFile: secret, ca, patienceMs })
    case 'acme-dns':
      return acmeDns({ url: at, secretFile: secret, ca, patienceMs })
    case 'command':
      return command({ program: at, patienceMs })
    case 'manual':
      // A person writes it: whoever waits for the record sees when.
      return { present: async () => {}, remove: async () => {} }
  }
}

/** A webhook of the organiser's that changes DNS. Its body: box/docs/certificates.md. */
import { readFile } from 'node:fs/promises'
import type { DnsChange, TxtRecord } from './change.ts'
import { askService } from './service.ts'

export interface WebhookOptions {
  url: string
  /** Its first line is the token. Read at each use, so that a new one needs no restart. */
  secretFile: string
  ca: string | undefined
  patienceMs: number
}

/** Seconds: nobody needs the record for longer than a minute. */
const TTL = 60

export function webhook({ url, secretFile, ca, patienceMs }: WebhookOptions): DnsChange {
  const send = async (action: 'present' | 'remove', { record, value }: TxtRecord, signal: AbortSignal) => {
    const [token = ''] = (await readFile(secretFile, 'utf8')).split(/\r?\n/, 1)
    const body = { action, type: 'TXT', record, value, ttl: TTL }
    await askService({ url, headers: { authorization: `Bearer ${token.trim()}` }, body, ca, patienceMs, signal })
  }
  return {
    present: (record, signal) => send('present', record, signal),
    remove: (record, signal) => send('remove', record, signal),
  }
}

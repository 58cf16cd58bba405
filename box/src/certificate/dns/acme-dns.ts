/**
 * A server of acme-dns, to which `_acme-challenge` of the name is a CNAME. Its credentials change that one TXT record and nothing else:
 * the least that a box can be trusted with. It keeps the last two values, so nothing is removed.
 */

import { readFile } from 'node:fs/promises'
import { coded } from '@gatehouse/proto/said.ts'
import { KnownFailure } from '../failure.ts'
import type { DnsChange, TxtRecord } from './change.ts'
import { askService } from './service.ts'
import type { WebhookOptions } from './webhook.ts'

export function acmeDns({ url, secretFile, ca, patienceMs }: WebhookOptions): DnsChange {
  return {
    async present({ value }: TxtRecord, signal) {
      const { username, password, subdomain } = await credentials(secretFile)
      const headers = { 'x-api-user': username, 'x-api-key': password }
      const at = `${url.replace(/\/$/, '')}/update`
      await askService({ url: at, headers, body: { subdomain, txt: value }, ca, patienceMs, signal })
    },
    async remove() {},
  }
}

interface Credentials {
  username: string
  password: string
  subdomain: string
}

/** The file is what the server answered to `/register`. */
async function credentials(path: string): Promise<Credentials> {
  const text = await readFile(path, 'utf8')
  const found = parsed(text) as Partial<Credentials> | null
  const { username, password, subdomain } = found ?? {}
  if (typeof username !== 'string' || typeof password !== 'string' || typeof subdomain !== 'string')
    throw new KnownFailure(
      `${path} is not what acme-dns answers to a registration: username, password and subdomain, as JSON.`,
      coded('credentials_strange', { file: path }),
    )
  return { username, password, subdomain }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

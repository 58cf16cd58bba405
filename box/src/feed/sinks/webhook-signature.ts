/** Signatures of Standard Webhooks 1.0. */
import { createHmac } from 'node:crypto'

/** @throws for a secret of another form; the message does not show it */
export function parseSecret(text: string): Buffer {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const key = Buffer.from(base64, 'base64')
  if (key.length >= 24 && key.length <= 64) return key
  throw new Error('a secret must be whsec_ and 24 to 64 bytes in Base64: echo whsec_$(openssl rand -base64 32)')
}

interface Message {
  /** The same for every attempt. */
  id: string
  /** Unix seconds of this attempt: receivers refuse what is older than a few minutes. */
  timestamp: number
  body: string
}

/** @param keys one signature is made with each: a receiver that changes its secret knows one of them */
export function signedHeaders({ id, timestamp, body }: Message, keys: readonly Buffer[]): Record<string, string> {
  const content = `${id}.${timestamp}.${body}`
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

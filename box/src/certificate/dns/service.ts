/** One request to a DNS service over HTTPS: it gets the secret, and no redirect takes the secret elsewhere. */

import { getCACertificates } from 'node:tls'
import { coded } from '@gatehouse/proto/said.ts'
import { Agent, fetch } from 'undici'
import { KnownFailure } from '../failure.ts'

export interface ServiceRequest {
  url: string
  headers: Record<string, string>
  body: object
  /** PEM, besides the public CAs. */
  ca: string | undefined
  patienceMs: number
  signal: AbortSignal
}

/** Read of an answer, and of its reason in a report: a service that has gone rogue may send anything. */
const MOST_BYTES = 16 * 1024

/** @returns the start of the answer's body @throws for a status that is not 2xx, and without an answer in time */
export async function askService({ url, headers, body, ca, patienceMs, signal }: ServiceRequest): Promise<string> {
  const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] } })
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const { host } = new URL(url)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      dispatcher,
      redirect: 'error',
      signal: patience,
    })
    const { ok, status } = answer
    if (!ok)
      throw new KnownFailure(
        `The DNS service at ${host} answered with status ${status}.`,
        coded('dns_status', {
          host,
          status,
        }),
      )
    return await startOf(answer.body)
  } catch (error) {
    if (error instanceof KnownFailure) throw error
    if (signal.aborted) throw error
    const reason = patience.aborted ? `within ${patienceMs / 1000} s` : reasonOf(error)
    const message = `The DNS service at ${host} did not answer: ${reason}.`
    throw new KnownFailure(message, coded('dns_unanswered', { host, why: reason }), { cause: error })
  } finally {
    await dispatcher.destroy()
  }
}

async function startOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    parts.push(part)
    bytes += part.length
    if (bytes > MOST_BYTES) break
  }
  return Buffer.concat(parts).toString('utf8')
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return (cause instanceof Error ? cause.message : message).slice(0, 200)
}

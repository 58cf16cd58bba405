/**
 * `acme-client`, loaded when it is needed, because it takes a board half a second, and bounded. It keeps its HTTP settings for the whole
 * process, so they are set here and nowhere else.
 */

import { Agent } from 'node:https'
import { getCACertificates } from 'node:tls'
import { coded } from '@gatehouse/proto/said.ts'
import type * as Acme from 'acme-client'
import { KnownFailure } from './failure.ts'

/** The authority asks to be left alone for a while: too many requests, or an overload. */
export class Overloaded extends KnownFailure {
  override readonly name = 'Overloaded'
  readonly retryAfterMs: number | undefined

  constructor(status: number, retryAfterMs: number | undefined) {
    super(`The authority refuses requests for now (status ${status}).`, coded('authority_busy', { status }))
    this.retryAfterMs = retryAfterMs
  }
}

const PATIENCE_MS = 30_000
/** Larger answers are not ACME's. */
const MOST_BYTES = 256 * 1024

let loading: Promise<typeof Acme> | undefined

/** @param ca PEM, of the directory, besides the public CAs */
export async function loadAcme(ca: string | undefined): Promise<typeof Acme> {
  loading ??= load()
  const acme = await loading
  const { defaults } = acme.axios
  defaults.httpsAgent = new Agent(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] })
  return acme
}

async function load(): Promise<typeof Acme> {
  const { default: acme } = (await import('acme-client')) as unknown as { default: typeof Acme }
  const { defaults, interceptors } = acme.axios
  Object.assign(defaults, { timeout: PATIENCE_MS, maxContentLength: MOST_BYTES, maxRedirects: 0 })
  // Its own interceptors repeat a request after as long as the other side says. The box repeats a whole attempt, by its own schedule.
  interceptors.request.clear()
  interceptors.response.clear()
  interceptors.request.use((config) => {
    // The directory names all further addresses, and could name one inside the box's network.
    if (config.url?.startsWith('https://')) return config
    throw new Error('The authority named an address without https.')
  })
  interceptors.response.use((response) => {
    if (response.status !== 429 && response.status !== 503) return response
    throw new Overloaded(response.status, waitOf(response.headers['retry-after'], Date.now()))
  })
  return acme
}

/** The value of Retry-After, seconds or a date (RFC 9110, 10.2.3), in milliseconds. */
export function waitOf(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

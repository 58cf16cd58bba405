/** Errors of a request to pretix, each with a sentence that says what to do next. No message has the token or a query. */

import { type Coded, type CodeOf, coded } from '@gatehouse/proto/said.ts'

export type PretixErrorKind =
  /** No answer, or one that no pretix gives: to be tried again. */
  | 'unreachable'
  /** TLS does not prove who answers: a person has to look. */
  | 'tls'
  /** Too many requests, or a lock: to be tried again after `retryAfterMs`. */
  | 'busy'
  /** The token is unknown, revoked, or not initialized: nothing works until there is another. */
  | 'token'
  /** The token may not do this. */
  | 'forbidden'
  /** There is no such organizer, event or list, or the token does not see it. */
  | 'not_found'
  /** pretix does not take the request: a mistake of the box. */
  | 'refused'

export interface PretixErrorOptions extends ErrorOptions {
  kind: PretixErrorKind
  /** When pretix wants to be asked again. */
  retryAfterMs?: number
  /** HTTP status; absent where there was no answer. */
  status?: number
  /** The message as codes, for apps: each is a sentence, and they follow one another. */
  coded: readonly PretixCode[]
}

export type PretixCode = Coded<CodeOf<'pretix'>>

/** The words of pretix in an answer, to come after another code; none where it has said nothing. */
export function saidIn(answer: unknown): PretixCode[] {
  const words = wordsIn(answer)
  return words === '' ? [] : [coded('says', { words: words.replace(/\.$/, '') })]
}

export class PretixError extends Error {
  override readonly name = 'PretixError'
  readonly kind: PretixErrorKind
  readonly retryAfterMs: number | undefined
  readonly status: number | undefined
  readonly coded: readonly PretixCode[]

  constructor(message: string, { kind, retryAfterMs, status, coded: codes, ...options }: PretixErrorOptions) {
    super(message, options)
    this.coded = codes
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.status = status
  }

  /** True if the same request may be answered later without anybody doing anything. */
  get isPassing(): boolean {
    return this.kind === 'unreachable' || this.kind === 'busy'
  }
}

/** Node's and OpenSSL's codes for a certificate that proves nothing. */
const CERTIFICATE = /^(ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_|EPROTO$)/

/** @param host of the address, with its port */
export function connectionError(cause: unknown, host: string): PretixError {
  const code = codeOf(cause)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new PretixError(
      `The certificate of ${host} is for another name: use the address that the certificate names, or correct the certificate.`,
      { kind: 'tls', cause, coded: [coded('certificate_name', { host })] },
    )
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return new PretixError(
      `The certificate of ${host} is not valid at this time (${code}): renew it, or set the clock of this machine.`,
      { kind: 'tls', cause, coded: [coded('certificate_time', { host, why: code })] },
    )
  }
  if (CERTIFICATE.test(code)) {
    return new PretixError(
      `The certificate of ${host} is not signed by an authority that this machine trusts (${code}): if pretix has a private authority, give its PEM file, on the screen Shop or with --ca.`,
      { kind: 'tls', cause, coded: [coded('certificate_unknown', { host, why: code })] },
    )
  }
  const [next, said] =
    code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? ['check the address and the DNS of this machine', coded('no_address', { host })]
      : code === 'ECONNREFUSED'
        ? ['check that pretix runs, and the port', coded('port_closed', { host })]
        : ['check the network', coded('no_answer', { host, why: code })]
  return new PretixError(`${host} cannot be reached (${code}): ${next}.`, { kind: 'unreachable', cause, coded: [said] })
}

/**
 * The error of an answer that says nothing of tickets; undefined for one that its caller reads.
 * @param path of the request, without its query
 */
export function statusError(
  { status, json, retryAfterMs }: { status: number; json: unknown; retryAfterMs?: number | undefined },
  { host, path }: { host: string; path: string },
): PretixError | undefined {
  const more = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  const says = detailOf(json)
  if (status === 401) {
    return new PretixError(
      `pretix does not accept the token${says}: make a new one in pretix, and connect again, on the screen Shop or with "gatehouse shop connect".`,
      { kind: 'token', ...more, coded: [coded('token_refused'), ...saidIn(json)] },
    )
  }
  if (status === 403) {
    return new PretixError(
      `The token may not use ${path}${says}: give its team or device the right in pretix (orders: view; check-ins), or connect with another token.`,
      { kind: 'forbidden', ...more, coded: [coded('token_forbidden', { path }), ...saidIn(json)] },
    )
  }
  if (status === 429 || status === 409) {
    return new PretixError(`pretix asks for fewer requests or is busy (HTTP ${status}): it is asked again later.`, {
      kind: 'busy',
      ...more,
      coded: [coded('busy')],
    })
  }
  if (status >= 300 && status < 400 && status !== 304) {
    return new PretixError(
      `${host} redirects ${path} (HTTP ${status}), which is not followed: connect with the address that it leads to.`,
      { kind: 'refused', ...more, coded: [coded('redirects', { host })] },
    )
  }
  if (status >= 500) {
    return new PretixError(`pretix at ${host} has a problem (HTTP ${status}): it is asked again later.`, {
      kind: 'unreachable',
      ...more,
      coded: [coded('fails', { status })],
    })
  }
  return json === undefined ? strange(host, path, status) : undefined
}

/** An answer that is not JSON: of a proxy, a firewall, or a web server that is no pretix. */
function strange(host: string, path: string, status: number): PretixError {
  if (status === 404) {
    return new PretixError(
      `${host} has no ${path}, and its answer is not pretix's: check the address, and what stands in front of pretix.`,
      { kind: 'unreachable', status, coded: [coded('not_pretix', { host, status })] },
    )
  }
  return new PretixError(
    `${host} answers ${path} with something else than pretix's JSON (HTTP ${status}): check the address, and whether a proxy, a login page or bot protection stands in front of pretix.`,
    { kind: 'unreachable', status, coded: [coded('not_pretix', { host, status })] },
  )
}

/**
 * The error for a person who has to ask again, as when a pretix is connected. Where one is connected already the box asks again by
 * itself, and the sentences of a passing error say so.
 */
export function toAskAgain(error: PretixError): PretixError {
  const { kind, retryAfterMs, status = 0, coded: codes } = error
  const more = { kind, status, cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  switch (codes[0]?.code) {
    case 'busy':
      return new PretixError(`pretix is busy (HTTP ${status}): try again in a minute.`, {
        ...more,
        coded: [coded('busy_ask_again')],
      })
    case 'fails':
      return new PretixError(`pretix has a problem of its own (HTTP ${status}): try again later.`, {
        ...more,
        coded: [coded('fails_ask_again', { status })],
      })
    default:
      return error
  }
}

const LONGEST_DETAIL = 200

/** The words of pretix, on one line, in brackets. */
export function detailOf(json: unknown): string {
  const words = wordsIn(json)
  return words === '' ? '' : ` ("${words}")`
}

function wordsIn(json: unknown): string {
  const detail = typeof json === 'object' && json !== null && 'detail' in json ? json.detail : undefined
  if (typeof detail !== 'string') return ''
  const plain = detail.replace(/[\p{C}\s]+/gu, ' ').trim()
  return plain.slice(0, LONGEST_DETAIL).toWellFormed()
}

/** The error's code or name, with that of its cause: messages may quote more. */
function codeOf(error: unknown): string {
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  if (cause !== undefined) return codeOf(cause)
  return typeof name === 'string' ? name : 'unknown error'
}

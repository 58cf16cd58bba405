/**
 * Decides what follows from an answer of pretix to one call. Pure, and a table: every answer that the API has is one of these lines
 * (`box/docs/pretix.md`, "What pretix answers").
 */
import { coded } from '@gatehouse/proto/said.ts'
import type { PretixCode } from '../errors.ts'
import type { Call } from './call.ts'
import { afterSale } from './sale.ts'

/** `body` is undefined for an answer that is not JSON: a proxy's page is never a verdict. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  /** Of `Retry-After`. */
  readonly retryAfterMs?: number
}

/** Nobody has answered, whatever the cause. `lasting`: not before a person has changed something, as with a wrong certificate. */
export interface NoAnswer {
  readonly why: string
  /** The same as codes. */
  readonly coded?: readonly PretixCode[]
  readonly lasting: boolean
}

/** The form in which a call is sent. It starts with none of them; each is on disk before the call is sent so. */
export interface Step {
  /** pretix has refused it, and the person went through. */
  readonly force: boolean
  /** Names the ticket by the id of its position: pretix does not know the code. */
  readonly byPosition: boolean
  /** An annulment that pretix refuses is sent as an exit. */
  readonly asExit: boolean
}

/** Their side of a conflict. */
export interface Refusal {
  /** A word of pretix, such as `canceled`. */
  readonly reason: string
  /** The last use that pretix has on this list, and the number of its device there. */
  readonly usedAt: string | null
  readonly usedBy: number | null
}

export type Next =
  | { readonly next: 'done' }
  /** pretix cannot be asked now: everything waits, for so long where it has said so. */
  | {
      readonly next: 'wait'
      readonly afterMs: number | undefined
      readonly why: string
      readonly coded?: readonly PretixCode[]
    }
  /** Nothing goes on until a person has changed something. */
  | { readonly next: 'pause'; readonly words: string; readonly coded?: readonly PretixCode[] }
  /** A conflict: the person went through, so it is recorded all the same. */
  | { readonly next: 'force'; readonly refusal: Refusal }
  /** The code is unknown there: the position's id is tried, and it does not change. */
  | { readonly next: 'by_position'; readonly refusal: Refusal }
  /** It cannot be annulled any more: the person is sent out instead. */
  | { readonly next: 'exit'; readonly refusal: Refusal }
  /** Neither force nor the position's id have helped. A person has to look. */
  | { readonly next: 'park'; readonly refusal: Refusal }

/** A server that is busy: 409 is a lock there that timed out. */
const BUSY = new Set([408, 409, 425, 429])

export function nextStep(call: Call, { step }: { step: Step }, answer: Answer | NoAnswer): Next {
  if ('why' in answer) {
    const { why, lasting, coded: codes = [] } = answer
    return lasting
      ? { next: 'pause', words: why, coded: codes }
      : { next: 'wait', afterMs: undefined, why, coded: codes }
  }
  const { status, body, retryAfterMs: afterMs } = answer
  if (BUSY.has(status) || status >= 500) return { next: 'wait', afterMs, ...busy(status) }
  if (status === 401) return { next: 'pause', ...REVOKED }
  // A list of sentences is JSON too: so pretix refuses to annul what is no successful check-in, or one of several with this nonce.
  const said = Array.isArray(body) ? {} : objectOf(body)
  if (!said) {
    const why = `pretix answered ${status} without JSON: is something in front of it?`
    return { next: 'wait', afterMs, why, coded: [coded('not_json', { status })] }
  }
  if (status >= 200 && status < 300) return { next: 'done' }
  if (call.do === 'sell' && status !== 404) return afterSale(call.sale.action, answer)
  if (call.do === 'annul' && !step.asExit) return afterAnnul(status, said)
  if (status === 403) return { next: 'pause', ...FORBIDDEN }
  const refusal = refusalOf(said, call.list)
  if (status === 404) return afterUnknown(call, step, said)
  if (status !== 400) return { next: 'park', refusal: { ...refusal, reason: `http_${status}` } }
  if ('lists' in said) return { next: 'pause', ...listGone(call.list) }
  if (typeof said.status !== 'string') return { next: 'park', refusal: { ...refusal, reason: 'not_understood' } }
  return { next: step.force || call.do === 'fail' ? 'park' : 'force', refusal }
}

/** Also after an annulment that was carried out before: whoever sends an exit in its place looks first whether somebody is inside. */
function afterAnnul(status: number, said: Readonly<Record<string, unknown>>): Next {
  const isLate = status === 400 && 'non_field_errors' in said
  const reason = status === 403 ? 'annul_forbidden' : isLate ? 'annul_too_late' : 'annul_unknown'
  return { next: 'exit', refusal: { ...refusalOf(said, -1), reason } }
}

function afterUnknown(call: Call, step: Step, said: Readonly<Record<string, unknown>>): Next {
  const refusal = refusalOf(said, call.list)
  // Void, and pretix has never had the order: it was made before this box told of sales.
  if (call.do === 'sell') return call.sale.action === 'voided' ? { next: 'done' } : { next: 'pause', ...NO_EVENT }
  // Without a status it is the address that is unknown: another organizer, event or list.
  if (said.status !== 'error' && said.reason === undefined) return { next: 'pause', ...listGone(call.list) }
  const canGoByPosition = call.do !== 'fail' && !step.byPosition
  return { next: canGoByPosition ? 'by_position' : 'park', refusal: { ...refusal, reason: 'invalid' } }
}

function refusalOf(said: Readonly<Record<string, unknown>>, list: number): Refusal {
  const { position, reason, status } = said
  const word = typeof reason === 'string' ? reason : status === 'incomplete' ? 'incomplete' : 'error'
  const checkins = objectOf(position)?.checkins
  const uses = (Array.isArray(checkins) ? checkins : []).flatMap((one) => {
    const { datetime, device_id: by, list: of, type } = objectOf(one) ?? {}
    const at = typeof datetime === 'string' ? Date.parse(datetime) : Number.NaN
    if (Number.isNaN(at) || (list !== -1 && of !== list) || type === 'exit') return []
    return [{ at, by: typeof by === 'number' ? by : null }]
  })
  const last = uses.sort((a, b) => a.at - b.at).at(-1)
  return { reason: wordOf(word), usedAt: last ? new Date(last.at).toISOString() : null, usedBy: last?.by ?? null }
}

/** Their word goes into the journal and on screens. */
function wordOf(text: string): string {
  return /^[a-z_]{1,40}$/.test(text) ? text : 'error'
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

function busy(status: number): { why: string; coded: PretixCode[] } {
  if (status === 429) return { why: 'pretix asks for fewer requests.', coded: [coded('busy')] }
  return status >= 500
    ? { why: `pretix has a problem of its own (${status}).`, coded: [coded('fails', { status })] }
    : { why: 'pretix is busy.', coded: [coded('busy')] }
}

function listGone(list: number) {
  return {
    words: `pretix has no check-in list ${list} any more: map the checkpoints to lists again.`,
    coded: [coded('list_gone', { list: String(list) })],
  }
}

const NO_EVENT = {
  words: 'pretix does not know this event any more: connect it again. What has happened at the gates waits.',
  coded: [coded('event_gone')],
}
const REVOKED = {
  words: 'pretix does not take the token any more: connect again with a new one. What has happened at the gates waits.',
  coded: [coded('token_refused')],
}
const FORBIDDEN = {
  words:
    'The token may not write check-ins: give its team "can check in orders", or the device the profile "full". What has happened waits.',
  coded: [coded('token_no_checkins')],
}

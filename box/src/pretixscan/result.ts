/** Puts a verdict into the forms that these apps read: the proxy's result, and the answer of the shop's own redeem. Pure. */
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { answerable, askedInProxy, askedInShop } from './questions.ts'

/** Those that every app version knows: an unknown one is shown as a fault of the parser. */
export type ResultType =
  | 'INVALID'
  | 'VALID'
  | 'USED'
  | 'ERROR'
  | 'UNPAID'
  | 'BLOCKED'
  | 'INVALID_TIME'
  | 'CANCELED'
  | 'PRODUCT'
  | 'RULES'
  | 'ANSWERS_REQUIRED'
  | 'REVOKED'

/** Never null where the apps read without a check: `type`, `scanType`, the lists and the flags. */
export interface CheckResult {
  type: ResultType
  scanType: 'ENTRY' | 'EXIT'
  ticket: string | null
  variation: string | null
  attendee_name: string | null
  seat: string | null
  orderCode: string | null
  positionId: number | null
  addonText: string | null
  firstScanned: number | null
  message: string | null
  reasonExplanation: string | null
  checkinTexts: string[]
  isRequireAttention: boolean
  requireAttention: boolean
  isCheckinAllowed: boolean
  checkinAllowed: boolean
  requiredAnswers: object[]
  shownAnswers: object[]
  position: null
  eventSlug: string
  offline: boolean
  locale: null
}

export interface Shown {
  verdict: Verdict
  event: string
  /** The app has a form for questions. */
  allowQuestions: boolean
  /** Said in place of the verdict's own sentence. */
  explanation?: string | undefined
  order?: { code: string; position: number | null } | undefined
  /** The shop's words about a ticket that was admitted. */
  said?: string | undefined
}

/** @returns what a person at the gate sees in proxy mode */
export function checkResult({ verdict, event, allowQuestions, explanation, order, said }: Shown): CheckResult {
  const type = typeOf(verdict, allowQuestions)
  const isExit = verdict.direction === 'out'
  return {
    ...emptyResult(type, event),
    scanType: isExit ? 'EXIT' : 'ENTRY',
    ...ticketOf(verdict),
    ...(order && { orderCode: order.code, positionId: order.position }),
    firstScanned: type === 'USED' ? (usedAt(verdict) ?? null) : null,
    reasonExplanation: type === 'VALID' && !isRemarkable(verdict, said) ? null : (explanation ?? verdict.reason),
    checkinTexts: textsOf(verdict),
    isRequireAttention: verdict.attention !== undefined,
    requireAttention: verdict.attention !== undefined,
    requiredAnswers: type === 'ANSWERS_REQUIRED' ? askedInProxy(verdict.questions ?? []) : [],
    offline: verdict.confidence === 'provisional',
  }
}

/** A question that got no verdict. `message` takes the place of the headline. */
export function failedResult(message: string, event: string): CheckResult {
  return { ...emptyResult('ERROR', event), message, reasonExplanation: message }
}

function emptyResult(type: ResultType, eventSlug: string): CheckResult {
  return {
    type,
    scanType: 'ENTRY',
    ...{ ticket: null, variation: null, attendee_name: null, seat: null, orderCode: null, positionId: null },
    ...{ addonText: null, firstScanned: null, message: null, reasonExplanation: null, checkinTexts: [] },
    ...{ isRequireAttention: false, requireAttention: false, isCheckinAllowed: false, checkinAllowed: false },
    ...{ requiredAnswers: [], shownAnswers: [], position: null, eventSlug, offline: false, locale: null },
  }
}

function ticketOf({ product, tier_name, holder, seat_label, order, addons }: Verdict) {
  return {
    ticket: product ?? tier_name,
    attendee_name: holder ?? null,
    seat: seat_label,
    orderCode: order?.code ?? null,
    addonText: addons?.join(', ') ?? null,
  }
}

function textsOf({ attention, note }: Verdict): string[] {
  return [attention?.text, note].filter((text) => text !== undefined)
}

/** An admission of which a person should read more than the colour. */
function isRemarkable({ verdict, confidence, occurrence }: Verdict, said: string | undefined): boolean {
  return verdict === 'ADMIT' && (confidence === 'provisional' || (occurrence ?? 1) > 1 || said !== undefined)
}

function usedAt({ evidence }: Verdict): number | undefined {
  return evidence && 'used_at' in evidence ? Date.parse(evidence.used_at) : undefined
}

function typeOf(verdict: Verdict, allowQuestions: boolean): ResultType {
  switch (verdict.verdict) {
    case 'ADMIT':
    case 'EXIT':
      return 'VALID'
    case 'ALREADY_USED':
      return 'USED'
    case 'REDIRECT':
      return 'PRODUCT'
    case 'NOT_VALID_NOW':
      return 'INVALID_TIME'
    case 'STALE_CODE':
      return 'RULES'
    case 'REVOKED':
      return isTakenBack(verdict) ? 'REVOKED' : 'CANCELED'
    case 'NOT_PAID':
      return 'UNPAID'
    case 'BLOCKED':
      if (isAsking(verdict)) return allowQuestions ? 'ANSWERS_REQUIRED' : 'RULES'
      return isHeld(verdict) ? 'RULES' : 'BLOCKED'
    case 'UNKNOWN':
      return 'INVALID'
  }
}

/** By the event's own people, and not by the shop. */
function isTakenBack({ evidence }: Verdict): boolean {
  return evidence !== null && 'revoked_at' in evidence && evidence.revoked_at !== null
}

function isHeld({ evidence }: Verdict): boolean {
  return evidence !== null && 'held' in evidence && evidence.held === true
}

export function isAsking({ verdict, questions = [] }: Verdict): boolean {
  return verdict === 'BLOCKED' && questions.some(answerable)
}

/** The shop's words for a refusal. */
const REASONS: Readonly<Record<Exclude<ResultType, 'VALID' | 'ANSWERS_REQUIRED'>, string>> = {
  INVALID: 'invalid',
  USED: 'already_redeemed',
  ERROR: 'error',
  UNPAID: 'unpaid',
  BLOCKED: 'blocked',
  INVALID_TIME: 'invalid_time',
  CANCELED: 'canceled',
  PRODUCT: 'product',
  RULES: 'rules',
  REVOKED: 'revoked',
}

export interface Redeemed {
  verdict: Verdict
  questionsSupported: boolean
  /** The code as it was shown. */
  secret: string
  list: { id: number; name: string }
  event: { slug: string; name: string }
  order?: { code: string; position: number | null } | undefined
  said?: string | undefined
  position: { id: number; item: number }
}

/** @returns status and body as the shop's own redeem has them */
export function redeemAnswer(redeemed: Redeemed): { status: 201 | 400 | 404; body: object } {
  const { verdict, questionsSupported, list, event, said } = redeemed
  if (verdict.verdict === 'UNKNOWN') {
    const said = { detail: 'Not found.', status: 'error', reason: 'invalid', reason_explanation: verdict.reason }
    return { status: 404, body: { ...said, require_attention: false, checkin_texts: [] } }
  }
  const common = {
    position: positionOf(redeemed),
    require_attention: verdict.attention !== undefined,
    checkin_texts: textsOf(verdict),
    list: { ...list, event: event.slug, subevent: null, include_pending: false },
  }
  // An upload of somebody who is inside already is not refused after the fact: its case is opened here.
  if (verdict.severity === 'admit') {
    // An app shows no explanation of an admission, and these texts with it.
    const checkin_texts = [...common.checkin_texts, ...(isRemarkable(verdict, said) ? [verdict.reason] : [])]
    return { status: 201, body: { status: 'ok', ...common, checkin_texts } }
  }
  const type = typeOf(verdict, questionsSupported)
  if (type === 'ANSWERS_REQUIRED') {
    const questions = askedInShop(verdict.questions ?? [])
    return { status: 400, body: { status: 'incomplete', ...common, questions } }
  }
  const reason = type === 'VALID' ? 'error' : REASONS[type]
  return { status: 400, body: { status: 'error', reason, reason_explanation: verdict.reason, ...common } }
}

/** Every field that an app's decoder insists on. */
function positionOf({ verdict, secret, list, position, order }: Redeemed): object {
  const at = usedAt(verdict)
  const { attendee_name } = ticketOf(verdict)
  return {
    ...position,
    ...{
      order: order?.code ?? '',
      positionid: order?.position ?? 1,
      variation: null,
      price: '0.00',
      secret,
      pseudonymization_id: '',
    },
    ...{
      attendee_name,
      attendee_name_parts: {},
      attendee_email: null,
      addon_to: null,
      subevent: null,
      tax_rate: '0.00',
    },
    seat: verdict.seat_label === null ? null : { id: 0, name: verdict.seat_label, seat_guid: '' },
    checkins: at === undefined ? [] : [{ id: 0, list: list.id, datetime: new Date(at).toISOString(), type: 'entry' }],
    ...{ answers: [], downloads: [], print_logs: [] },
    require_attention: verdict.attention !== undefined,
    order__status: verdict.verdict === 'NOT_PAID' ? 'n' : verdict.verdict === 'REVOKED' ? 'c' : 'p',
    ...{ order__valid_if_pending: false, order__require_approval: false, order__locale: 'en' },
  }
}

/**
 * A refusal of a ticket that this very device has admitted moments ago: its answer may have been lost on the radio, and nobody but the
 * person at the gate can know.
 */
export function askedTwice(seconds: number): string {
  return `This scanner admitted this ticket ${seconds} s ago. If that answer did not arrive, this is that person. If it did, stop.`
}

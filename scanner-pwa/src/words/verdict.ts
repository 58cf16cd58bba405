/** A verdict in words: what it is called, what it rests on, what to do next. Total over every verdict and every evidence. */
import { knownDetail } from '@gatehouse/proto/known-details.ts'
import { clause, reasonFor, sentence } from '@gatehouse/proto/verdict-words.ts'
import type { Evidence } from '@gatehouse/proto/wire/scan.ts'
import type { ScanRecord } from '../gate/model.ts'
import { isAsking } from '../gate/tray.ts'
import { askWords, verdictSays as say, verdictSentences } from './core.ts'
import { words } from './words.ts'

export interface VerdictWords {
  /** One to three words, as big as the screen allows. */
  word: string
  /** The facts. Empty where the word says it all. */
  fact: string
  /** Instructions for the person at the gate. Empty where the attendee simply walks on. */
  next: string
  /** Small print for a dispute: exactly where and when. */
  detail: string
}

/** @param supervisor the person at this phone is one: nobody is told to call themselves */
export function verdictWords(
  record: Pick<ScanRecord, 'verdict' | 'class' | 'at' | 'alone' | 'undone' | 'failed'>,
  supervisor = false,
): VerdictWords {
  const { verdict, alone } = record
  const decides = supervisor && record.class === 'supervisor'
  const word = decides ? words.verdict.yours : words.verdict.class[record.class]
  const said = { word, fact: '', next: '', detail: '' }
  // Only the box takes a supervisor's admission.
  const orElse = (next: string) =>
    supervisor ? (alone ? next : say.orPress(next, words.verdict.admit)) : say.orCall(next)
  if (record.undone) {
    return { ...said, word: words.verdict.undone, ...say.undone }
  }
  if (record.failed) return { ...said, word: words.verdict.failed, ...inTwo(verdict.reason) }
  const { evidence } = verdict
  if (alone && restsOnLess(verdict)) return { ...said, ...inTwo(verdict.reason) }
  switch (verdict.verdict) {
    case 'ADMIT':
      return { ...said, fact: supervisedFact(verdict) }
    case 'EXIT':
      return said
    case 'ALREADY_USED': {
      const next = orElse(say.used.next)
      if (!has(evidence, 'used_at')) return { ...said, fact: say.used.somewhere, next }
      const { gate_name: gate, checkpoint_name: checkpoint, seconds_ago: seconds } = evidence
      return {
        ...said,
        fact: say.used.at(gate, seconds),
        next,
        detail: say.used.detail(checkpoint, Date.parse(evidence.used_at)),
      }
    }
    case 'REDIRECT': {
      if (!has(evidence, 'walking_seconds')) {
        return { ...said, fact: say.redirect.somewhere, next: say.redirect.ask }
      }
      const { gate_name: gate, checkpoint_name: checkpoint, walking_seconds: seconds } = evidence
      return {
        ...said,
        fact: seconds === null ? say.redirect.to(gate) : say.redirect.walk(gate, seconds),
        next: say.redirect.next(gate),
        detail: checkpoint === gate ? '' : checkpoint,
      }
    }
    case 'NOT_VALID_NOW': {
      const early =
        has(evidence, 'valid_from') && evidence.valid_from !== null && record.at < Date.parse(evidence.valid_from)
      return {
        ...said,
        fact: notNow(record),
        next: early ? say.early : say.desk,
      }
    }
    case 'STALE_CODE': {
      if (!has(evidence, 'code_age_seconds')) return { ...said, fact: say.stale.outdated, next: say.stale.next }
      const { code_age_seconds: age, phone_clock: theirClock } = evidence
      if (!theirClock) return { ...said, fact: say.stale.old(age), next: say.stale.next }
      return {
        ...said,
        word: words.verdict.clockOff,
        fact: say.stale.clock(age),
        next: say.stale.clockNext,
      }
    }
    case 'REVOKED': {
      const at = has(evidence, 'revoked_at') ? evidence.revoked_at : null
      const why = has(evidence, 'revoked_at') ? evidence.revoked_reason : null
      return {
        ...said,
        fact: known(evidence) ?? (why ? verdictSentences.cancelled(why) : say.cancelled.unexplained),
        next: say.cancelled.next,
        detail: at === null ? '' : say.cancelled.detail(Date.parse(at)),
      }
    }
    case 'NOT_PAID':
      return {
        ...said,
        fact: known(evidence) ?? verdictSentences.notPaid(has(evidence, 'detail') ? evidence.detail : say.orderOpen),
        next: orElse(say.desk),
      }
    case 'BLOCKED':
      if (isAsking(verdict)) {
        const [first, ...others] = (verdict.questions ?? []).filter(({ required }) => required)
        const fact = first && others.length === 0 ? first.text : askWords.questions(verdict.questions?.length ?? 0)
        return { ...said, word: askWords.askFirst, fact, next: askWords.waits }
      }
      if (has(evidence, 'detail') && evidence.held) {
        return {
          ...said,
          word: words.verdict.held,
          fact: say.held.fact(known(evidence) ?? sentence(evidence.detail)),
          next: say.held.next,
        }
      }
      return {
        ...said,
        fact: known(evidence) ?? verdictSentences.blocked(has(evidence, 'detail') ? evidence.detail : say.byShop),
        next: orElse(say.desk),
      }
    case 'UNKNOWN':
      return {
        ...said,
        fact: alone ? say.unknown.alone : say.unknown.fact,
        next: say.unknown.next,
      }
  }
}

/** On the event's own clock. A box that does not say whose times they are has its times shown, and nothing more. */
function notNow({ verdict: { evidence, reason }, at }: Pick<ScanRecord, 'verdict' | 'at'>): string {
  if (!has(evidence, 'valid_from')) return reason
  const { valid_from, valid_until, of, time_zone: timeZone } = evidence
  const [from, until] = [valid_from, valid_until].map((time) => (time === null ? null : Date.parse(time))) as [
    number | null,
    number | null,
  ]
  const place = { at, checkpointName: '', timeZone, placeName: (id: string) => id }
  if (of) return reasonFor(verdictSentences, { verdict: 'NOT_VALID_NOW', from, until, what: of }, place)
  const moment = (ms: number | null) => (ms === null ? null : verdictSentences.moment(ms, timeZone, true))
  if (from === null && until === null) return reason
  return say.times(moment(from), moment(until))
}

/** Gatehouse's own words, in this phone's language; an older box sends the words alone, and they are known by heart. */
function known(evidence: Evidence): string | undefined {
  const code = has(evidence, 'detail')
    ? (evidence.code ?? knownDetail(evidence.detail))
    : has(evidence, 'revoked_at')
      ? (evidence.code ?? knownDetail(evidence.revoked_reason))
      : undefined
  // A newer box may know more codes than this phone.
  return code && say.known[code]
}

function supervisedFact({ supervised, supervision, reason }: ScanRecord['verdict']): string {
  if (!supervised) return ''
  return supervision ? say.letIn(clause(supervision.actor), clause(supervision.reason)) : reason
}

/** The record as it reads at `now`, unix ms: the ages in it have moved since it was scanned. */
export function aged<R extends Pick<ScanRecord, 'verdict' | 'at'>>(record: R, now: number): R {
  const { verdict, at } = record
  const { evidence } = verdict
  if (!has(evidence, 'seconds_ago')) return record
  const seconds_ago = evidence.seconds_ago + Math.max(0, Math.floor((now - at) / 1000))
  return { ...record, verdict: { ...verdict, evidence: { ...evidence, seconds_ago } } }
}

/** The whole of it in one breath, for a screen reader. */
export function spoken(record: ScanRecord, supervisor = false): string {
  const { word, fact, next, detail } = verdictWords(record, supervisor)
  const { tier_name: tier, seat_label: seat } = record.verdict
  const { attention, note, holder, order } = record.undone ? {} : record.verdict
  const heed = (attention || note) && `${askWords.attention}: ${[attention?.text, note].filter(Boolean).join(' ')}`
  const inside = order && `${askWords.order(order)}.`
  const less = record.blind && record.verdict.verdict === 'ADMIT' && !record.undone && askWords.blind
  return [
    `${word}.`,
    heed,
    fact,
    next,
    detail && `${detail}.`,
    holder,
    tier && `${tier}.`,
    seat && `${seat}.`,
    inside,
    less,
    `${certainty(record)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Confirmed, provisional or alone: how sure the verdict is; and that it counts for nothing where it was rehearsed. */
export function certainty(
  record: Pick<ScanRecord, 'alone' | 'unheardMs' | 'verdict' | 'failed' | 'box' | 'unheard' | 'rehearsal'>,
): string {
  return record.rehearsal ? `${words.rehearsal}. ${certaintyOf(record)}` : certaintyOf(record)
}

function certaintyOf(record: Parameters<typeof certainty>[0]): string {
  const sure = sureness(record)
  const { box } = record
  if (sure === 'offline') return words.verdict.offline(record.unheardMs)
  if (sure === 'failed') return words.verdict.failedSure
  if (sure === 'confirmed') return box === undefined ? words.verdict.confirmed : words.verdict.confirmedBy(box)
  const why = provisionalWhy(record.unheard ?? [])
  return box === undefined ? why : words.verdict.provisionalBy(box, why)
}

/** The box that has been silent the longest bounds the time in which another gate may have admitted this ticket. */
function provisionalWhy(unheard: NonNullable<ScanRecord['unheard']>): string {
  if (unheard.length === 0) return words.verdict.provisional
  const [first, second] = unheard
  const names = [first, second].flatMap((box) => box?.name ?? [])
  const more = unheard.length > names.length ? words.verdict.moreBoxes(unheard.length - names.length) : []
  const longest = Math.max(0, ...unheard.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY))
  return words.verdict.provisionalSince(
    [...names, ...[more].flat()].join(', '),
    Number.isFinite(longest) ? longest : null,
  )
}

export function sureness({
  alone,
  failed,
  verdict,
}: Pick<ScanRecord, 'alone' | 'verdict' | 'failed'>): 'confirmed' | 'provisional' | 'offline' | 'failed' {
  if (failed) return 'failed'
  if (alone) return 'offline'
  // A refusal is no less one for a box that is cut off; only an admission may be another gate's, too.
  return verdict.confidence === 'provisional' && verdict.severity === 'admit' ? 'provisional' : 'confirmed'
}

/** Alone, the list says that something is wrong and not what: the scanner's own sentence is more than could be made of it. */
function restsOnLess({ verdict, evidence }: ScanRecord['verdict']): boolean {
  switch (verdict) {
    case 'REVOKED':
    case 'NOT_PAID':
      return true
    case 'BLOCKED':
      return !(has(evidence, 'detail') && evidence.held)
    case 'ALREADY_USED':
    case 'REDIRECT':
    case 'STALE_CODE':
      return evidence === null
    default:
      return false
  }
}

/** Splits a reason into the fact, which comes first, and the instruction. */
function inTwo(reason: string): { fact: string; next: string } {
  const end = reason.search(/[.:] /)
  if (end < 0) return { fact: reason, next: '' }
  const next = reason.slice(end + 2)
  return { fact: `${reason.slice(0, end)}.`, next: capital(next) }
}

type Of<K extends string> = Extract<Evidence, { [P in K]: unknown }>

function has<K extends string>(evidence: Evidence, key: K): evidence is Of<K> {
  return evidence !== null && key in evidence
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

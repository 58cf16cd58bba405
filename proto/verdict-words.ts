/**
 * Words a verdict, for a tired person at arm's length: one sentence, first the fact and then what to do. The box and an offline
 * scanner share it, so that both use the same words; the sentences of each language are a file of `verdict-words/`.
 */
import type { verdictSentences } from './verdict-words/en.ts'
import type { Verdict, VerdictName } from './wire/scan.ts'

/** A verdict with the facts that its sentence mentions, such as the box's `Decision`. Times in unix ms. */
export type VerdictFacts =
  | { verdict: 'ADMIT'; occurrence: number }
  | { verdict: 'EXIT' }
  | { verdict: 'ALREADY_USED'; earlier: { checkpoint: string; at: number } }
  | { verdict: 'REDIRECT'; to: { id: string } }
  | { verdict: 'NOT_VALID_NOW'; from: number | null; until: number | null; what: 'ticket' | 'gate' }
  | { verdict: 'STALE_CODE'; ageSeconds: number; phoneClock: boolean }
  | { verdict: 'REVOKED'; reason: string | null }
  | { verdict: 'NOT_PAID'; detail: string }
  | { verdict: 'BLOCKED'; detail: string; held?: true; asks?: true }
  | { verdict: 'UNKNOWN' }

export type VerdictSentences = typeof verdictSentences

export interface VerdictPlace {
  /** Unix ms of the scan, which ages are counted from. */
  at: number
  checkpointName: string
  /** IANA; undefined for the device's own. */
  timeZone: string | undefined
  /** Names a place that a person is sent to, or was at: see `placeName`. */
  placeName: (checkpointId: string) => string
}

/** Consequence for the person, by verdict. */
export const SEVERITY = {
  ADMIT: 'admit',
  EXIT: 'admit',
  ALREADY_USED: 'refuse',
  REDIRECT: 'redirect',
  NOT_VALID_NOW: 'refuse',
  STALE_CODE: 'retry',
  REVOKED: 'refuse',
  NOT_PAID: 'refuse',
  BLOCKED: 'refuse',
  UNKNOWN: 'refuse',
} as const satisfies Record<VerdictName, Verdict['severity']>

export function reasonFor(
  say: VerdictSentences,
  said: VerdictFacts,
  { at, checkpointName, timeZone, placeName }: VerdictPlace,
): string {
  switch (said.verdict) {
    case 'ADMIT':
      return said.occurrence === 1 ? say.welcome : say.welcomeBack(said.occurrence)
    case 'EXIT':
      return say.left
    case 'ALREADY_USED':
      return say.used(placeName(said.earlier.checkpoint), at - said.earlier.at)
    case 'REDIRECT':
      return say.redirect(checkpointName, placeName(said.to.id))
    case 'NOT_VALID_NOW':
      return notNow(say, said, timeZone, at)
    case 'STALE_CODE':
      return said.phoneClock ? say.phoneClock(said.ageSeconds * 1000) : say.stale(said.ageSeconds * 1000)
    case 'REVOKED':
      return say.sendToDesk(say.cancelled(said.reason))
    case 'NOT_PAID':
      return say.sendToDesk(say.notPaid(said.detail))
    case 'BLOCKED':
      if (said.asks) return say.askFirst(said.detail)
      return said.held ? say.held(said.detail) : say.sendToDesk(say.blocked(said.detail))
    case 'UNKNOWN':
      return say.unknown
  }
}

/** "Gate North (North entry)". */
export function placeName({ name, gateName }: { name: string; gateName: string }): string {
  return gateName === name ? gateName : `${gateName} (${name})`
}

/** A text that a person has typed, as a sentence of its own. */
export function sentence(text: string): string {
  const said = clause(text)
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
}

/** A text that a person has typed, trimmed to fit into a sentence. */
export function clause(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[.!\s]+$/, '')
}

function notNow(
  say: VerdictSentences,
  { what, from, until }: VerdictFacts & { verdict: 'NOT_VALID_NOW' },
  timeZone: string | undefined,
  at: number,
): string {
  const same = (ms: number, options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en', { timeZone, ...options })
    return format.format(ms) === format.format(at)
  }
  if (from !== null && at < from) {
    const opens = say.moment(from, timeZone, !same(from, { year: 'numeric' }))
    return what === 'ticket' ? say.ticketFrom(opens) : say.gateFrom(opens)
  }
  const ended = until ?? at
  const end = say.end(ended, timeZone, same(ended, { dateStyle: 'short' }))
  return what === 'ticket' ? say.ticketUntil(end) : say.gateUntil(end)
}

/**
 * Words a verdict, for a tired person at arm's length: one sentence, first the fact and then what to do. The box and an offline
 * scanner share it, so that both use the same words.
 */
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

export function reasonFor(said: VerdictFacts, { at, checkpointName, timeZone, placeName }: VerdictPlace): string {
  switch (said.verdict) {
    case 'ADMIT':
      return said.occurrence === 1 ? 'Welcome.' : `Welcome back, admission ${said.occurrence}.`
    case 'EXIT':
      return 'Left. Goodbye.'
    case 'ALREADY_USED':
      return `Used at ${placeName(said.earlier.checkpoint)} ${ago(at - said.earlier.at)}.`
    case 'REDIRECT':
      return `Not at ${checkpointName}: send to ${placeName(said.to.id)}.`
    case 'NOT_VALID_NOW':
      return notNow(said, timeZone, at)
    case 'STALE_CODE':
      return said.phoneClock
        ? `That phone's clock is ${duration(Math.abs(said.ageSeconds) * 1000)} ${said.ageSeconds < 0 ? 'ahead' : 'behind'}: set its time to automatic and open the ticket again.`
        : `This code is ${duration(said.ageSeconds * 1000)} old: ask them to open the ticket again. No screenshots.`
    case 'REVOKED':
      return `${cancelled(said.reason)} Send to the ticket desk.`
    case 'NOT_PAID':
      return `${notPaid(said.detail)} Send to the ticket desk.`
    case 'BLOCKED':
      if (said.asks) return `Ask first: ${clause(said.detail)}. Answer on the scanner, or send to the ticket desk.`
      return said.held
        ? `Stop: ${clause(said.detail)}. Nobody enters until the control room says so.`
        : `${blocked(said.detail)} Send to the ticket desk.`
    case 'UNKNOWN':
      return 'Not a ticket for this event. Try the code again, then send to the ticket desk.'
  }
}

/** "Gate North (North entry)". */
export function placeName({ name, gateName }: { name: string; gateName: string }): string {
  return gateName === name ? gateName : `${gateName} (${name})`
}

/** "Cancelled: charged back." */
export function cancelled(reason: string | null): string {
  return reason ? labelled('Cancelled', reason, /\b(cancell?ed|revoked)\b/i) : 'Cancelled.'
}

/** "Not paid: the order is open." */
export function notPaid(detail: string): string {
  return labelled('Not paid', detail, /\bpaid\b/i)
}

/** "Blocked: lost." */
export function blocked(detail: string): string {
  return labelled('Blocked', detail, /^blocked\b/i)
}

/** Shops often say it themselves, and "Blocked: blocked by the organiser." says it twice. */
function labelled(label: string, text: string, says: RegExp): string {
  return says.test(text) ? sentence(text) : `${label}: ${clause(text)}.`
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

/**
 * "4 minutes ago"; a negative time gives "4 minutes later": an offline scanner uploads a scan late, and the ticket may have been
 * used elsewhere after that scan.
 */
export function ago(ms: number): string {
  if (Math.abs(ms) < 1000) return 'just now'
  return ms < 0 ? `${duration(-ms)} later` : `${duration(ms)} ago`
}

/** "4 minutes": the largest unit alone, rounded down. */
export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return count(seconds, 'second')
  if (seconds < 3600) return count(Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return count(Math.floor(seconds / 3600), 'hour')
  return count(Math.floor(seconds / 86_400), 'day')
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? '' : 's'}`
}

function notNow(said: VerdictFacts & { verdict: 'NOT_VALID_NOW' }, timeZone: string | undefined, at: number): string {
  const isTicket = said.what === 'ticket'
  if (said.from !== null && at < said.from) {
    return `${isTicket ? 'This ticket is valid from' : 'This gate opens'} ${localTime(timeZone, said.from, at)}.`
  }
  return `${isTicket ? 'Expired' : 'This gate closed'} ${endTime(timeZone, said.until ?? at, at)}.`
}

/** In the event's time zone; with the year where `now` is in another one, because last year's ticket would look like yesterday's. */
function localTime(zone: string | undefined, unixMs: number, now: number): string {
  const timeZone = zone !== undefined && { timeZone: zone }
  const year = new Intl.DateTimeFormat('en-GB', { ...timeZone, year: 'numeric' })
  return new Intl.DateTimeFormat('en-GB', {
    ...timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(year.format(unixMs) !== year.format(now) && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(unixMs)
}

/** "at 12:00" on the day of `now`, "2 January 2026" on another, in the event's time zone. */
function endTime(zone: string | undefined, unixMs: number, now: number): string {
  const timeZone = zone !== undefined && { timeZone: zone }
  const day = new Intl.DateTimeFormat('en-GB', { ...timeZone, day: 'numeric', month: 'long', year: 'numeric' })
  const time = new Intl.DateTimeFormat('en-GB', { ...timeZone, hour: '2-digit', minute: '2-digit' })
  return day.format(unixMs) === day.format(now) ? `at ${time.format(unixMs)}` : day.format(unixMs)
}

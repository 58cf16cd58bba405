/** What a verdict says to a tired person at arm's length: one sentence, the fact first, then what to do. */
import type { Event } from '../event/event.ts'
import type { Decision } from './decide.ts'

/** @param at unix ms of the scan, which ages are counted from */
export function reasonFor(decision: Decision, event: Event, at: number, checkpointName: string): string {
  switch (decision.verdict) {
    case 'ADMIT':
      return decision.occurrence === 1 ? 'Welcome.' : `Welcome back, admission ${decision.occurrence}.`
    case 'EXIT':
      return 'Left. Goodbye.'
    case 'ALREADY_USED':
      return `Used at ${placeName(event, decision.earlier.checkpoint)} ${ago(at - decision.earlier.at)}.`
    case 'REDIRECT':
      return `Not at ${checkpointName}: send to ${placeName(event, decision.to.id)}.`
    case 'NOT_VALID_NOW':
      return notNow(decision, event, at)
    case 'STALE_CODE':
      return decision.phoneClock
        ? `That phone's clock is ${duration(Math.abs(decision.ageSeconds) * 1000)} ${decision.ageSeconds < 0 ? 'ahead' : 'behind'}: set its time to automatic and open the ticket again.`
        : `This code is ${duration(decision.ageSeconds * 1000)} old: ask for the ticket to be opened again, no screenshots.`
    case 'REVOKED':
      return `Cancelled${decision.reason ? `: ${clause(decision.reason)}` : ''}. Send to the ticket desk.`
    case 'NOT_PAID':
      return `Not paid: ${clause(decision.detail)}. Send to the ticket desk.`
    case 'BLOCKED':
      return decision.held
        ? `Stop: ${clause(decision.detail)}. Nobody enters until the control room says so.`
        : `Blocked: ${clause(decision.detail)}. Send to the ticket desk.`
    case 'UNKNOWN':
      return 'No ticket of this event. Try the code again, then send to the ticket desk.'
  }
}

/** What the gate reads when a supervisor has let a refused ticket in. */
export function supervisedReason(actor: string, reason: string): string {
  return `Let in by ${clause(actor)}: ${clause(reason)}.`
}

/** "Gate North (North entry)": where a person can walk to, or was. */
function placeName(event: Event, checkpointId: string): string {
  const checkpoint = event.checkpointById.get(checkpointId)
  // An event file may lose a checkpoint after tickets were used there.
  if (!checkpoint) return checkpointId
  const gate = event.gateById.get(checkpoint.gate)?.name ?? checkpoint.gate
  return gate === checkpoint.name ? gate : `${gate} (${checkpoint.name})`
}

function notNow(decision: Decision & { verdict: 'NOT_VALID_NOW' }, event: Event, at: number): string {
  const subject = decision.what === 'ticket' ? 'This ticket is valid' : 'This gate is open'
  if (decision.from !== null && at < decision.from) return `${subject} from ${localTime(event, decision.from, at)}.`
  return `${subject} only until ${localTime(event, decision.until ?? at, at)}.`
}

/** What somebody wrote, so that it fits into a sentence. */
function clause(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[.!\s]+$/, '')
}

/** On the event's own clock; with the year when `now` is in another, or last year's ticket looks like yesterday's. */
function localTime({ timezone: timeZone }: Event, unixMs: number, now: number): string {
  const year = new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric' })
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(year.format(unixMs) !== year.format(now) && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(unixMs)
}

/** A scanner that was alone reports later: by then the ticket may have been used after the scan that it reports. */
function ago(ms: number): string {
  if (Math.abs(ms) < 1000) return 'just now'
  return ms < 0 ? `${duration(-ms)} later` : `${duration(ms)} ago`
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return count(seconds, 'second')
  if (seconds < 3600) return count(Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return count(Math.floor(seconds / 3600), 'hour')
  return count(Math.floor(seconds / 86_400), 'day')
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? '' : 's'}`
}

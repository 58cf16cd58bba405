/** The sentences of verdicts, in English. A box speaks them, and a scanner whose language is English. */
import { speechOf } from '../speech.ts'
import { clause, sentence } from '../verdict-words.ts'

const { ago, duration, number, time } = speechOf('en-GB')

const desk = 'Send to the ticket desk.'

export const verdictSentences = {
  welcome: 'Welcome.',
  welcomeBack: (occurrence: number) => `Welcome back, admission ${number(occurrence)}.`,
  left: 'Exit recorded. Goodbye.',
  /** @param ms since then; negative where a scan arrives late, and the ticket was used elsewhere after it */
  used: (place: string, ms: number) =>
    `Used at ${place} ${Math.abs(ms) < 1000 ? 'just now' : ms < 0 ? `${duration(-ms)} later` : ago(ms)}.`,
  redirect: (here: string, there: string) => `Not at ${here}: send to ${there}.`,
  ticketFrom: (from: string) => `Not valid yet: valid from ${from}.`,
  gateFrom: (from: string) => `This gate opens ${from}.`,
  ticketUntil: (until: string) => `Expired ${until}.`,
  gateUntil: (until: string) => `This gate closed ${until}.`,
  /** In the event's time zone; `dated` where the year is another one, because last year's ticket would look like yesterday's. */
  moment: (ms: number, timeZone: string | undefined, dated: boolean) =>
    time(ms, {
      timeZone,
      ...({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
      ...(dated && { year: 'numeric' }),
    }),
  /** When something ended: on the same day by the time, and else by the day. */
  end: (ms: number, timeZone: string | undefined, sameDay: boolean) =>
    sameDay
      ? `at ${time(ms, { timeZone, hour: '2-digit', minute: '2-digit' })}`
      : time(ms, { timeZone, day: 'numeric', month: 'long', year: 'numeric' }),
  phoneClock: (ms: number) =>
    `That phone's clock is ${duration(Math.abs(ms))} ${ms < 0 ? 'ahead' : 'behind'}: set its time to automatic and open the ticket again.`,
  stale: (ms: number) => `This code is ${duration(ms)} old: ask them to open the ticket again. No screenshots.`,
  sendToDesk: (what: string) => `${what} ${desk}`,
  askFirst: (what: string) => `Ask first: ${clause(what)}. Answer on the scanner, or send to the ticket desk.`,
  held: (why: string) => `Stop: ${clause(why)}. Nobody enters until the control room says so.`,
  unknown: 'Not a ticket for this event. Try the code again. If that fails, send to the ticket desk.',
  /** Shops often say it themselves, and "Blocked: blocked by the organiser." says it twice. */
  cancelled: (reason: string | null) =>
    reason ? labelled('Cancelled', reason, /\b(cancell?ed|revoked)\b/i) : 'Cancelled.',
  notPaid: (detail: string) => labelled('Not paid', detail, /\bpaid\b/i),
  blocked: (detail: string) => labelled('Blocked', detail, /^blocked\b/i),
}

function labelled(label: string, text: string, says: RegExp): string {
  return says.test(text) ? sentence(text) : `${label}: ${clause(text)}.`
}

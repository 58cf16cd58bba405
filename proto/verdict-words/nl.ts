/** The sentences of verdicts, in Dutch. A box speaks them, and a scanner whose language is Dutch. */
import { speechOf } from '../speech.ts'
import { clause, sentence } from '../verdict-words.ts'
import type { verdictSentences as English } from './en.ts'

const { ago, duration, number, time } = speechOf('nl-NL')

const desk = 'Stuur door naar de ticketbalie.'

export const verdictSentences: typeof English = {
  welcome: 'Welkom.',
  welcomeBack: (occurrence) => `Welkom terug, ${number(occurrence)}e keer binnen.`,
  left: 'Vertrek geregistreerd. Tot ziens.',
  used: (place, ms) =>
    `Gebruikt bij ${place}: ${Math.abs(ms) < 1000 ? 'zojuist' : ms < 0 ? `${duration(-ms)} later` : ago(ms)}.`,
  redirect: (here, there) => `Niet bij ${here}: stuur door naar ${there}.`,
  ticketFrom: (from) => `Nog niet geldig: geldig vanaf ${from}.`,
  gateFrom: (from) => `Poort nog dicht: gaat open ${from}.`,
  ticketUntil: (until) => `Verlopen: ${until}.`,
  gateUntil: (until) => `Deze poort is gesloten sinds ${until}.`,
  moment: (ms, timeZone, dated) =>
    time(ms, {
      timeZone,
      ...({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
      ...(dated && { year: 'numeric' }),
    }),
  end: (ms, timeZone, sameDay) =>
    sameDay
      ? `${time(ms, { timeZone, hour: '2-digit', minute: '2-digit' })} uur`
      : time(ms, { timeZone, day: 'numeric', month: 'long', year: 'numeric' }),
  phoneClock: (ms) =>
    `De klok van die telefoon loopt ${duration(Math.abs(ms))} ${ms < 0 ? 'voor' : 'achter'}: zet de tijd op automatisch en open het ticket opnieuw.`,
  stale: (ms) => `Deze code is ${duration(ms)} oud: laat het ticket opnieuw openen. Geen screenshots.`,
  sendToDesk: (what) => `${what} ${desk}`,
  askFirst: (what) =>
    `Eerst vragen: ${clause(what)}. Vul het antwoord in op de scanner, of stuur door naar de ticketbalie.`,
  held: (why) => `Stop: ${clause(why)}. Niemand naar binnen tot de controlekamer het zegt.`,
  unknown: 'Geen ticket voor dit evenement. Probeer de code nog eens. Lukt het niet: stuur door naar de ticketbalie.',
  cancelled: (reason) =>
    reason ? labelled('Geannuleerd', reason, /\b(geannuleerd|ingetrokken|cancell?ed|revoked)\b/i) : 'Geannuleerd.',
  notPaid: (detail) => labelled('Niet betaald', detail, /\b(betaald|paid)\b/i),
  blocked: (detail) => labelled('Geblokkeerd', detail, /^(geblokkeerd|blocked)\b/i),
}

function labelled(label: string, text: string, says: RegExp): string {
  return says.test(text) ? sentence(text) : `${label}: ${clause(text)}.`
}

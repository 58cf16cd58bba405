/** The sentences of verdicts, in Italian. */
import { speechOf } from '../speech.ts'
import { clause, sentence } from '../verdict-words.ts'
import type { verdictSentences as English } from './en.ts'

const { ago, duration, number, time } = speechOf('it-IT')

const desk = 'Manda in biglietteria.'

export const verdictSentences: typeof English = {
  welcome: 'Può entrare.',
  welcomeBack: (occurrence) => `Può rientrare, ingresso n. ${number(occurrence)}.`,
  left: 'Uscita registrata. Arrivederci.',
  used: (place, ms) =>
    `Già usato: ${place}, ${Math.abs(ms) < 1000 ? 'un attimo fa' : ms < 0 ? `${duration(-ms)} dopo` : ago(ms)}.`,
  redirect: (here, there) => `Non a ${here}: manda a ${there}.`,
  ticketFrom: (from) => `Non ancora valido: vale da ${from}.`,
  gateFrom: (from) => `Varco ancora chiuso: apre ${from}.`,
  ticketUntil: (until) => `Biglietto scaduto (${until}).`,
  gateUntil: (until) => `Varco già chiuso (${until}).`,
  moment: (ms, timeZone, dated) =>
    time(ms, {
      timeZone,
      ...({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
      ...(dated && { year: 'numeric' }),
    }),
  end: (ms, timeZone, sameDay) =>
    sameDay
      ? `ore ${time(ms, { timeZone, hour: '2-digit', minute: '2-digit' })}`
      : time(ms, { timeZone, day: 'numeric', month: 'long', year: 'numeric' }),
  phoneClock: (ms) =>
    `L’orologio di quel telefono è ${ms < 0 ? 'avanti' : 'indietro'} di ${duration(Math.abs(ms))}: fai impostare l’ora automatica e riaprire il biglietto.`,
  stale: (ms) => `Codice vecchio di ${duration(ms)}: fai riaprire il biglietto. Niente screenshot.`,
  sendToDesk: (what) => `${what} ${desk}`,
  askFirst: (what) => `Prima chiedi: ${clause(what)}. Rispondi sullo scanner o manda in biglietteria.`,
  held: (why) => `Stop: ${clause(why)}. Non entra nessuno finché la centrale non dà il via.`,
  unknown: 'Non è un biglietto di questo evento. Riprova il codice. Se non va, manda in biglietteria.',
  cancelled: (reason) =>
    reason ? labelled('Annullato', reason, /\b(annullat|revocat|cancell?ed\b|revoked\b)/i) : 'Annullato.',
  notPaid: (detail) => labelled('Non pagato', detail, /\b(pagat|paid\b)/i),
  blocked: (detail) => labelled('Bloccato', detail, /^(bloccat|blocked\b)/i),
}

function labelled(label: string, text: string, says: RegExp): string {
  return says.test(text) ? sentence(text) : `${label}: ${clause(text)}.`
}

/** The sentences of verdicts, in French. */
import { speechOf } from '../speech.ts'
import { clause, sentence } from '../verdict-words.ts'
import type { verdictSentences as English } from './en.ts'

const { ago, duration, number, time } = speechOf('fr-FR')

const desk = 'Envoyer au guichet.'

export const verdictSentences: typeof English = {
  welcome: 'Bienvenue.',
  welcomeBack: (occurrence) => `Bienvenue à nouveau : entrée n° ${number(occurrence)}.`,
  left: 'Sortie enregistrée. Au revoir.',
  used: (place, ms) =>
    `Utilisé : ${place}, ${Math.abs(ms) < 1000 ? 'à l’instant' : ms < 0 ? `${duration(-ms)} plus tard` : ago(ms)}.`,
  redirect: (here, there) => `Pas ici (${here}). Envoyer vers : ${there}.`,
  ticketFrom: (from) => `Pas encore valable : à partir du ${from}.`,
  gateFrom: (from) => `Porte encore fermée : elle ouvre le ${from}.`,
  ticketUntil: (until) => `Expiré ${until}.`,
  gateUntil: (until) => `Cette porte a fermé ${until}.`,
  moment: (ms, timeZone, dated) =>
    time(ms, {
      timeZone,
      ...({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
      ...(dated && { year: 'numeric' }),
    }),
  end: (ms, timeZone, sameDay) =>
    sameDay
      ? `à ${time(ms, { timeZone, hour: '2-digit', minute: '2-digit' })}`
      : `le ${time(ms, { timeZone, day: 'numeric', month: 'long', year: 'numeric' })}`,
  phoneClock: (ms) =>
    `Son téléphone a ${duration(Math.abs(ms))} ${ms < 0 ? 'd’avance' : 'de retard'} : mettre l’heure en automatique et rouvrir le billet.`,
  stale: (ms) => `Ce code date de ${duration(ms)} : faire rouvrir le billet. Pas de capture d’écran.`,
  sendToDesk: (what) => `${what} ${desk}`,
  askFirst: (what) => `À demander d’abord : ${clause(what)}. Répondre sur le scanner, ou envoyer au guichet.`,
  held: (why) => `Stop : ${clause(why)}. Personne n’entre sans l’accord du PC sécurité.`,
  unknown: 'Pas un billet pour cet événement. Réessayer le code, sinon envoyer au guichet.',
  cancelled: (reason) => (reason ? labelled('Annulé', reason, /\b(cancell?ed|revoked)\b|annulé|révoqué/i) : 'Annulé.'),
  notPaid: (detail) => labelled('Non payé', detail, /\bpaid\b|payé/i),
  blocked: (detail) => labelled('Bloqué', detail, /^(blocked\b|bloqué)/i),
}

function labelled(label: string, text: string, says: RegExp): string {
  return says.test(text) ? sentence(text) : `${label} : ${clause(text)}.`
}

/** The sentences of verdicts, in German. */
import { speechOf } from '../speech.ts'
import { clause, sentence, type VerdictSentences } from '../verdict-words.ts'

const { ago, duration, number, time } = speechOf('de-DE')

const desk = 'Zum Ticketschalter schicken.'

export const verdictSentences: VerdictSentences = {
  welcome: 'Willkommen.',
  welcomeBack: (occurrence) => `Willkommen zurück, Einlass Nr. ${number(occurrence)}.`,
  left: 'Ausgang erfasst. Auf Wiedersehen.',
  used: (place, ms) =>
    `Benutzt: ${place}, ${Math.abs(ms) < 1000 ? 'gerade eben' : ms < 0 ? `${duration(-ms)} später` : ago(ms)}.`,
  redirect: (here, there) => `Nicht hier (${here}). Weiterschicken zu: ${there}.`,
  ticketFrom: (from) => `Noch nicht gültig: gilt ab ${from}.`,
  gateFrom: (from) => `Dieses Tor öffnet am ${from}.`,
  ticketUntil: (until) => `Abgelaufen ${until}.`,
  gateUntil: (until) => `Dieses Tor hat ${until} geschlossen.`,
  moment: (ms, timeZone, dated) =>
    `${time(ms, {
      timeZone,
      ...({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
      ...(dated && { year: 'numeric' }),
    })} Uhr`,
  end: (ms, timeZone, sameDay) =>
    sameDay
      ? `um ${time(ms, { timeZone, hour: '2-digit', minute: '2-digit' })} Uhr`
      : `am ${time(ms, { timeZone, day: 'numeric', month: 'long', year: 'numeric' })}`,
  phoneClock: (ms) =>
    `Die Uhr des Handys geht ${duration(Math.abs(ms))} ${ms < 0 ? 'vor' : 'nach'}: Uhrzeit auf automatisch stellen und Ticket neu öffnen lassen.`,
  stale: (ms) => `Dieser Code ist ${duration(ms)} alt: Ticket neu öffnen lassen. Keine Screenshots.`,
  sendToDesk: (what) => `${what} ${desk}`,
  askFirst: (what) => `Erst fragen: ${clause(what)}. Antwort in den Scanner eingeben oder zum Ticketschalter schicken.`,
  held: (why) => `Stopp: ${clause(why)}. Niemand darf hinein, bis die Leitstelle freigibt.`,
  unknown:
    'Kein Ticket für diese Veranstaltung. Code noch einmal versuchen. Hilft das nicht: zum Ticketschalter schicken.',
  cancelled: (reason) =>
    reason ? labelled('Storniert', reason, /\b(storn\w+|widerrufen|cancell?ed|revoked)\b/i) : 'Storniert.',
  notPaid: (detail) => labelled('Nicht bezahlt', detail, /\b(un)?bezahlt\b|\bpaid\b/i),
  blocked: (detail) => labelled('Gesperrt', detail, /^(gesperrt|blocked)\b/i),
}

function labelled(label: string, text: string, says: RegExp): string {
  return says.test(text) ? sentence(text) : `${label}: ${clause(text)}.`
}

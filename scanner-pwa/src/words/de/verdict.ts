/** Text on the screen of a verdict, beside its name, in German. */
import type { verdictSays as English } from '../en/verdict.ts'
import { speech } from './speech.ts'

const { ago, clock, duration } = speech

const desk = 'Zum Ticketschalter schicken.'

export const verdictSays: typeof English = {
  desk,
  orCall: (instruction) => `${instruction} Oder Teamleitung rufen.`,
  orPress: (instruction, button) => `${instruction} Oder „${button}“ drücken.`,
  undone: { fact: 'Dieser Einlass wurde zurückgenommen.', next: 'Das Ticket kann wieder benutzt werden.' },
  used: {
    at: (gate, seconds) => `Benutzt: ${gate}, ${seconds < 1 ? 'gerade eben' : ago(seconds * 1000)}.`,
    somewhere: 'Dieses Ticket wurde schon benutzt.',
    next: 'Nach einem anderen Ticket fragen.',
    detail: (checkpoint, ms) => `${checkpoint}, ${clock(ms)}`,
  },
  redirect: {
    to: (gate) => `Nicht hier, sondern: ${gate}.`,
    walk: (gate, seconds) =>
      `Nicht hier, sondern: ${gate}. Zu Fuß ${seconds < 60 ? 'unter einer Minute' : duration(seconds * 1000)}.`,
    next: (gate) => `Weiterschicken zu: ${gate}.`,
    somewhere: 'Dieses Ticket gilt an einem anderen Tor.',
    ask: 'Leitstelle fragen, an welchem.',
  },
  early: 'Gast bitten, um diese Zeit wiederzukommen.',
  stale: {
    old: (seconds) => `Dieser Code ist ${duration(seconds * 1000)} alt.`,
    outdated: 'Dieser Code ist veraltet.',
    next: 'Ticket neu öffnen lassen. Keine Screenshots.',
    clock: (seconds) =>
      `Die Uhr des Handys geht ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'vor' : 'nach'}. Das Ticket kann in Ordnung sein.`,
    clockNext: 'Uhrzeit auf automatisch stellen und Ticket neu öffnen lassen.',
  },
  cancelled: {
    unexplained: 'Dieses Ticket wurde storniert.',
    next: `Nicht einlassen. ${desk}`,
    detail: (ms) => `Storniert um ${clock(ms)} Uhr`,
  },
  orderOpen: 'die Bestellung ist nicht bezahlt',
  byShop: 'vom Ticketshop gesperrt',
  held: {
    fact: (why) => `${why} Das Ticket ist in Ordnung.`,
    next: 'Niemand darf hier hinein, bis die Leitstelle freigibt.',
  },
  times: (from, until) =>
    from === null
      ? `Einlass nur bis ${until}.`
      : until === null
        ? `Einlass ab ${from}.`
        : `Einlass von ${from} bis ${until}.`,
  letIn: (actor, reason) => `Eingelassen von ${actor}: ${reason}.`,
  known: {
    blocked: 'Vom Veranstalter gesperrt.',
    cancelled: 'Dieses Ticket wurde storniert.',
    cancelled_by_organiser: 'Vom Veranstalter storniert.',
    claimed: 'Dieses Ticket ist auf einem Handy. Den Code dort zeigen lassen, nicht den gedruckten.',
    claimed_elsewhere: 'Dieses Ticket ist auf einem anderen Handy. Den Code dort zeigen lassen.',
    code_replaced: 'Dieser Code wurde ersetzt. Das neue Ticket zeigen lassen.',
    every_gate_held: 'An allen Toren für dieses Ticket ist Einlassstopp.',
    no_gate: 'Kein Tor hier nimmt diese Ticketart.',
    no_order: 'Der Shop hat zu diesem Code keine Bestellung.',
    not_a_ticket: 'Das ist kein Ticket mehr.',
    not_approved: 'Vom Veranstalter nicht genehmigt und nicht bezahlt.',
    not_paid: 'Die Bestellung ist nicht bezahlt.',
    order_expired: 'Die Bestellung wurde nicht rechtzeitig bezahlt und ist verfallen.',
    other_date: 'Dieses Ticket ist für einen anderen Termin.',
    phone_only: 'Einlass nur mit dem Code auf dem Handy, nicht mit einem gedruckten.',
    refunded: 'Dieses Ticket wurde erstattet.',
    reissued: 'Dieses Ticket wurde am Ticketschalter neu ausgestellt. Den neuen Code zeigen lassen.',
    released: 'Dieses Ticket ist nicht mehr auf diesem Handy. Den Ticketlink neu öffnen lassen.',
  },
  unknown: {
    fact: 'Kein Ticket für diese Veranstaltung.',
    alone: 'Nicht in der Ticketliste dieses Handys.',
    next: 'Code noch einmal versuchen. Hilft das nicht: zum Ticketschalter schicken.',
  },
}

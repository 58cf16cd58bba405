/** The sentences about a ticket's details, in German. */
import type { askWords as English } from '../en/ask.ts'
import { speech } from './speech.ts'

const { count } = speech

export const askWords: typeof English = {
  attention: 'Achtung',
  attentionNoText: 'Dieses Ticket genau prüfen.',
  note: 'Notiz',
  addons: (names) => `Mit ${names.join(', ')}`,
  order: ({ inside, of }) => `Bestellung: ${inside} von ${of} drin`,
  ownScan: (n) => count(n, { one: '# weitere Person braucht eigenen Scan', other: '# weitere brauchen eigenen Scan' }),
  blind: 'Offline: Name, Notizen, Fragen und Bestellung fehlen hier.',

  askFirst: 'Erst fragen',
  waits: 'Gast warten lassen, bis das beantwortet ist.',
  questions: (n) => count(n, { one: '# Frage', other: '# Fragen' }),
  answer: 'Antworten',
  answerNamed: (what) => `Antworten: ${what}`,

  tray: {
    title: (n) => `${n} zu prüfen`,
    seen: 'Gesehen',
    seenNamed: (what) => `Gesehen: ${what}`,
    drop: (what) => `Ohne Antwort entfernen: ${what}`,
    waits: 'Wartet draußen',
  },

  form: {
    title: 'Fragen',
    submit: 'Senden',
    submitWaits: 'Senden und prüfen',
    later: 'Später',
    optional: 'freiwillig',
    yes: 'Ja',
    no: 'Nein',
    choose: 'Auswählen',
    notAskable: 'Auf diesem Handy nicht zu beantworten. Wenn es Pflicht ist: zum Ticketschalter schicken.',
    problems: {
      missing: 'Bitte beantworten.',
      must_be_yes: 'Nur Ja ist möglich. Sonst zum Ticketschalter schicken.',
      too_long: 'Zu lang. Bitte kürzen.',
      not_a_number: 'Eine Zahl eingeben.',
      not_an_option: 'Aus der Liste wählen.',
      not_a_date: 'Ein Datum eingeben.',
      not_a_time: 'Eine Uhrzeit eingeben, etwa 19:05.',
      not_a_country: 'Ein Land wählen.',
      not_a_phone: 'Eine Telefonnummer eingeben.',
      not_askable: 'Zum Ticketschalter schicken.',
    },
  },

  group: {
    admit: (n) => `${n} weitere dieser Bestellung einlassen`,
    title: 'Weitere dieser Bestellung',
    busy: 'Wird geprüft …',
    done: 'Fertig',
    again: 'Noch einmal',
    admitted: (n, of) => (n === of ? `${n} eingelassen.` : `${n} von ${of} eingelassen.`),
    takeBack: (n) => `Nummer ${n} zurücknehmen`,
  },
}

/** The sentences about a ticket's details, in Dutch: attention, questions, orders. */
import type { askWords as English } from '../en/ask.ts'
import { speech } from './speech.ts'

const { count } = speech

export const askWords: typeof English = {
  attention: 'Let op',
  attentionNoText: 'Controleer dit ticket goed.',
  note: 'Notitie',
  addons: (names) => `Met ${names.join(', ')}`,
  order: ({ inside, of }) => `${inside} van ${of} van deze bestelling zijn binnen`,
  ownScan: (n) =>
    count(n, { one: '# ander moet apart worden gescand', other: '# anderen moeten apart worden gescand' }),
  blind: 'Offline: naam, notities, vragen en bestelling niet zichtbaar.',

  askFirst: 'Eerst vragen',
  waits: 'Laat de persoon wachten tot dit beantwoord is.',
  questions: (n) => count(n, { one: '# vraag', other: '# vragen' }),
  answer: 'Beantwoorden',
  answerNamed: (what) => `Beantwoorden: ${what}`,

  tray: {
    title: (n) => `${n} te controleren`,
    seen: 'Gezien',
    seenNamed: (what) => `Gezien: ${what}`,
    drop: (what) => `Verwijderen zonder antwoord: ${what}`,
    waits: 'Wacht buiten',
  },

  form: {
    title: 'Vragen',
    submit: 'Versturen',
    submitWaits: 'Versturen en controleren',
    later: 'Later',
    optional: 'optioneel',
    yes: 'Ja',
    no: 'Nee',
    choose: 'Kies',
    notAskable: 'Dit kan niet op deze telefoon. Is het verplicht, stuur dan door naar de ticketbalie.',
    problems: {
      missing: 'Beantwoord dit nog.',
      must_be_yes: 'Alleen ja is goed. Anders: stuur door naar de ticketbalie.',
      too_long: 'Te lang. Maak het korter.',
      not_a_number: 'Typ een getal.',
      not_an_option: 'Kies uit de lijst.',
      not_a_date: 'Typ een datum.',
      not_a_time: 'Typ een tijd, zoals 19:05.',
      not_a_country: 'Kies een land.',
      not_a_phone: 'Typ een telefoonnummer.',
      not_askable: 'Stuur door naar de ticketbalie.',
    },
  },

  group: {
    admit: (n) => `Nog ${n} van deze bestelling binnenlaten`,
    title: 'Anderen van deze bestelling',
    busy: 'Controleren…',
    done: 'Klaar',
    again: 'Opnieuw proberen',
    admitted: (n, of) => (n === of ? `${n} binnengelaten.` : `${n} van ${of} binnengelaten.`),
    takeBack: (n) => `Nummer ${n} terugdraaien`,
  },
}

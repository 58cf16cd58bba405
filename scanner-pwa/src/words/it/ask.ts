/** The sentences about a ticket's details, in Italian: attention, questions, orders. */
import type { askWords as English } from '../en/ask.ts'
import { speech } from './speech.ts'

const { count } = speech

export const askWords: typeof English = {
  attention: 'Attenzione',
  attentionNoText: 'Controlla bene questo biglietto.',
  note: 'Nota',
  addons: (names) => `Con ${names.join(', ')}`,
  order: ({ inside, of }) => `Dentro ${inside} su ${of} di questo ordine`,
  ownScan: (n) => count(n, { one: '# altro biglietto da scansionare', other: '# altri biglietti da scansionare' }),
  blind: 'Offline: nome, note, domande e ordine non sono visibili.',

  askFirst: 'Prima chiedi',
  waits: 'Fai attendere la persona finché non hai risposto.',
  questions: (n) => count(n, { one: '# domanda', other: '# domande' }),
  answer: 'Rispondi',
  answerNamed: (what) => `Rispondi: ${what}`,

  tray: {
    title: (n) => `${n} da controllare`,
    seen: 'Visto',
    seenNamed: (what) => `Visto: ${what}`,
    drop: (what) => `Togli senza risposta: ${what}`,
    waits: 'In attesa fuori',
  },

  form: {
    title: 'Domande',
    submit: 'Invia',
    submitWaits: 'Invia e controlla',
    later: 'Più tardi',
    optional: 'facoltativo',
    yes: 'Sì',
    no: 'No',
    choose: 'Scegli',
    notAskable: 'A questa domanda qui non si può rispondere. Se è obbligatoria, manda in biglietteria.',
    problems: {
      missing: 'Serve una risposta.',
      must_be_yes: 'Vale solo il sì. Altrimenti manda in biglietteria.',
      too_long: 'Troppo lungo: accorcia.',
      not_a_number: 'Scrivi un numero.',
      not_an_option: 'Scegli dall’elenco.',
      not_a_date: 'Scrivi una data.',
      not_a_time: 'Scrivi un’ora, per esempio 19:05.',
      not_a_country: 'Scegli un Paese.',
      not_a_phone: 'Scrivi un numero di telefono.',
      not_askable: 'Manda in biglietteria.',
    },
  },

  group: {
    admit: (n) =>
      count(n, { one: 'Fai entrare un altro di questo ordine', other: 'Fai entrare altri # di questo ordine' }),
    title: 'Altri di questo ordine',
    busy: 'Controllo…',
    done: 'Fatto',
    again: 'Riprova',
    admitted: (n, of) => (n === of ? `Entrati: ${n}.` : `Entrati: ${n} su ${of}.`),
    takeBack: (n) => `Annulla l’ingresso numero ${n}`,
  },
}

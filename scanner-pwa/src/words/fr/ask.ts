/** The sentences about a ticket's details, in French: attention, questions, orders. */
import type { askWords as English } from '../en/ask.ts'
import { speech } from './speech.ts'

const { count } = speech

export const askWords: typeof English = {
  attention: 'Attention',
  attentionNoText: 'Vérifier ce billet de près.',
  note: 'Note',
  addons: (names) => `Avec ${names.join(', ')}`,
  order: ({ inside, of }) => `Commande : ${inside} sur ${of} déjà à l’intérieur`,
  ownScan: (n) => count(n, { one: '# autre à scanner à part', other: '# autres à scanner à part' }),
  blind: 'Hors ligne : nom, notes, questions et commande ne sont pas affichés.',

  askFirst: 'Demander d’abord',
  waits: 'Faire patienter jusqu’à la réponse.',
  questions: (n) => count(n, { one: '# question', other: '# questions' }),
  answer: 'Répondre',
  answerNamed: (what) => `Répondre : ${what}`,

  tray: {
    title: (n) => `${n} à vérifier`,
    seen: 'Vu',
    seenNamed: (what) => `Vu : ${what}`,
    drop: (what) => `Retirer sans réponse : ${what}`,
    waits: 'Attend dehors',
  },

  form: {
    title: 'Questions',
    submit: 'Envoyer',
    submitWaits: 'Envoyer et vérifier',
    later: 'Plus tard',
    optional: 'facultatif',
    yes: 'Oui',
    no: 'Non',
    choose: 'Choisir',
    notAskable: 'Impossible de répondre sur ce téléphone. Si c’est obligatoire, envoyer au guichet.',
    problems: {
      missing: 'Réponse obligatoire.',
      must_be_yes: 'Seul « oui » est accepté. Sinon, envoyer au guichet.',
      too_long: 'Trop long. Raccourcissez.',
      not_a_number: 'Saisissez un nombre.',
      not_an_option: 'Choisissez dans la liste.',
      not_a_date: 'Saisissez une date.',
      not_a_time: 'Saisissez une heure, par exemple 19:05.',
      not_a_country: 'Choisissez un pays.',
      not_a_phone: 'Saisissez un numéro de téléphone.',
      not_askable: 'Envoyer au guichet.',
    },
  },

  group: {
    admit: (n) => `Faire entrer ${n} de plus (même commande)`,
    title: 'Autres de cette commande',
    busy: 'Vérification…',
    done: 'Terminé',
    again: 'Réessayer',
    admitted: (n, of) =>
      n === of ? count(n, { one: '# personne entrée.', other: '# personnes entrées.' }) : `Entrées : ${n} sur ${of}.`,
    takeBack: (n) => `Annuler l’entrée n° ${n}`,
  },
}

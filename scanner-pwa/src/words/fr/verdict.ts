/** What the screen of a verdict says beside its name, in French: what it rests on, and what to do next. */
import type { verdictSays as English } from '../en/verdict.ts'
import { speech } from './speech.ts'

const { ago, clock, duration } = speech

const desk = 'Envoyer au guichet.'

export const verdictSays: typeof English = {
  desk,
  orCall: (instruction) => `${instruction} Ou appeler un responsable.`,
  orPress: (instruction, button) => `${instruction} Ou appuyer sur « ${button} ».`,
  undone: { fact: 'Cette entrée a été annulée.', next: 'Le billet peut resservir.' },
  used: {
    at: (gate, seconds) => `Utilisé : ${gate}, ${seconds < 1 ? 'à l’instant' : ago(seconds * 1000)}.`,
    somewhere: 'Ce billet a déjà servi.',
    next: 'Demander un autre billet.',
    detail: (checkpoint, ms) => `${checkpoint}, ${clock(ms)}`,
  },
  redirect: {
    to: (gate) => `Entrée par : ${gate}.`,
    walk: (gate, seconds) =>
      `Entrée par : ${gate}, ${seconds < 60 ? 'moins d’une minute' : duration(seconds * 1000)} à pied.`,
    next: (gate) => `Envoyer vers : ${gate}.`,
    somewhere: 'Ce billet entre par une autre porte.',
    ask: 'Demander laquelle au PC sécurité.',
  },
  early: 'Demander de revenir à ce moment-là.',
  stale: {
    old: (seconds) => `Ce code a ${duration(seconds * 1000)}.`,
    outdated: 'Ce code est périmé.',
    next: 'Faire rouvrir le billet. Pas de capture d’écran.',
    clock: (seconds) =>
      `Son téléphone a ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'd’avance' : 'de retard'}. Le billet est peut-être bon.`,
    clockNext: 'Faire mettre l’heure en automatique et rouvrir le billet.',
  },
  cancelled: {
    unexplained: 'Ce billet a été annulé.',
    next: `Ne pas laisser entrer. ${desk}`,
    detail: (ms) => `Annulé à ${clock(ms)}`,
  },
  orderOpen: 'la commande n’est pas payée',
  byShop: 'bloqué par la boutique',
  held: {
    fact: (why) => `${why} Le billet n’est pas en cause.`,
    next: 'Personne n’entre ici sans l’accord du PC sécurité.',
  },
  unknown: {
    fact: 'Pas un billet de cet événement.',
    alone: 'Pas dans la liste de ce téléphone.',
    next: 'Réessayer une fois le code. Sinon : envoyer au guichet.',
  },
}

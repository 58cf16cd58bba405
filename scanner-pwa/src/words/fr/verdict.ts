/** Text on the screen of a verdict, beside its name, in French: what it rests on, and what to do next. */
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
    to: (gate) => `Ce billet est pour : ${gate}.`,
    walk: (gate, seconds) =>
      `Ce billet est pour : ${gate}, ${seconds < 60 ? 'moins d’une minute' : duration(seconds * 1000)} à pied.`,
    next: (gate) => `Envoyer vers : ${gate}.`,
    somewhere: 'Ce billet est pour une autre porte.',
    ask: 'Demander laquelle au PC sécurité.',
  },
  early: 'Demander de revenir à ce moment-là.',
  stale: {
    old: (seconds) => `Ce code date de ${duration(seconds * 1000)}.`,
    outdated: 'Ce code est périmé.',
    next: 'Faire rouvrir le billet. Pas de capture d’écran.',
    clock: (seconds) =>
      `Son téléphone a ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'd’avance' : 'de retard'}. Le billet est peut-être bon.`,
    clockNext: 'Faire régler l’heure en automatique, puis rouvrir le billet.',
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
  times: (from, until) =>
    from === null
      ? `Pas d’entrée après : ${until}.`
      : until === null
        ? `Pas d’entrée avant : ${from}.`
        : `Seulement : ${from} – ${until}.`,
  letIn: (actor, reason) => `Entrée accordée par ${actor} : ${reason}.`,
  known: {
    blocked: 'Bloqué par l’organisateur.',
    cancelled: 'Ce billet a été annulé.',
    cancelled_by_organiser: 'Annulé par l’organisateur.',
    claimed: 'Ce billet est sur un téléphone. Demander le code affiché dessus, pas le code imprimé.',
    claimed_elsewhere: 'Ce billet est sur un autre téléphone. Demander à voir celui-là.',
    code_replaced: 'Ce code a été remplacé. Demander le nouveau billet.',
    every_gate_held: 'Entrées suspendues à toutes les portes de ce billet.',
    no_gate: 'Aucune porte ici n’accepte cette catégorie de billet.',
    no_order: 'La boutique n’a aucune commande avec ce code.',
    not_a_ticket: 'Ce n’est plus un billet.',
    not_approved: 'Pas validé par l’organisateur, et pas payé.',
    not_paid: 'La commande n’est pas payée.',
    order_expired: 'La commande a expiré avant d’être payée.',
    other_date: 'Ce billet est pour une autre date.',
    phone_only: 'Code imprimé refusé : demander le code sur le téléphone.',
    refunded: 'Ce billet a été remboursé.',
    reissued: 'Ce billet a été refait au guichet. Demander le nouveau code.',
    released: 'Ce billet n’est plus sur ce téléphone. Faire rouvrir le lien du billet.',
  },
  unknown: {
    fact: 'Pas un billet pour cet événement.',
    alone: 'Pas dans la liste de ce téléphone.',
    next: 'Réessayer le code une fois. Sinon, envoyer au guichet.',
  },
}

/** Texts of the screen Shop, in French. */
import type { shopWords as English } from '../en/shop.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { count } = speech
const { changes, seconds } = actionWords.hq

export const shopWords: typeof English = {
  lead: 'Le boîtier lit les billets de votre pretix, et lui dit qui est passé. Aucun scan n’attend ni l’un ni l’autre.',
  problem: 'La boutique configurée ne peut pas être suivie.',
  nothing: 'Aucune boutique connectée',
  nothingText:
    'Créez un jeton dans pretix (Organisateur → Appareils, ou Équipes), et tapez ceci là où le boîtier est installé. La commande indique l’étape suivante, et écrit ce qui manque.',
  command: 'gatehouse shop connect https://pretix.example -',
  copy: 'Copier la commande',
  database: 'Le boîtier suit la base de données d’une boutique',
  databaseText: 'Son avancement, et ce qui n’a pas pu être appliqué, est à l’écran Siège.',
  openHq: 'Ouvrir Siège',
  down: 'Réception : billets',
  up: 'Envoi : passages',
  downStates: {
    current: 'Connectée, à jour',
    first: 'Première lecture de toutes les commandes',
    away: 'Non connectée',
  },
  upStates: {
    begins: 'Commence quand toutes les commandes ont été lues une fois',
    current: 'À jour',
    behind: 'Rattrape son retard',
    asleep: 'Quelque chose attend une personne',
    waiting: 'pretix est injoignable pour l’instant',
    paused: 'Arrêté jusqu’à une intervention',
    other_box: 'Un autre boîtier de cet événement informe pretix',
  },
  source: 'Boutique',
  answered: 'Dernière réponse',
  failing: 'En échec depuis',
  changed: 'Dernier changement',
  lag: 'Retard',
  added: 'Billets ajoutés',
  ticketsChanged: 'Billets modifiés',
  compared: 'Dernière lecture complète',
  clocks: 'Écart des horloges',
  clocksText: (by) => `${seconds(Math.abs(by))} : réglez celle qui est fausse.`,
  seconds,
  reading: (page, pages) => `Lecture de toutes les commandes : page ${page}${pages === null ? '' : ` sur ${pages}`}.`,
  readingLabel: 'Commandes lues',
  soon: 'Toutes les commandes seront relues dans un instant.',
  notApplied: (n) =>
    `${count(n, { one: '# ligne de commande n’a pas pu devenir un billet', other: '# lignes de commande n’ont pas pu devenir des billets' })}. À corriger dans pretix ou dans pretix.yaml. La raison est à l’écran Siège.`,
  compare: 'Comparer maintenant',
  compareHint: 'Relit toutes les commandes, et trouve ce qui a été supprimé dans pretix.',
  comparing: 'Le boîtier relit toutes les commandes, sans gêner les portes.',
  sent: 'Envoyés depuis le démarrage du boîtier',
  sentAt: 'Dernier envoi',
  waiting: 'En attente d’envoi',
  waits: (waiting, asleep) =>
    asleep === 0 ? changes(waiting) : `${changes(waiting)}, dont ${asleep} jusqu’à un nouvel essai manuel`,
  queue: 'Ce qui attend',
  queueEmpty: 'Rien n’attend.',
  queueAt: 'À la porte',
  queueTicket: 'Billet',
  queueWhy: 'La boutique dit',
  queueNext: 'Prochain essai',
  queueAsleep: 'Réessayer',
  noTicket: 'aucun',
  notAsked: 'rien encore',
  retry: 'Réessayer',
  retryHint: 'Corrigez d’abord la cause. Ceci interroge ensuite pretix tout de suite, et renvoie ce qui attend.',
  retried: 'pretix est à nouveau interrogé.',
  conflicts: 'La boutique dit autre chose',
  noConflicts: 'Aucune anomalie ouverte : pretix a tout accepté tel quel.',
  someConflicts: (n) =>
    `${count(n, { one: '# anomalie ouverte', other: '# anomalies ouvertes' })} : quelqu’un est passé, et pretix n’était pas d’accord.`,
  openCases: 'Ouvrir les anomalies',
}

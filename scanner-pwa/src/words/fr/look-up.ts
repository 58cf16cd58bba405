/** The sentences of the look-up screen, in French. */
import type { lookUpWords as English } from '../en/look-up.ts'
import { speech } from './speech.ts'

export const lookUpWords: typeof English = {
  title: 'Chercher un billet',
  lead: 'Par nom, commande ou place. Votre nom est enregistré, pas ce que vous tapez.',
  field: 'Nom, commande ou place',
  hint: 'Au moins trois lettres ou chiffres.',
  find: 'Chercher',
  busy: 'Recherche…',
  few: 'Tapez au moins trois lettres ou chiffres.',
  offline: 'Ce téléphone est hors ligne, et seul le boîtier a les noms. Attendez, ou envoyez au guichet.',
  signOn: 'Identifiez-vous d’abord : chaque recherche est enregistrée avec un nom.',
  toShift: 'S’identifier sous Service',
  nothing: 'Aucun billet trouvé. Essayez avec moins de lettres du nom, ou envoyez au guichet.',
  reading: 'Le boîtier charge encore des billets. Il y en aura peut-être d’autres dans un instant.',
  more: 'Il y a d’autres résultats. Tapez plus de lettres du nom.',
  results: (n) => speech.count(n, { one: '# billet', other: '# billets' }),
  unnamed: 'Sans nom',
  order: (code) => `Commande ${code}`,
  states: { valid: 'Valable', pending: 'Non payé', blocked: 'Bloqué', revoked: 'Annulé' },
  inside: 'À l’intérieur',
  outside: 'Pas à l’intérieur',
}

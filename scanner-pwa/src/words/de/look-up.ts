/** The sentences of the look-up screen, in German. */
import type { lookUpWords as English } from '../en/look-up.ts'
import { speech } from './speech.ts'

export const lookUpWords: typeof English = {
  title: 'Ticket suchen',
  lead: 'Nach Name, Bestellung oder Platz. Gespeichert wird, wer sucht, nicht was.',
  field: 'Name, Bestellung oder Platz',
  hint: 'Mindestens drei Buchstaben oder Ziffern.',
  find: 'Suchen',
  busy: 'Suche läuft …',
  few: 'Mindestens drei Buchstaben oder Ziffern eingeben.',
  offline: 'Dieses Handy ist offline, und nur die Box hat die Namen. Warten oder zum Ticketschalter schicken.',
  signOn: 'Erst anmelden: Jede Suche wird mit Namen gespeichert.',
  toShift: 'Unter „Schicht“ anmelden',
  nothing: 'Kein Ticket gefunden. Weniger Buchstaben versuchen oder zum Ticketschalter schicken.',
  reading: 'Die Box lädt noch Tickets. Gleich können es mehr sein.',
  more: 'Es gibt noch mehr. Mehr vom Namen eingeben.',
  results: (n) => speech.count(n, { one: '# Ticket', other: '# Tickets' }),
  unnamed: 'Ohne Namen',
  order: (code) => `Bestellung ${code}`,
  states: { valid: 'Gültig', pending: 'Nicht bezahlt', blocked: 'Gesperrt', revoked: 'Storniert' },
  inside: 'Drin',
  outside: 'Nicht drin',
}

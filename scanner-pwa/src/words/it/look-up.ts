/** The sentences of the look-up screen, in Italian. */
import type { lookUpWords as English } from '../en/look-up.ts'
import { speech } from './speech.ts'

export const lookUpWords: typeof English = {
  title: 'Cerca un biglietto',
  lead: 'Per nome, ordine o posto. Si registra il tuo nome, non quello che scrivi.',
  field: 'Nome, ordine o posto',
  hint: 'Almeno tre lettere o cifre.',
  find: 'Cerca',
  busy: 'Ricerca…',
  few: 'Scrivi almeno tre lettere o cifre.',
  offline: 'Telefono offline, e i nomi li ha solo il box. Aspetta, o manda in biglietteria.',
  signOn: 'Prima accedi: ogni ricerca è registrata con un nome.',
  toShift: 'Accedi in Turno',
  nothing: 'Nessun biglietto trovato. Prova con meno lettere del nome, o manda in biglietteria.',
  reading: 'Il box sta ancora caricando i biglietti: tra poco possono essercene altri.',
  more: 'Ci sono altri risultati. Scrivi di più del nome.',
  results: (n) => speech.count(n, { one: '# biglietto', other: '# biglietti' }),
  unnamed: 'Senza nome',
  order: (code) => `Ordine ${code}`,
  states: { valid: 'Valido', pending: 'Non pagato', blocked: 'Bloccato', revoked: 'Revocato' },
  inside: 'Dentro',
  outside: 'Non dentro',
}

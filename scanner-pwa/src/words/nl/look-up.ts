/** The sentences of the look-up screen, in Dutch. */
import type { lookUpWords as English } from '../en/look-up.ts'
import { speech } from './speech.ts'

export const lookUpWords: typeof English = {
  title: 'Ticket opzoeken',
  lead: 'Op naam, bestelling of plaats. Je naam wordt vastgelegd; wat je typt niet.',
  field: 'Naam, bestelling of plaats',
  hint: 'Minstens drie letters of cijfers.',
  find: 'Zoeken',
  busy: 'Zoeken…',
  few: 'Typ minstens drie letters of cijfers.',
  offline: 'Deze telefoon is offline, en alleen de box heeft de namen. Wacht, of stuur door naar de ticketbalie.',
  signOn: 'Meld je eerst aan: elke zoekactie wordt met een naam vastgelegd.',
  toShift: 'Aanmelden onder Dienst',
  nothing: 'Geen ticket gevonden. Probeer minder letters, of stuur door naar de ticketbalie.',
  reading: 'De box laadt nog tickets. Straks kunnen er meer zijn.',
  more: 'Er zijn meer resultaten. Typ meer van de naam.',
  results: (n) => speech.count(n, { one: '# ticket', other: '# tickets' }),
  unnamed: 'Geen naam',
  order: (code) => `Bestelling ${code}`,
  states: { valid: 'Geldig', pending: 'Niet betaald', blocked: 'Geblokkeerd', revoked: 'Ingetrokken' },
  inside: 'Binnen',
  outside: 'Niet binnen',
}

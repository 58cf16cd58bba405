/** The sentences of the look-up screen, in English. A second language is a second file. */
import type { FoundTicket } from '@gatehouse/proto/wire/desk.ts'

export const lookUpWords = {
  title: 'Look up a ticket',
  lead: 'By name, order or seat. Your name is recorded; what you type is not.',
  field: 'Name, order or seat',
  hint: 'At least three letters or digits.',
  find: 'Look up',
  busy: 'Looking up…',
  few: 'Type at least three letters or digits.',
  offline: 'This phone is offline, and only the box has the names. Wait, or send to the ticket desk.',
  signOn: 'Sign in first: each look-up is recorded with a name.',
  toShift: 'Sign in under Shift',
  nothing: 'No ticket found. Try fewer letters of the name, or send to the ticket desk.',
  reading: 'The box is still loading tickets. There may be more in a moment.',
  more: 'There are more results. Type more of the name.',
  results: (n: number) => (n === 1 ? '1 ticket' : `${n} tickets`),
  unnamed: 'No name',
  order: (code: string) => `Order ${code}`,
  states: { valid: 'Valid', pending: 'Not paid', blocked: 'Blocked', revoked: 'Revoked' } satisfies Record<
    FoundTicket['state'],
    string
  >,
  inside: 'Inside',
  outside: 'Not inside',
}

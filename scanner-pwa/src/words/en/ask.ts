/** The sentences about a ticket's details, in English: attention, questions, orders. A second language is a second file. */
import type { AnswerProblem } from '@gatehouse/proto/questions.ts'
import type { OrderState } from '@gatehouse/proto/wire/scan.ts'

export const askWords = {
  attention: 'Attention',
  attentionNoText: 'Check this ticket closely.',
  note: 'Note',
  addons: (names: readonly string[]) => `With ${names.join(', ')}`,
  order: ({ inside, of }: Pick<OrderState, 'inside' | 'of'>) => `${inside} of ${of} of this order are inside`,
  ownScan: (n: number) => (n === 1 ? '1 other needs its own scan' : `${n} others need their own scan`),
  blind: 'Offline: name, notes, questions and order are not shown.',

  askFirst: 'Ask first',
  waits: 'Ask them to wait until this is answered.',
  questions: (n: number) => (n === 1 ? '1 question' : `${n} questions`),
  answer: 'Answer',
  answerNamed: (what: string) => `Answer: ${what}`,

  tray: {
    title: (n: number) => `${n} to check`,
    seen: 'Seen',
    seenNamed: (what: string) => `Seen: ${what}`,
    drop: (what: string) => `Remove without an answer: ${what}`,
    waits: 'Waiting outside',
  },

  form: {
    title: 'Questions',
    submit: 'Send',
    submitWaits: 'Send and check',
    later: 'Later',
    optional: 'optional',
    yes: 'Yes',
    no: 'No',
    choose: 'Choose',
    notAskable: 'This cannot be answered on this phone. If it is required, send to the ticket desk.',
    problems: {
      missing: 'Please answer this.',
      must_be_yes: 'Only yes is accepted. Otherwise, send to the ticket desk.',
      too_long: 'Too long. Please shorten it.',
      not_a_number: 'Type a number.',
      not_an_option: 'Choose from the list.',
      not_a_date: 'Type a date.',
      not_a_time: 'Type a time, such as 19:05.',
      not_a_country: 'Choose a country.',
      not_a_phone: 'Type a phone number.',
      not_askable: 'Send to the ticket desk.',
    } satisfies Record<AnswerProblem, string>,
  },

  group: {
    admit: (n: number) => `Admit ${n} more of this order`,
    title: 'Others of this order',
    busy: 'Checking…',
    done: 'Done',
    again: 'Try again',
    admitted: (n: number, of: number) => (n === of ? `${n} admitted.` : `${n} of ${of} admitted.`),
    takeBack: (n: number) => `Take back number ${n}`,
  },
}

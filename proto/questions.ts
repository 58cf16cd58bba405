/**
 * The questions that a shop wants asked at the door: which of them are still open, and whether an answer is one. Box and scanner
 * share it. Pure.
 */
import type { Question, Translated } from './wire/ticket-details.ts'

/** By question id: the answer as text. Yes and no are `true` and `false`, a choice is its option's id, several are joined by commas. */
export type Answers = Readonly<Record<string, string>>

/** Longest answers, in characters. */
export const MOST_ANSWER = 1000
const MOST_LINE = 250

/** Kinds that a scanner has no form for. A ticket is never kept out for one of them. */
export function isAskable({ kind }: Pick<Question, 'kind'>): boolean {
  return kind !== 'not_askable'
}

/**
 * The questions without an answer, in their order. One that depends on another question is open where that one has the answer that
 * it depends on.
 */
export function openQuestions(questions: readonly Question[], answers: Answers): Question[] {
  return questions.filter((question) => !(question.id in answers) && applies(question, questions, answers))
}

/** The questions without an answer on which an admission waits. */
export function blockingQuestions(questions: readonly Question[], answers: Answers): Question[] {
  return openQuestions(questions, answers).filter((question) => question.required && isAskable(question))
}

/** True where the answers so far make it a question for this person. A chain of questions ends where one of them does not apply. */
export function applies(question: Question, questions: readonly Question[], answers: Answers): boolean {
  let { depends_on: on } = question
  // A file that makes questions depend on each other in a circle asks none of them twice.
  for (let steps = 0; on && steps <= questions.length; steps++) {
    const { question: id, values } = on
    const parent = questions.find((one) => one.id === id)
    // The other question is no longer asked: nothing is left to depend on.
    if (!parent) return true
    const answer = answers[id]
    if (answer === undefined || !values.some((value) => says(parent, answer, value))) return false
    on = parent.depends_on
  }
  return true
}

/** True for an answer that is, or contains, this value. Shops write options by id or by text, and `True` for `true`. */
function says({ kind, options = [] }: Question, answer: string, value: string): boolean {
  if (kind === 'yes_no') return answer.toLowerCase() === value.toLowerCase()
  const of = (text: string) => options.find((option) => option.id === text || isText(option.text, text))?.id ?? text
  const given = kind === 'choices' ? answer.split(',').map((part) => part.trim()) : [answer]
  return given.some((one) => of(one) === of(value))
}

function isText(text: Translated, one: string): boolean {
  return typeof text === 'string' ? text === one : Object.values(text).includes(one)
}

export type AnswerProblem =
  | 'missing'
  | 'must_be_yes'
  | 'too_long'
  | 'not_a_number'
  | 'not_an_option'
  | 'not_a_date'
  | 'not_a_time'
  | 'not_a_country'
  | 'not_a_phone'
  | 'not_askable'

export type ReadAnswer = { text: string } | { problem: AnswerProblem }

/**
 * Reads what was typed or chosen.
 * @returns the answer in the form in which it is stored; an empty text for an optional question that was left out
 */
export function readAnswer(question: Question, typed: string): ReadAnswer {
  const text = printable(question.kind === 'text' ? typed.replace(/\s+/g, ' ') : typed)
    .normalize('NFC')
    .trim()
  if (!isAskable(question)) return { problem: 'not_askable' }
  if (text === '') return question.required ? { problem: 'missing' } : { text }
  if (!text.isWellFormed() || text.length > (question.kind === 'text' ? MOST_LINE : MOST_ANSWER)) {
    return { problem: 'too_long' }
  }
  return READERS[question.kind](text, question)
}

const is = (holds: boolean, text: string, problem: AnswerProblem): ReadAnswer => (holds ? { text } : { problem })

const READERS: Readonly<Record<Question['kind'], (text: string, question: Question) => ReadAnswer>> = {
  text: (text) => ({ text }),
  paragraph: (text) => ({ text }),
  number: (text) => {
    const point = text.replace(',', '.')
    return is(/^[+-]?\d{1,15}(?:\.\d{1,10})?$/.test(point), point, 'not_a_number')
  },
  // As the shop has it: a required yes or no is a box that has to be ticked.
  yes_no: (text, { required }) => {
    const said = text.toLowerCase()
    if (said !== 'true' && said !== 'false') return { problem: 'missing' }
    return is(said === 'true' || !required, said, 'must_be_yes')
  },
  choice: (text, { options = [] }) =>
    is(
      options.some(({ id }) => id === text),
      text,
      'not_an_option',
    ),
  choices: (text, { options = [] }) => {
    const chosen = new Set(text.split(',').map((part) => part.trim()))
    const known = options.filter(({ id }) => chosen.has(id)).map(({ id }) => id)
    return is(known.length === chosen.size, known.join(','), 'not_an_option')
  },
  date: (text) => is(isDate(text), text, 'not_a_date'),
  time: (text) => is(isTime(text), text.slice(0, 5), 'not_a_time'),
  datetime: (text) => {
    const [date = '', time = ''] = text.replace(' ', 'T').split('T')
    return is(isDate(date) && isTime(time), `${date}T${time.slice(0, 5)}`, 'not_a_date')
  },
  country: (text) => is(/^[A-Za-z]{2}$/.test(text), text.toUpperCase(), 'not_a_country'),
  phone: (text) => {
    const bare = text.replace(/[\s()./-]/g, '')
    return is(/^\+?\d{4,20}$/.test(bare), bare, 'not_a_phone')
  },
  not_askable: () => ({ problem: 'not_askable' }),
}

/** Without control characters, of which a line break alone is somebody's text. */
function printable(text: string): string {
  return [...text].filter((char) => char === '\n' || !/\p{Cc}/u.test(char)).join('')
}

/** `2026-11-22`, a day that the calendar has. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** `19:05`, with or without seconds. */
function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text)
}

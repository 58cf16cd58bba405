/**
 * Questions in the form of these apps, and their answers back. An app names a question by a number, and an option as well: the numbers
 * of what was asked are kept until the answers come.
 */
import type { AskedQuestion, GivenAnswers } from '@gatehouse/proto/wire/scan.ts'
import type { QuestionKind } from '@gatehouse/proto/wire/ticket-details.ts'
import { questionNumber } from './ids.ts'
import type { Asked } from './repeat.ts'

const TYPES: Readonly<Record<Exclude<QuestionKind, 'not_askable'>, string>> = {
  text: 'S',
  paragraph: 'T',
  number: 'N',
  yes_no: 'B',
  choice: 'C',
  choices: 'M',
  date: 'D',
  time: 'H',
  datetime: 'W',
  country: 'CC',
  phone: 'TEL',
}

/** A file cannot be asked for: the app would send the name of one on its own disk. */
export function answerable({ kind }: AskedQuestion): boolean {
  return kind !== 'not_askable'
}

/** With nothing else inside `question`: the official proxy had a field more there, and apps failed on it. */
export function askedInProxy(questions: readonly AskedQuestion[]): object[] {
  return forms(questions).map((form) => {
    const { id: server_id, position, required } = form
    return { question: { server_id, position, required, json_data: JSON.stringify(form) }, currentValue: '' }
  })
}

export function askedInShop(questions: readonly AskedQuestion[]): object[] {
  return forms(questions)
}

function forms(questions: readonly AskedQuestion[]) {
  return questions.filter(answerable).map((question, position) => {
    const { id, text, kind, required, options = [], depends_on, problem } = question
    const boolean = (value: string) => (value.toLowerCase() === 'true' ? 'True' : 'False')
    const parent = depends_on && questions.find((one) => one.id === depends_on.question)
    const inShop = (value: string) => {
      if (parent?.kind === 'yes_no') return boolean(value)
      return parent?.options?.some((option) => option.id === value) ? identifierOf(value) : value
    }
    return {
      id: questionNumber(id),
      question: { en: problem === undefined ? text : `${text} (${problem})` },
      type: kind === 'not_askable' ? 'S' : TYPES[kind],
      identifier: `Q${questionNumber(id)}`,
      position,
      required,
      ...{ ask_during_checkin: true, show_during_checkin: false, hidden: false, items: [], help_text: {} },
      // Never null, also where there are none: an app that reads it fails.
      options: options.map((option, i) => ({
        id: questionNumber(option.id),
        identifier: identifierOf(option.id),
        position: i,
        answer: { en: option.text },
      })),
      dependency_question: depends_on ? questionNumber(depends_on.question) : null,
      dependency_value: null,
      dependency_values: depends_on ? depends_on.values.map(inShop) : [],
      ...{ valid_number_min: null, valid_number_max: null, valid_date_min: null, valid_date_max: null },
      ...{
        valid_datetime_min: null,
        valid_datetime_max: null,
        valid_file_portrait: false,
        valid_string_length_max: null,
      },
    }
  })
}

function identifierOf(option: string): string {
  return `O${questionNumber(option)}`
}

/** Meaning of the numbers, until the answers come. */
export function numbersOf(scanId: string, questions: readonly AskedQuestion[]): Asked {
  return {
    scanId,
    questions: new Map(
      questions.map(({ id, options = [] }) => [
        questionNumber(id),
        { id, options: new Map(options.map((option) => [questionNumber(option.id), option.id])) },
      ]),
    ),
  }
}

/** Answers by the app's numbers. One to a question that nobody asked is left out, and the box asks again where it has to. */
export function answersFrom(given: Iterable<readonly [number, string]>, asked: Asked | undefined): GivenAnswers {
  return [...given].flatMap(([number, value]) => {
    const question = asked?.questions.get(number)
    if (!question) return []
    const { id, options } = question
    const optionOf = (text: string) => options.get(Number(text.trim())) ?? text
    const answer = options.size > 0 ? value.split(',').map(optionOf).join(',') : plain(value)
    return [{ question: id, answer: answer.slice(0, 1000) }]
  })
}

/** A date with a time may come with seconds and an offset: people mean the clock on the wall. */
function plain(value: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? value.slice(0, 16) : value
}

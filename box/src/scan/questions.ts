/** The questions of a ticket at a gate: which are open, which of the answers that a scan brings are some, and what the scanner is asked. */
import {
  type AnswerProblem,
  type Answers,
  applies,
  isAskable,
  openQuestions,
  readAnswer,
} from '@gatehouse/proto/questions.ts'
import type { AskedQuestion, GivenAnswers } from '@gatehouse/proto/wire/scan.ts'
import { type Question, textIn } from '@gatehouse/proto/wire/ticket-details.ts'

/** The questions that one verdict has room for, in characters of JSON: the other boxes take no answer of more than 16,384. */
const MOST_ASKED = 8_000
const MOST_TEXT = 200

/** Questions about a ticket, and the answers that are known. */
export interface Asking {
  questions: readonly Question[]
  /** Answers that the shop or another gate has already. */
  known: Answers
  /** Answers of this scan to open questions, in the form in which they are stored. */
  given: Answers
  problems: ReadonlyMap<string, AnswerProblem>
}

/** Reads the answers of a scan. One to a question that is not open, or that is none, is left out. */
export function askingOf(all: readonly Question[], known: Answers, sent: GivenAnswers = []): Asking {
  const questions = all.map(withinBounds)
  const typed = new Map(sent.map(({ question, answer }) => [question, answer]))
  const given: Record<string, string> = {}
  const problems = new Map<string, AnswerProblem>()
  // A question may depend on a later one: each round settles at least one more.
  for (let before = -1; before < Object.keys(given).length; ) {
    before = Object.keys(given).length
    for (const question of openQuestions(questions, { ...known, ...given })) {
      const text = typed.get(question.id)
      if (text === undefined || problems.has(question.id)) continue
      const read = readAnswer(question, text)
      if ('problem' in read) problems.set(question.id, read.problem)
      else if (read.text !== '') given[question.id] = read.text
    }
  }
  return { questions, known, given, problems }
}

/** The texts of the questions on which the admission waits. */
export function unansweredTexts({ questions, known, given }: Asking): string[] {
  const open = openQuestions(questions, { ...known, ...given })
  return open.filter((question) => question.required && isAskable(question)).map(({ text }) => textIn(text))
}

/**
 * Questions for the scanner, as many as a verdict has room for: the others are asked after that. Includes questions that depend on
 * others of the list.
 */
export function askedQuestions({ questions, known, given, problems }: Asking): AskedQuestion[] {
  const answers = { ...known, ...given }
  const open = questions.filter((one) => !(one.id in answers) && mayApply(one, questions, answers))
  const listed = new Set(open.map(({ id }) => id))
  const asked: AskedQuestion[] = []
  let size = 0
  for (const question of open) {
    const { id, text, kind, required, options, depends_on } = question
    const problem = problems.get(id)
    const one: AskedQuestion = {
      id,
      text: textIn(text),
      kind,
      required,
      ...(options && { options: options.map((option) => ({ id: option.id, text: textIn(option.text) })) }),
      ...(depends_on && listed.has(depends_on.question) && { depends_on }),
      ...(problem && { problem: PROBLEMS[problem] }),
    }
    size += JSON.stringify(one).length
    if (size > MOST_ASKED) break
    asked.push(one)
  }
  return asked
}

/** It applies, or it does once an open question gets the answer that it depends on. */
function mayApply(question: Question, questions: readonly Question[], answers: Answers): boolean {
  if (applies(question, questions, answers)) return true
  const parent = questions.find(({ id }) => id === question.depends_on?.question)
  return (
    parent !== undefined && !(parent.id in answers) && isAskable(parent) && parentMayApply(parent, questions, answers)
  )
}

function parentMayApply(parent: Question, questions: readonly Question[], answers: Answers): boolean {
  const seen = new Set<string>()
  for (let at: Question | undefined = parent; at && !seen.has(at.id); ) {
    if (applies(at, questions, answers)) return true
    seen.add(at.id)
    const { depends_on }: Question = at
    at = questions.find(({ id }) => id === depends_on?.question && !(id in answers))
  }
  return false
}

/** A question that no verdict has room for is named, and keeps nobody out. */
function withinBounds(question: Question): Question {
  if (JSON.stringify(question).length <= MOST_ASKED / 2) return question
  const { id, text, required } = question
  return { id, text: textIn(text).slice(0, MOST_TEXT), kind: 'not_askable', required }
}

const PROBLEMS: Readonly<Record<AnswerProblem, string>> = {
  missing: 'Answer this one.',
  must_be_yes: 'The answer must be yes. If it is not, send to the ticket desk.',
  too_long: 'Too long: shorten it.',
  not_a_number: 'Type a number.',
  not_an_option: 'Choose from the list.',
  not_a_date: 'Type a date.',
  not_a_time: 'Type a time, such as 19:05.',
  not_a_country: 'Type the two letters of the country, such as PT.',
  not_a_phone: 'Type a phone number.',
  not_askable: 'This cannot be answered here: send to the ticket desk if it is needed.',
}

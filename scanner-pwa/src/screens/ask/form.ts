/** The questions of a form: which are shown, what is wrong with what was typed, what is sent. Pure. */
import { type AnswerProblem, type Answers, applies, isAskable, readAnswer } from '@gatehouse/proto/questions.ts'
import type { AskedQuestion } from '@gatehouse/proto/wire/scan.ts'

/** In their order; one that depends on another question only where that one has the answer. */
export function shownQuestions(questions: readonly AskedQuestion[], draft: Answers): AskedQuestion[] {
  return questions.filter((question) => applies(question, questions, draft))
}

/** Problems that keep the form from being sent, by question. */
export function problemsOf(questions: readonly AskedQuestion[], draft: Answers): ReadonlyMap<string, AnswerProblem> {
  return new Map(
    shownQuestions(questions, draft).flatMap((question): [string, AnswerProblem][] => {
      const read = isAskable(question) ? readAnswer(question, draft[question.id] ?? '') : { text: '' }
      return 'problem' in read ? [[question.id, read.problem]] : []
    }),
  )
}

/** Answers to send, without those to questions that are no longer shown. */
export function answersOf(questions: readonly AskedQuestion[], draft: Answers): Answers {
  return Object.fromEntries(
    shownQuestions(questions, draft).flatMap((question) => {
      const read = isAskable(question) ? readAnswer(question, draft[question.id] ?? '') : { text: '' }
      return 'text' in read && read.text !== '' ? [[question.id, read.text]] : []
    }),
  )
}

/** The ids that are chosen, joined by commas, with this one chosen or not. */
export function choose(answer: string, id: string, isChosen: boolean): string {
  const others = answer.split(',').filter((one) => one !== '' && one !== id)
  return [...others, ...(isChosen ? [id] : [])].join(',')
}

/** Combinations of two letters that the engine names and that are no country (CLDR). */
const NO_COUNTRY = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** Every country by its two letters, as the engine names it, in the order of the names. */
export function countries(language = 'en'): { id: string; text: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((id) => {
      const text = NO_COUNTRY.has(id) ? undefined : names.of(id)
      return text === undefined ? [] : [{ id, text }]
    })
    .sort((a, b) => a.text.localeCompare(b.text, language))
}

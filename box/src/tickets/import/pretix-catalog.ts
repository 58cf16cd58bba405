/**
 * Items and questions of pretix, as its API and its export "Order data (JSON)" have them.
 * https://docs.pretix.eu/dev/api/resources/items.html and .../questions.html
 */
import type { Product, Question, QuestionKind } from '@gatehouse/proto/wire/ticket-details.ts'
import { id, isObject, type Json, languages, list, objects, text, translations, words } from './pretix-json.ts'

const MOST_QUESTIONS = 200
const MOST_OPTIONS = 500
const LONGEST_ID = 200
const LONGEST_LANGUAGE = 20

/** pretix's types of questions. A file cannot be asked for at a gate. */
const KINDS: ReadonlyMap<unknown, QuestionKind> = new Map([
  ['N', 'number'],
  ['S', 'text'],
  ['T', 'paragraph'],
  ['B', 'yes_no'],
  ['C', 'choice'],
  ['M', 'choices'],
  ['F', 'not_askable'],
  ['D', 'date'],
  ['H', 'time'],
  ['W', 'datetime'],
  ['CC', 'country'],
  ['TEL', 'phone'],
])

interface Sold {
  names: readonly string[]
  attention: boolean
  note: string
}

interface Item extends Sold {
  /** True where people enter with it: pretix knows that of every product. */
  admission: boolean
  variations: ReadonlyMap<string, Sold>
}

interface KnownQuestion extends Question {
  /** Of products that it is asked of at check-in. */
  items: ReadonlySet<string>
  /** Ids of its options by their identifiers and texts. */
  optionIds: ReadonlyMap<string, string>
}

export class PretixCatalog {
  readonly #items: ReadonlyMap<string, Item>
  readonly #questions: ReadonlyMap<string, KnownQuestion>
  readonly #sold = new Map<string, Product>()

  constructor(items: readonly Json[], questions: readonly Json[]) {
    this.#items = new Map(items.flatMap(itemOf))
    const known = questions.toSorted((a, b) => Number(a.position ?? 0) - Number(b.position ?? 0)).flatMap(questionOf)
    this.#questions = new Map(known.map((question) => [question.id, question]))
  }

  item(item: string): Item | undefined {
    return this.#items.get(item)
  }

  /** Undefined for an item that is not known. The same object for the same product. */
  product(item: string, variation: string | undefined): Product | undefined {
    const known = this.#items.get(item)
    if (!known) return undefined
    const key = `${item}/${variation}`
    const product = this.#sold.get(key) ?? this.#describe(item, known, known.variations.get(variation ?? ''))
    this.#sold.set(key, product)
    return product
  }

  /** An answer in the form of `Question`. Undefined where there is none, and for a file. */
  answer(given: Json): [question: string, answer: string] | undefined {
    const question = id(isObject(given.question) ? given.question.id : given.question)
    if (question === undefined || question.length > LONGEST_ID) return undefined
    const answer = formOf(this.#questions.get(question), given)
    return answer === '' ? undefined : [question, answer]
  }

  #describe(item: string, { names, admission, ...own }: Item, variation: Sold | undefined): Product {
    const note = [words(own.note), words(variation?.note)].filter(Boolean).join(' · ')
    const asked = [...this.#questions.values()].filter(({ items }) => items.has(item)).slice(0, MOST_QUESTIONS)
    return {
      name: words(names[0]) || `item:${item}`,
      ...(variation?.names[0] ? { variation: words(variation.names[0]) } : {}),
      attention: own.attention || variation?.attention === true,
      ...(note ? { note: words(note) } : {}),
      admission,
      questions: asked.map((question) => this.#asked(question)),
    }
  }

  /** Without what only this file knows of it. */
  #asked({ items, optionIds, depends_on, ...question }: KnownQuestion): Question {
    if (!depends_on) return question
    const other = this.#questions.get(depends_on.question)
    const values = depends_on.values.map((value) =>
      other?.kind === 'yes_no' ? value.toLowerCase() : (other?.optionIds.get(value) ?? value),
    )
    return { ...question, depends_on: { question: depends_on.question, values } }
  }
}

function soldOf(value: Json, name: unknown): Sold {
  return { names: translations(name), attention: value.checkin_attention === true, note: text(value.checkin_text) }
}

function itemOf(value: Json): [string, Item][] {
  const item = id(value.id)
  if (item === undefined) return []
  const variations = objects(value.variations).flatMap((entry): [string, Sold][] => {
    const variation = id(entry.id)
    return variation === undefined ? [] : [[variation, soldOf(entry, entry.value ?? entry.name)]]
  })
  return [
    [item, { ...soldOf(value, value.name), admission: value.admission !== false, variations: new Map(variations) }],
  ]
}

function questionOf(value: Json): KnownQuestion[] {
  const question = id(value.id)
  const kind = KINDS.get(value.type) ?? 'not_askable'
  if (question === undefined || question.length > LONGEST_ID) return []
  const given = objects(value.options).flatMap((option) => {
    const key = id(option.id)
    return key === undefined ? [] : [{ key, option }]
  })
  const options = given.slice(0, MOST_OPTIONS).map(({ key, option }) => ({ id: key, text: translated(option.answer) }))
  const names = given.flatMap(({ key, option }): [string, string][] =>
    [id(option.identifier) ?? '', ...translations(option.answer)].map((name) => [name, key]),
  )
  const other = id(value.dependency_question)
  const values = list(value.dependency_values).map(words).slice(0, MOST_OPTIONS)
  return [
    {
      id: question,
      text: translated(value.question),
      kind,
      required: value.required === true,
      ...(kind === 'choice' || kind === 'choices' ? { options } : {}),
      ...(other !== undefined && values.length > 0 ? { depends_on: { question: other, values } } : {}),
      items: new Set(value.ask_during_checkin === true ? list(value.items).map(String) : []),
      optionIds: new Map(names),
    },
  ]
}

function translated(value: unknown): Question['text'] {
  const all = languages(value).filter(([language]) => language.length <= LONGEST_LANGUAGE)
  const texts = all.map(([language, one]) => [language, words(one)] as const)
  if (texts.length === 1 || !isObject(value)) return texts[0]?.[1] ?? ''
  return Object.fromEntries(texts)
}

function formOf(question: KnownQuestion | undefined, { answer, options }: Json): string {
  const given = words(answer)
  const chosen = list(options).map(String).join(',')
  switch (question?.kind) {
    case undefined:
      return words(chosen) || (given.startsWith('file://') ? '' : given)
    case 'not_askable':
      return ''
    case 'yes_no':
      return given.toLowerCase()
    case 'choice':
      return words(chosen) || (question.optionIds.get(given) ?? given)
    case 'choices':
      return (
        words(chosen) ||
        given
          .split(', ')
          .map((one) => question.optionIds.get(one) ?? one)
          .join(',')
      )
    case 'time':
      return given.replace(/^(\d\d:\d\d):\d\d.*$/, '$1')
    default:
      return given
  }
}

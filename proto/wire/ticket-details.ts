/**
 * Details that a shop gives of a ticket beyond what a gate needs: its order, its product with questions, and personal details. The box stores
 * `Product`, `TicketPersonal` and `TicketExtra` as JSON; all three are open, because a newer box or shop may add fields.
 */
import { type Static, Type } from 'typebox'

/** The longest text of a product, a question or an answer, in UTF-16 units. */
export const LONGEST_DETAIL = 2_000

const Id = Type.String({ minLength: 1, maxLength: 200 })
const Words = Type.String({ maxLength: LONGEST_DETAIL })

/** One text, or one for each language by its code (`en`, `de-informal`), as the shop has it. `textIn` picks one. */
export const Translated = Type.Union([Words, Type.Record(Type.String({ minLength: 1, maxLength: 20 }), Words)])
export type Translated = Static<typeof Translated>

/** Forms of an answer; a scanner cannot ask for `not_askable`, such as a file. */
export const QUESTION_KINDS = [
  'text',
  'paragraph',
  'number',
  'yes_no',
  'choice',
  'choices',
  'date',
  'time',
  'datetime',
  'country',
  'phone',
  'not_askable',
] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

/**
 * A question of a product, and the form of its answer, which is always one text: `yes_no` is `true` or `false`; `choice` is the id
 * of an option, `choices` are ids with commas between them; `number` has a decimal point; `date` is `2026-07-04`, `time` `18:30`,
 * `datetime` ISO 8601; `country` two capital letters; `phone` as it was typed.
 */
export const Question = Type.Object({
  id: Id,
  text: Translated,
  kind: Type.Enum([...QUESTION_KINDS]),
  required: Type.Boolean(),
  /** Of `choice` and `choices`. */
  options: Type.Optional(Type.Array(Type.Object({ id: Id, text: Translated }), { maxItems: 500 })),
  /** It is asked only where the answer to this question is one of the values. */
  depends_on: Type.Optional(Type.Object({ question: Id, values: Type.Array(Words, { maxItems: 500 }) })),
})
export type Question = Static<typeof Question>

/** Product that a ticket was sold as. It names nobody. */
export const Product = Type.Object({
  name: Words,
  variation: Type.Optional(Words),
  /** Asks to look at the holder: shown with `note`. */
  attention: Type.Boolean(),
  /** Text for whoever looks at the ticket. */
  note: Type.Optional(Words),
  /** True where people enter with it; camping and parking are no admission. */
  admission: Type.Boolean(),
  /** Only those that are asked at the gate. */
  questions: Type.Array(Question, { maxItems: 200 }),
})
export type Product = Static<typeof Product>

/** Personal details from the shop. Erased with the names. */
export const TicketPersonal = Type.Object({
  company: Type.Optional(Words),
  phone: Type.Optional(Words),
  /** The comment for the door, of the order and of the position. */
  note: Type.Optional(Words),
  /** Answers so far, by question's id, in the form of its kind. */
  answers: Type.Optional(Type.Record(Id, Words)),
})
export type TicketPersonal = Static<typeof TicketPersonal>

/** An add-on that is no ticket, on the ticket that it was sold with. */
export const TicketExtra = Type.Object({
  /** Its number in the order; null where the shop has none. */
  position: Type.Union([Type.Integer(), Type.Null()]),
  /** Key of its product. */
  product: Id,
})
export type TicketExtra = Static<typeof TicketExtra>

/** One of the languages of a text: the wanted one, English, or the first that is there. */
export function textIn(text: Translated, language = 'en'): string {
  if (typeof text === 'string') return text
  const of = (code: string) => (Object.hasOwn(text, code) ? text[code] : undefined)
  return of(language) || of('en') || Object.values(text).find((one) => one !== '') || ''
}

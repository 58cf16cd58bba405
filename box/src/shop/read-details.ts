/** Reads the details of a ticket from a row of the shop. Pure. A detail that cannot be read is left out, and the ticket counts without it. */
import {
  LONGEST_DETAIL,
  Question,
  type TicketPersonal,
  Translated,
  textIn,
} from '@gatehouse/proto/wire/ticket-details.ts'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type DetailFields, NO_DETAILS } from '../tickets/details.ts'
import { detailFields, productKey, productText } from '../tickets/import/details.ts'
import { plainText, type Sentence } from '../tickets/import/row.ts'
import type { NewProduct } from '../tickets/products.ts'
import { folded } from './compile-mapping.ts'
import { type ColumnRef, columnOf, type DetailMapping, type TextOf } from './mapping.ts'

interface ReadDetails {
  /** Those alone that the mapping names. */
  fields: Partial<DetailFields>
  product: NewProduct | undefined
  /** A sentence about each detail that could not be read; it quotes nothing of the row. */
  leftOut: readonly string[]
}

const YES = new Set(['t', '1', 'yes', 'y', 'on'])
const Questions = Type.Array(Question, { maxItems: 200 })
const Answers = Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.String({ maxLength: LONGEST_DETAIL }))

export function readDetails(mapping: DetailMapping, textOf: TextOf): ReadDetails {
  return new Reading(mapping, textOf).read()
}

class Reading {
  readonly #mapping: DetailMapping
  readonly #textOf: TextOf
  readonly #leftOut: string[] = []

  constructor(mapping: DetailMapping, textOf: TextOf) {
    this.#mapping = mapping
    this.#textOf = textOf
  }

  read(): ReadDetails {
    const { orderCode, position, addonTo, price, attention, product: sold, personal } = this.#mapping
    const product = this.#product()
    const warn = ({ reason }: Sentence) => void this.#leftOut.push(reason)
    const all = detailFields(
      {
        ...(product && { sold: { key: product.key } }),
        orderCode: this.#text(orderCode),
        position: this.#number(position),
        addonTo: this.#number(addonTo),
        price: this.#price(),
        attention: this.#isYes(attention),
        personal: this.#personal(),
      },
      warn,
    )
    const named = {
      ...{ orderCode, position, addonTo, price, attention },
      product: sold,
      personal: Object.keys(personal).length > 0 || undefined,
    }
    const fields = Object.keys(NO_DETAILS).filter((name) => named[name as keyof typeof named] !== undefined)
    return {
      fields: Object.fromEntries(fields.map((name) => [name, all[name as keyof DetailFields]])),
      product,
      leftOut: this.#leftOut,
    }
  }

  #product(): NewProduct | undefined {
    const { product: columns } = this.#mapping
    const name = columns && this.#translated(columns.name)
    if (!name) return undefined
    const variation = this.#translated(columns.variation)
    const note = this.#translated(columns.note)
    const product = {
      name,
      ...(variation && { variation }),
      attention: this.#isYes(columns.attention),
      ...(note && { note }),
      admission: true,
      questions: this.#json(columns.questions, Questions, 'a list of questions') ?? [],
    }
    const warn = ({ reason }: Sentence) => void this.#leftOut.push(reason)
    return { key: productKey(variation ? `${name}, ${variation}` : name), product: productText(product, warn) }
  }

  #personal(): TicketPersonal {
    const { company, phone, note, answers } = this.#mapping.personal
    const texts = { company: this.#text(company), phone: this.#text(phone), note: this.#text(note) }
    const given = this.#json(answers, Answers, 'an object with a text for each question')
    return {
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
      ...(given && { answers: given }),
    }
  }

  #price(): string | undefined {
    const { price } = this.#mapping
    const amount = this.#text(price?.ref)
    return amount && price?.currency ? `${amount} ${price.currency}` : amount
  }

  /** Undefined for NULL and for an empty text. */
  #text(ref: ColumnRef | undefined): string | undefined {
    return (ref && plainText(this.#textOf(ref) ?? '')) || undefined
  }

  /** A text, or one of its languages: pretix stores both forms in the same column. */
  #translated(ref: ColumnRef | undefined): string | undefined {
    const text = this.#text(ref)
    const languages = text?.startsWith('{') ? parsed(text, Translated) : undefined
    const one = languages === undefined ? text : plainText(textIn(languages))
    return one?.slice(0, LONGEST_DETAIL).toWellFormed() || undefined
  }

  #number(ref: ColumnRef | undefined): number | undefined {
    const text = this.#text(ref)
    if (!ref || text === undefined) return undefined
    if (/^\d{1,15}$/.test(text)) return Number(text)
    return this.#leaveOut(ref, 'a whole number')
  }

  #isYes(ref: ColumnRef | undefined): boolean {
    return ref !== undefined && YES.has(folded(this.#textOf(ref) ?? ''))
  }

  #json<T extends TSchema>(ref: ColumnRef | undefined, schema: T, wanted: string): Static<T> | undefined {
    const text = ref && this.#textOf(ref)?.trim()
    if (!ref || !text) return undefined
    return parsed(text, schema) ?? this.#leaveOut(ref, `${wanted} as JSON`)
  }

  #leaveOut(ref: ColumnRef, wanted: string): undefined {
    this.#leftOut.push(`${columnOf(ref)} is not ${wanted}: the ticket is applied without it`)
  }
}

function parsed<T extends TSchema>(json: string, schema: T): Static<T> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Value.Check(schema, value) ? (value as Static<T>) : undefined
  } catch {
    return undefined
  }
}

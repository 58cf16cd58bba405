/** Turns the details that a shop gives into columns of the ticket's row, within bounds that hold at every box. */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import {
  LONGEST_DETAIL,
  type Product,
  type TicketExtra,
  type TicketPersonal,
} from '@gatehouse/proto/wire/ticket-details.ts'
import { type DetailFields, NO_DETAILS } from '../details.ts'
import { plainText, type Sentence, type ShopDetails, sentence } from './row.ts'

/** UTF-16 units of `personal`, of `extras` and of a product as JSON: `mesh/replication/ticket-row.ts` has the same bounds. */
export const LONGEST_PERSONAL = 16_384
export const LONGEST_PRODUCT = 65_536
const LONGEST_KEY = 200
const MOST_EXTRAS = 100

export const SHORTENED = sentence('text_shortened', 'A long text was shortened.')
const NO_ANSWERS = sentence('answers_left_out', 'The answers are too long to keep, and were left out.')
const NO_QUESTIONS = sentence(
  'questions_left_out',
  'The questions of a product are too long to keep, and were left out.',
)

/** @param warn is told in a sentence what was cut off */
export function detailFields(details: ShopDetails | undefined, warn: (said: Sentence) => void): DetailFields {
  if (details === undefined) return NO_DETAILS
  const { sold, orderCode, position, addonTo, price, attention, personal } = details
  return {
    product: sold ? productKey(sold.key) : null,
    orderCode: cut(orderCode, LONGEST_KEY, warn),
    position: numberOf(position),
    addonTo: numberOf(addonTo),
    price: cut(price, LONGEST_KEY, warn),
    attention: attention === true ? 1 : null,
    personal: personal ? personalOf(personal, warn) : null,
    extras: null,
  }
}

/** The key of a product as rows have it: of a CSV, the product's name on one line. */
export function productKey(key: string): string {
  return plainText(key).slice(0, LONGEST_KEY).toWellFormed()
}

/** In the same form whatever the order of the file. */
export function extrasOf(extras: readonly TicketExtra[]): string {
  const sorted = extras.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.product < b.product ? -1 : 1))
  return canonicalJson(sorted.slice(0, MOST_EXTRAS))
}

/** A product as it is stored. */
export function productText(product: Product, warn: (said: Sentence) => void): string {
  const whole = canonicalJson(product)
  if (whole.length <= LONGEST_PRODUCT) return whole
  warn(NO_QUESTIONS)
  return canonicalJson({ ...product, questions: [] })
}

function personalOf({ answers, ...personal }: TicketPersonal, warn: (said: Sentence) => void): string | null {
  const texts = Object.entries(personal).flatMap(([name, value]) => {
    const kept = cut(value, LONGEST_DETAIL, warn)
    return kept === null ? [] : [[name, kept]]
  })
  const kept = Object.fromEntries(texts)
  if (answers === undefined) return texts.length === 0 ? null : canonicalJson(kept)
  const whole = canonicalJson({ ...kept, answers })
  if (whole.length <= LONGEST_PERSONAL) return whole
  warn(NO_ANSWERS)
  return personalOf(personal, warn)
}

function cut(text: string | undefined, longest: number, warn: (said: Sentence) => void): string | null {
  if (!text) return null
  const plain = plainText(text)
  if (plain.length > longest) warn(SHORTENED)
  return plain.slice(0, longest).toWellFormed() || null
}

function numberOf(number: number | undefined): number | null {
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : null
}

function placeOf({ position }: TicketExtra): number {
  return position ?? Number.MAX_SAFE_INTEGER
}

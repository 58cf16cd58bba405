/** Guesses which column of a file of no known shop has the ticket type. Pure. */
import type { ImportKinds } from '@gatehouse/proto/wire/import-columns.ts'

/** Nobody has said it. */
export const UNSAID = null
/** There is one ticket type: no column tells types apart. */
export const NONE = ''

type Columns = ImportKinds['columns']

/**
 * The choice that a file begins with. A column that is named after types is a guess that a person sees with its values; where several
 * could be it, only a person knows, and one type for all would let holders of other tickets in as well.
 * @returns name of a column, `NONE` where no column could be it, or `UNSAID`
 */
export function tierColumn(columns: Columns): string | null {
  const possible = columns.filter(({ values, more }) => values.length > 0 && !more)
  const named = possible.filter(({ name }) => saysType(name))
  if (named.length === 1) return named[0]?.name ?? UNSAID
  // Its values are too many to be types; whether all tickets are of one is not said by that.
  if (columns.some(({ name, more }) => more && saysType(name))) return UNSAID
  return possible.some(({ values }) => values.length > 1) ? UNSAID : NONE
}

const TYPE =
  /^(tiers?|kinds?|types?|categor(y|ia|ie)|classe?|product|produc?to|produit|produkt|prodotto|tarifa?|tarief|tariffa)$|^(art|sorte|soort|typ|tipo|kategorie|formule)$/
/** In German and Dutch it is one word: Ticketart, kaartsoort. */
const TYPE_OF_TICKET = /^(tickets?|karten?|kaart|eintritts|preis|prijs)(art|typ|type|sorte|soort|kategorie|categorie)$/
const TICKET =
  /^(tickets?|billets?|bilhetes?|entradas?|bigliett[oi]|karten?|kaart|price|name|nom|nome|naam|prix|de|del|di|do|der|des|of|van)$/

/** "Ticket type", "Kartenart", "Type de billet"; not "Payment type", which is said of something else. */
function saysType(name: string): boolean {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  const isType = (word: string) => TYPE.test(word) || TYPE_OF_TICKET.test(word)
  return words.some(isType) && words.every((word) => isType(word) || TICKET.test(word))
}

// The symbol of each amenity category that an event is likely to have; its names are in `map-words/`. The categories are IMDF's
// (OGC 20-094, "Amenity"). A subcategory (restroom.female) has the entry of its parent, unless it has its own.

import { type CategoryKey, mapWords as english, type MapWords } from './map-words/en.ts'

export interface Category {
  readonly key: CategoryKey
  /** In English: for an amenity without a name of its own. */
  readonly name: string
  /** one or two characters, drawn in a disc; none that a phone would draw as an emoji */
  readonly letter: string
  readonly colour: string
}

const BLUE = '#1f6feb'
const TEAL = '#0b7a75'
const RED = '#c62828'
const BROWN = '#9a5b13'
const VIOLET = '#6b3fa0'
const GREY = '#4b5563'

const CATEGORIES: Readonly<Record<CategoryKey, readonly [letter: string, colour: string]>> = {
  restroom: ['WC', BLUE],
  'restroom.family': ['WC', BLUE],
  'restroom.wheelchair': ['A', BLUE],
  'restroom.unisex.wheelchair': ['A', BLUE],
  shower: ['Sw', BLUE],
  babychanging: ['B', BLUE],
  mothersroom: ['N', BLUE],
  drinkingfountain: ['W', TEAL],
  firstaid: ['+', RED],
  defibrillator: ['D', RED],
  fireextinguisher: ['Fe', RED],
  emergencyshelter: ['Sh', RED],
  healthscreening: ['H', RED],
  security: ['S', RED],
  foodservice: ['F', BROWN],
  eatingdrinking: ['F', BROWN],
  information: ['i', VIOLET],
  guestservices: ['i', VIOLET],
  lostandfound: ['?', VIOLET],
  ticketing: ['T', VIOLET],
  cashier: ['$', VIOLET],
  atm: ['$', VIOLET],
  coinlocker: ['L', VIOLET],
  baggagestorage: ['C', VIOLET],
  powerchargingstation: ['Ch', VIOLET],
  caregiver: ['Ca', VIOLET],
  prayerroom: ['P', GREY],
  smokingarea: ['Sm', GREY],
  seating: ['Se', GREY],
  childplayarea: ['Pl', GREY],
  privatelounge: ['Lo', GREY],
  handsanitizerstation: ['Hs', GREY],
  elevator: ['Li', GREY],
  escalator: ['Es', GREY],
  stairs: ['St', GREY],
  platform: ['Pf', GREY],
  entry: ['E', GREY],
  exhibit: ['Ex', GREY],
  landmark: ['La', GREY],
  bus: ['Bu', GREY],
  taxi: ['Tx', GREY],
  parking: ['P', GREY],
  'parking.bicycle': ['Bi', GREY],
  service: ['Sv', GREY],
  unspecified: ['•', GREY],
}

/** The categories that have an entry of their own. */
export const knownCategories: ReadonlySet<string> = new Set(Object.keys(CATEGORIES))

/** The entry of an IMDF amenity category, of the nearest broader one, or a plain one. */
export function categoryOf(category: string): Category {
  const parts = category.split('.')
  for (let length = parts.length; length > 0; length--) {
    const key = parts.slice(0, length).join('.')
    if (isKnown(key)) return entryOf(key)
  }
  return entryOf('unspecified')
}

/**
 * The name of a thing on the map. What has none of its own in the map has the English name of its category (`box/src/venue/`), which is
 * said in the language of `words`.
 */
export function nameIn(words: MapWords, name: string): string {
  if (name === english.travelator) return words.travelator
  const key = [...knownCategories].find((one) => isKnown(one) && english.categories[one] === name)
  return key !== undefined && isKnown(key) ? words.categories[key] : name
}

function isKnown(category: string): category is CategoryKey {
  return knownCategories.has(category)
}

function entryOf(key: CategoryKey): Category {
  const [letter, colour] = CATEGORIES[key]
  return { key, name: english.categories[key], letter, colour }
}

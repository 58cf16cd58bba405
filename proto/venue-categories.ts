// The name and symbol of each amenity category that an event is likely to have. The categories are IMDF's (OGC 20-094,
// "Amenity"). A subcategory (restroom.female) has the entry of its parent, unless it has its own.

export interface Category {
  /** for an amenity without a name of its own */
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

const CATEGORIES: ReadonlyMap<string, Category> = new Map(
  (
    [
      ['restroom', 'Toilets', 'WC', BLUE],
      ['restroom.family', 'Family toilet', 'WC', BLUE],
      ['restroom.wheelchair', 'Accessible toilet', 'A', BLUE],
      ['restroom.unisex.wheelchair', 'Accessible toilet', 'A', BLUE],
      ['shower', 'Showers', 'Sw', BLUE],
      ['babychanging', 'Baby changing', 'B', BLUE],
      ['mothersroom', 'Nursing room', 'N', BLUE],
      ['drinkingfountain', 'Drinking water', 'W', TEAL],
      ['firstaid', 'First aid', '+', RED],
      ['defibrillator', 'Defibrillator', 'D', RED],
      ['fireextinguisher', 'Fire extinguisher', 'Fe', RED],
      ['emergencyshelter', 'Emergency shelter', 'Sh', RED],
      ['healthscreening', 'Health screening', 'H', RED],
      ['security', 'Security', 'S', RED],
      ['foodservice', 'Food', 'F', BROWN],
      ['eatingdrinking', 'Food and drinks', 'F', BROWN],
      ['information', 'Information', 'i', VIOLET],
      ['guestservices', 'Guest services', 'i', VIOLET],
      ['lostandfound', 'Lost and found', '?', VIOLET],
      ['ticketing', 'Tickets', 'T', VIOLET],
      ['cashier', 'Cashier', '$', VIOLET],
      ['atm', 'Cash machine', '$', VIOLET],
      ['coinlocker', 'Lockers', 'L', VIOLET],
      ['baggagestorage', 'Cloakroom', 'C', VIOLET],
      ['powerchargingstation', 'Phone charging', 'Ch', VIOLET],
      ['caregiver', 'Caregivers', 'Ca', VIOLET],
      ['prayerroom', 'Prayer room', 'P', GREY],
      ['smokingarea', 'Smoking area', 'Sm', GREY],
      ['seating', 'Seating', 'Se', GREY],
      ['childplayarea', 'Play area', 'Pl', GREY],
      ['privatelounge', 'Lounge', 'Lo', GREY],
      ['handsanitizerstation', 'Hand sanitizer', 'Hs', GREY],
      ['elevator', 'Lift', 'Li', GREY],
      ['escalator', 'Escalator', 'Es', GREY],
      ['stairs', 'Stairs', 'St', GREY],
      ['platform', 'Platform', 'Pf', GREY],
      ['entry', 'Entrance', 'E', GREY],
      ['exhibit', 'Exhibit', 'Ex', GREY],
      ['landmark', 'Landmark', 'La', GREY],
      ['bus', 'Bus', 'Bu', GREY],
      ['taxi', 'Taxi', 'Tx', GREY],
      ['parking', 'Parking', 'P', GREY],
      ['parking.bicycle', 'Bicycle parking', 'Bi', GREY],
      ['service', 'Service', 'Sv', GREY],
      ['unspecified', 'Place', '•', GREY],
    ] as const
  ).map(([category, name, letter, colour]) => [category, { name, letter, colour }]),
)

const OTHER: Category = { name: 'Place', letter: '•', colour: GREY }

/** The categories that have an entry of their own. */
export const knownCategories: ReadonlySet<string> = new Set(CATEGORIES.keys())

/** The entry of an IMDF amenity category, of the nearest broader one, or a plain one. */
export function categoryOf(category: string): Category {
  const parts = category.split('.')
  for (let length = parts.length; length > 0; length--) {
    const found = CATEGORIES.get(parts.slice(0, length).join('.'))
    if (found) return found
  }
  return OTHER
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownCategories } from '@gatehouse/proto/venue-categories.ts'
import { collection, feature, point } from '../../test/venue/sketch.ts'
import { AMENITY_CATEGORIES } from './imdf-categories.ts'
import { parseSource } from './source.ts'

/** IMDF 1.0.0, "Categories", "Amenity": those without subcategories, and those with them (`''` is the category itself). */
const PLAIN = `
  amphitheater animalreliefarea arrivalgate atm babychanging baggagecarts baggagerecheck baggagestorage businesscenter cabin
  caregiver carrental cashier changemachine childplayarea coinlocker copymachine defibrillator drinkingfountain eatingdrinking
  elevator emergencyshelter entry escalator exhibit firealarmpullstation fireextinguisher firstaid fittingroom foodservice
  gatearea groundtransportation guestservices handsanitizerstation healthscreening hoteling immigration landmark library limo
  lostandfound mailbox meditation meetingpoint mobilityrescue mothersroom movingwalkway paidarea parkandride payphone
  pedestriancrossing peoplemover photobooth platform police powerchargingstation privatelounge productreturn ramp recreation
  rideshare seat seating service shower shuttle sleepbox smokingarea stairs storage strollerrental studentadmissions
  studentservices taxi traintrack transit unspecified valet wheelchairassist wifi yoga`
const WITH_PARTS: Record<string, readonly string[]> = {
  baggagecarousel: ['', 'intl'],
  baggageclaim: ['', 'oversize'],
  boardinggate: ['', 'aircraft', 'bus', 'ferry', 'train'],
  bus: ['', 'muni', 'national'],
  checkin: ['', 'desk', 'desk.oversizebaggage', 'desk.transfer', 'selfservice'],
  faregate: ['', 'oversized'],
  fieldofplay: [
    '',
    'americanfootball',
    'baseball',
    'basketball',
    'fieldhockey',
    'icehockey',
    'rugby',
    'soccer',
    'softball',
    'tennis',
    'trackfield',
    'volleyball',
  ],
  information: ['', 'bid', 'carrental', 'hotel', 'mufid', 'mufid.arrivals', 'mufid.departures', 'transit'],
  parking: ['', 'bicycle', 'compact', 'ev', 'longterm', 'motorcycle', 'shortterm', 'waitingarea'],
  phone: ['', 'emergency'],
  prayerroom: [
    '',
    'buddhism',
    'christianity',
    'hinduism',
    'islam',
    'islam.female',
    'islam.male',
    'judaism',
    'shintoism',
    'sikh',
    'taoic',
  ],
  rail: ['muni', 'national'],
  reception: ['desk'],
  restroom: [
    '',
    'family',
    'female',
    'female.wheelchair',
    'male',
    'male.wheelchair',
    'transgender',
    'transgender.wheelchair',
    'unisex',
    'unisex.wheelchair',
    'wheelchair',
  ],
  security: ['', 'checkpoint', 'inspection'],
  swimmingpool: ['', 'children', 'family'],
  ticketing: ['', 'airline', 'bus', 'bus.muni', 'bus.national', 'rail', 'rail.muni', 'rail.national', 'shuttle'],
  vendingmachine: ['', 'trainticket'],
}

const ALL = [
  ...PLAIN.trim().split(/\s+/),
  ...Object.entries(WITH_PARTS).flatMap(([category, parts]) =>
    parts.map((part) => (part === '' ? category : `${category}.${part}`)),
  ),
]

function problemsOf(category: string) {
  return parseSource(collection([feature('amenity', 'a', point([0, 0]), { category })])).problems
}

test('every amenity category of IMDF is known, and none is taken for a misspelt other', () => {
  assert.deepEqual([...AMENITY_CATEGORIES].sort(), ALL.sort())
  for (const category of ALL) assert.deepEqual(problemsOf(category), [], category)
})

test('a misspelt category is, and the nearest of IMDF is proposed', () => {
  for (const [typed, meant] of [
    ['restroom.femal', 'restroom.female'],
    ['parking.eb', 'parking.ev'],
    ['defibrilator', 'defibrillator'],
  ] as const) {
    const [problem] = problemsOf(typed)
    assert.equal(problem?.kind, 'unknown_category')
    assert.match(problem?.message ?? '', new RegExp(`did you mean "${meant}"`))
  }
})

test('whatever a map has a symbol for is a category of IMDF', () => {
  for (const category of knownCategories) assert.ok(AMENITY_CATEGORIES.has(category), category)
})

/**
 * Kinds of problems that the verification of a record finds. A kind is one of `PLACES`, or a thing and what was found of it, as in
 * `scan_missing`; `unreadable_scans` is of a table. A kind is on the wire: it keeps its name.
 */

/** Things that the tables of a box hold. */
export const THINGS = [
  'scan',
  'movement',
  'override',
  'flag',
  'incident',
  'incident_action',
  'incident_note',
  'hold',
  'device',
  'invite',
  'sale',
  'shop_certificate',
  'ticket',
  'tickets',
  'credential',
  'person',
  'api_token',
  'admin_token',
  'passkey',
  'announcement',
  'mode',
  'heard',
] as const
export type Thing = (typeof THINGS)[number]

export const FOUND = ['missing', 'differs', 'unexplained', 'unknown', 'unreadable'] as const
export type Found = (typeof FOUND)[number]

/** Of the journal itself and of its seals. */
export const PLACES = [
  'gap',
  'not_canonical',
  'column_differs',
  'clock_order',
  'subtree_differs',
  'subtree_unexplained',
  'seal_differs',
  'seal_missing',
  'seal_root',
  'seal_beyond',
  'another_key',
  'unreadable',
] as const
export type Place = (typeof PLACES)[number]

/** Tables whose names are not the plural of what they hold. */
const TABLES = { people: 'person', peer_journal: 'heard', mode: 'mode' } as const satisfies Record<string, Thing>
type Table = keyof typeof TABLES | `${Thing}s`

/** What a verification of this version reports. One of a newer box may report others, which have no sentence here. */
export type ProblemKind = Place | `${Thing}_${Found}` | `unreadable_${Table}` | 'tickets_differ'

/** The parts of a kind; undefined for one of a newer box. */
export function partsOf(kind: string): { place: Place } | { thing: Thing; found: Found } | undefined {
  const place = PLACES.find((one) => one === kind)
  if (place) return { place }
  const [, table] = /^unreadable_(\w+)$/.exec(kind) ?? []
  if (table !== undefined) {
    const thing = Object.hasOwn(TABLES, table)
      ? TABLES[table as keyof typeof TABLES]
      : THINGS.find((one) => `${one}s` === table)
    return thing && { thing, found: 'unreadable' }
  }
  if (kind === 'tickets_differ') return { thing: 'tickets', found: 'differs' }
  const [, name, what] = /^(\w+)_([a-z]+)$/.exec(kind) ?? []
  const [thing, found] = [THINGS.find((one) => one === name), FOUND.find((one) => one === what)]
  return thing && found && { thing, found }
}

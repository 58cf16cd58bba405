/**
 * The event that a box serves: `event.json` in the event's folder, in the format of the contract's "Event file". It is checked as
 * a whole before anything is opened, because two hours before doors somebody needs the list of all mistakes.
 */
import { CODE_KINDS } from '@gatehouse/proto/code-kinds.ts'
import { INCIDENT_KINDS } from '@gatehouse/proto/wire/incidents.ts'
import { type Static, type TSchema, Type } from 'typebox'
import { EventFileError, MAX_MISTAKES, type Mistake } from './mistakes.ts'
import { isPretixKey } from './pretix-key.ts'
import { readJson } from './read.ts'
import { type Draft, gapsIn, mistakesIn, warningsFor } from './rules.ts'
import { checkShape, must } from './shape.ts'

export { localDay } from './day.ts'

const ID = '^[a-z0-9][a-z0-9-]{0,63}$'
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

const Id = Type.String({ pattern: ID, ...must('an id: small letters, digits and hyphens, 64 at most', 'an_id') })
const Name = Type.Refine(
  Type.String({ maxLength: 120, ...must('a name on one line, 120 characters at most', 'a_name', { most: 120 }) }),
  isOneLine,
)
const Place = Type.Refine(
  Type.String({
    maxLength: 200,
    ...must('a name and an address on one line, 200 characters at most', 'name_and_address', { most: 200 }),
  }),
  isOneLine,
)
const Time = Type.Refine(
  Type.String(must('a time with its UTC offset, as in "2026-07-17T16:00:00+01:00"', 'a_time')),
  (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)) && isDate(text.slice(0, 10)),
)
const ZoneOrOutside = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  pattern: ID,
  ...must('the id of a zone, or null for outside', 'zone_or_outside'),
})

function OneOf<const T extends string[]>(values: [...T]) {
  const known = values.map((value) => `"${value}"`).join(', ')
  return Type.Enum(values, must(`one of ${known}`, 'one_of', { known }))
}

function Entries<P extends Record<string, TSchema>>(noun: string, most: number, properties: P) {
  const entry = Type.Object(properties, { additionalProperties: false, ...object(`that is a ${noun}`) })
  return Type.Array(entry, {
    minItems: 1,
    maxItems: most,
    ...must(`a list of 1 to ${most} ${noun}s`, 'entries', { most }),
  })
}

function object(what: string) {
  return must(`an object ${what}`, 'an_object')
}

function whole(things: string, minimum: number, maximum: number, range = `${minimum} to ${maximum}`) {
  const values = { least: minimum, most: maximum }
  return Type.Integer({ minimum, maximum, ...must(`a whole number of ${things}, ${range}`, 'whole_number', values) })
}

/** By kind of incident: after how many seconds without an action the alert is repeated. */
const RealertSeconds = Type.Partial(Type.Record(Type.Enum([...INCIDENT_KINDS]), whole('seconds', 5, 3600)), {
  additionalProperties: false,
  ...object('with seconds by kind of incident'),
})

const EventSchema = Type.Object(
  {
    id: Id,
    name: Name,
    timezone: Type.Refine(
      Type.String({
        ...must('an IANA time zone such as "Europe/Lisbon"', 'time_zone'),
        examples: Intl.supportedValuesOf('timeZone'),
      }),
      isTimeZone,
    ),
    /** Name and address, for people who travel there: wallets show it. */
    place: Type.Optional(Place),
    starts_at: Time,
    ends_at: Time,
    /** Local time at which a festival day begins, for `once_per_day` tiers; midnight when absent. */
    day_starts_at: Type.Optional(
      Type.String({
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
        ...must('a local time of day such as "06:00"', 'time_of_day'),
      }),
    ),
    tiers: Entries('tier', 256, {
      id: Id,
      name: Name,
      colour: Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', ...must('a colour such as "#2F80ED"', 'colour') }),
      entry: OneOf(['once', 'once_per_day', 'reentry', 'unlimited']),
      /** Says when the printed code still opens the ticket; `until_claimed` when absent. */
      static_code: Type.Optional(OneOf(['until_claimed', 'always', 'never'])),
      /** Rules for sales at the desk: `box/docs/desk.md`. */
      at_the_gate: Type.Optional(
        Type.Object(
          {
            /** Tickets for sale at all gates together; as many as people want when absent. */
            most: Type.Optional(whole('tickets', 0, 10_000_000, '0 or more')),
            /** In the smallest unit of the currency. */
            price: Type.Optional(
              Type.Integer({ minimum: 0, maximum: 10_000_000, ...must('a price in cents, such as 2500', 'price') }),
            ),
          },
          { additionalProperties: false, ...object('with "most", "price" or both') },
        ),
      ),
    }),
    zones: Entries('zone', 256, {
      id: Id,
      name: Name,
      capacity: whole('people', 1, 10_000_000, '1 or more'),
    }),
    gates: Entries('gate', 256, { id: Id, name: Name }),
    checkpoints: Entries('checkpoint', 1024, {
      id: Id,
      name: Name,
      gate: Id,
      direction: OneOf(['in', 'out']),
      from: ZoneOrOutside,
      to: ZoneOrOutside,
      tiers: Type.Array(Id, { minItems: 1, maxItems: 256, ...must('a list of one or more tier ids', 'tier_ids') }),
      opens_at: Type.Optional(Time),
      closes_at: Type.Optional(Time),
    }),
    /** Of sales at the gate; EUR when absent. */
    currency: Type.Optional(
      Type.Refine(Type.String(must('a currency such as "EUR"', 'currency')), (text) => CURRENCIES.has(text)),
    ),
    /** True if the evacuation sheet lists people by name, on the disk too; false when absent: `box/docs/desk.md`. */
    evacuation_names: Type.Optional(Type.Boolean(must('true or false', 'true_or_false'))),
    /** Data of the holders that scanners show; nothing when absent: `box/docs/security.md`. */
    scanners_see: Type.Optional(OneOf(['none', 'name', 'name_and_notes'])),
    /** Scanners ask who holds them, by the people of the control room; nobody is asked when absent: `box/docs/authentication.md`. */
    scanners_sign_on: Type.Optional(
      Type.Object(
        {
          /** Without a touch or a scan for so long, the scanner asks again; 10 when absent. */
          lock_minutes: Type.Optional(whole('minutes', 1, 480)),
          /** Checkpoints where no person stands, such as a turnstile. */
          not_at: Type.Optional(
            Type.Array(Id, { maxItems: 1024, ...must('a list of checkpoint ids', 'list', { most: 1024 }) }),
          ),
        },
        { additionalProperties: false, ...object('with "lock_minutes", "not_at" or both') },
      ),
    ),
    /** Kinds of printed codes that scanners read besides QR; none when absent: `box/docs/phones.md`. */
    codes: Type.Optional(
      Type.Array(OneOf([...CODE_KINDS]), {
        maxItems: CODE_KINDS.length,
        ...must('a list of kinds of codes', 'list', { most: CODE_KINDS.length }),
      }),
    ),
    /** Keys with which the shop signs codes: pretix's `valid_keys.pretix_sig1`. See `box/docs/pretixscan.md`. */
    pretix_keys: Type.Optional(
      Type.Array(
        Type.Refine(Type.String(must("a key as pretix's API has it, base64 of a PEM file", 'pretix_key')), isPretixKey),
        { maxItems: 8, ...must('a list of 8 keys at most', 'list', { most: 8 }) },
      ),
    ),
    /** Settings of the control room: `box/docs/control-room.md`. */
    incidents: Type.Optional(
      Type.Object(
        { realert_seconds: Type.Optional(RealertSeconds) },
        { additionalProperties: false, ...object('with "realert_seconds"') },
      ),
    ),
  },
  { additionalProperties: false, ...object('with the fields of an event') },
)

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** The contents of `event.json`. */
export type EventFile = Frozen<Static<typeof EventSchema>>

export type Tier = EventFile['tiers'][number] & Required<Pick<EventFile['tiers'][number], 'static_code'>>
export type Zone = EventFile['zones'][number]
export type Gate = EventFile['gates'][number]
/** `opens_at` and `closes_at` are instants (ISO 8601 with offset); a checkpoint without them is open all the time. */
export type Checkpoint = EventFile['checkpoints'][number]
/** The number of times that a tier's ticket may enter a zone. */
export type EntryPolicy = Tier['entry']

/** `name` is the holder's name; notes are comments for the door, company and answers. */
export type ScannersSee = NonNullable<EventFile['scanners_see']>

/** The file's fields by their names on the wire, with every default filled in. */
export interface EventDefinition extends EventFile {
  readonly day_starts_at: string
  readonly tiers: readonly Tier[]
}

/** An event as the box uses it: built once and never changed. */
export interface Event extends EventDefinition {
  readonly scanners_see: ScannersSee
  readonly tierById: ReadonlyMap<string, Tier>
  readonly zoneById: ReadonlyMap<string, Zone>
  readonly gateById: ReadonlyMap<string, Gate>
  readonly checkpointById: ReadonlyMap<string, Checkpoint>
  /** Settings that are allowed but probably not intended. */
  readonly warnings: readonly Mistake[]
}

/** Reads and checks `event.json` of an event's folder. @throws EventFileError */
export async function readEvent(folder: string): Promise<Event> {
  const parsed = parseEvent(await readJson(folder))
  if ('mistakes' in parsed) throw new EventFileError(parsed.mistakes)
  return parsed.event
}

/**
 * Checks a parsed `event.json` as a whole. @returns an event, or every mistake by path. Mistakes that only follow from others are
 * left out, such as a zone that nobody can enter because its checkpoint is misspelt.
 */
export function parseEvent(json: unknown): { event: Event } | { mistakes: readonly Mistake[] } {
  const { mistakes, sound } = checkShape(EventSchema, json)
  if (sound !== undefined) mistakes.push(...mistakesIn(sound as Draft<EventFile>).take(MAX_MISTAKES))
  if (!mistakes.some(({ path }) => path === '' || /^(tiers|zones|checkpoints)/.test(path))) {
    mistakes.push(...gapsIn(sound as EventFile))
  }
  if (mistakes.length > 0) return { mistakes: mistakes.sort((a, b) => byPath.compare(a.path, b.path)) }
  return { event: eventOf(json as EventFile) }
}

const byPath = new Intl.Collator('en', { numeric: true })

function eventOf(file: EventFile): Event {
  const tiers = file.tiers.map((tier) => ({ ...tier, static_code: tier.static_code ?? 'until_claimed' }))
  return {
    ...file,
    day_starts_at: file.day_starts_at ?? '00:00',
    scanners_see: file.scanners_see ?? 'none',
    tiers,
    tierById: byId(tiers),
    zoneById: byId(file.zones),
    gateById: byId(file.gates),
    checkpointById: byId(file.checkpoints),
    warnings: [...warningsFor(file)],
  }
}

function byId<T extends { readonly id: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.id, entry]))
}

/** Half a surrogate pair has no UTF-8, and so cannot be in a canonical journal entry. */
function isOneLine(text: string): boolean {
  return text.trim() !== '' && text.isWellFormed() && !/\p{Cc}/u.test(text)
}

function isTimeZone(name: string): boolean {
  try {
    // Intl also accepts "+01:00", which has no summer time.
    return /^[A-Z]/i.test(name) && Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** False for 31 April, which `Date.parse` reads as 1 May. */
function isDate(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
}

/** Types and formats that the schemas of every tier share. */
import { type Static, type TSchema, Type } from 'typebox'

/** A closed object: an undeclared field is an error, so that a misspelt one is not silently dropped. */
export function Shape<P extends Record<string, TSchema>>(title: string, properties: P, description?: string) {
  return Type.Object(properties, { title, additionalProperties: false, ...(description && { description }) })
}

/**
 * A value that may be null, as a list of types: the form that generators for JSON Schema 2020-12 support best.
 * @param whenNull when it is null, for the document; every answer to devices has to say so
 */
export function Nullable<T extends TSchema>(schema: T, whenNull?: string) {
  const { type, ...rest } = schema as T & { type: string; description?: string }
  const description = [rest.description, whenNull && `null ${whenNull}`].filter(Boolean).join('; ')
  return Type.Unsafe<Static<T> | null>({ type: [type, 'null'], ...rest, ...(description && { description }) })
}

export const Time = Type.String({ format: 'date-time', description: 'ISO 8601 with offset' })
export const HLC_PATTERN = '^[0-9]+\\.[0-9]+$'
export const Hlc = Type.String({
  pattern: HLC_PATTERN,
  maxLength: 40,
  description: 'Hybrid logical clock: milliseconds, a dot, a counter; compared as integers',
})
export const Mode = Type.Enum(['STRICT', 'DEGRADED'], { description: 'STRICT while this box reaches every other box' })
export const Direction = Type.Enum(['in', 'out'])
export const Count = Type.Integer({ minimum: 0 })
/** An id, opaque to a client. The pattern keeps control characters and NUL out of logs and journals. */
export const Id = Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' })
/** A name or a sentence that a person typed: no control characters. */
export const Words = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]+$',
})
export const Colour = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' })
export const Base64 = Type.String({ contentEncoding: 'base64' })

/** The code and values of a sentence of the box, for an app that has words for it in the language of its user: see `said.ts`. */
export const Coded = Shape(
  'Coded',
  {
    code: Type.String(),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: 'What the sentence mentions; a name that ends in "_ms" is a span of time in milliseconds',
      }),
    ),
  },
  'A sentence as a code with its values. An app that does not know the code shows the sentence beside it.',
)

/** Codes in an error: nobody reads more at once. */
export const MOST_CODED = 20

export const ErrorBody = Shape(
  'Error',
  {
    code: Type.String(),
    message: Type.String({ description: 'One sentence that says what to do next' }),
    reason: Type.Optional(
      Type.String({
        description: 'The mistake in particular, for apps that have a sentence for it in the language of their user',
      }),
    ),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: 'Values that the sentence mentions',
      }),
    ),
    coded: Type.Optional(
      Type.Array(Coded, {
        maxItems: MOST_CODED,
        description:
          'Where it takes several sentences: each as a code, in their order. The first is `reason` with `values`, for whoever says one',
      }),
    ),
  },
  'Every request that could not be answered. The codes are listed in box/docs/errors.md.',
)
export type ErrorBody = Static<typeof ErrorBody>

/** When a zone is null. */
export const OUTSIDE = 'for outside, which is no zone'

/** A checkpoint as a device sees it: its gate, its direction, and the tiers that it serves. */
export const Checkpoint = Shape('Checkpoint', {
  id: Type.String(),
  name: Type.String(),
  gate: Type.String(),
  gate_name: Type.String(),
  direction: Direction,
  from: Nullable(Type.String({ description: 'Zone' }), OUTSIDE),
  to: Nullable(Type.String({ description: 'Zone' }), OUTSIDE),
  tiers: Type.Array(Type.String()),
  opens_at: Type.Optional(Time),
  closes_at: Type.Optional(Time),
})
export type Checkpoint = Static<typeof Checkpoint>

/**
 * Each event of a stream of server-sent events, as its reader gets it. `data` is a text: the JSON of the schema under `contentSchema`.
 * @param events name and data of each of its events
 */
export function StreamOf(title: string, events: Readonly<Record<string, TSchema>>) {
  const each = Object.entries(events).map(([event, contentSchema]) =>
    Shape(`${title}${event.charAt(0).toUpperCase()}${event.slice(1)}`, {
      id: Type.Optional(Type.String({ description: 'Position, for Last-Event-ID' })),
      event: Type.Literal(event),
      data: Type.String({ contentMediaType: 'application/json', contentSchema }),
    }),
  )
  return Type.Union(each, {
    title,
    description:
      'Each event of the stream. Lines that begin with a colon are comments. Ignore events that you do not know.',
  })
}

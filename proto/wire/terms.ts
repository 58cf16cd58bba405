/** The vocabulary that every tier's schemas are made of. Names and formats: `contract.md` and the API specification. */
import { type Static, type TSchema, Type } from 'typebox'

/** A closed object: a field that nobody declared is an error, so that a typing mistake is never silently dropped. */
export function Shape<P extends Record<string, TSchema>>(title: string, properties: P, description?: string) {
  return Type.Object(properties, { title, additionalProperties: false, ...(description && { description }) })
}

/** A value that may be null, written as a type list: the form that JSON Schema 2020-12 and its generators read best. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, ...rest } = schema as T & { type: string }
  return Type.Unsafe<Static<T> | null>({ type: [type, 'null'], ...rest })
}

export const Time = Type.String({ format: 'date-time', description: 'ISO 8601 with offset' })
export const Hlc = Type.String({
  pattern: '^[0-9]+\\.[0-9]+$',
  maxLength: 40,
  description: 'Hybrid logical clock: milliseconds, a dot, a counter; compared as integers',
})
export const Mode = Type.Enum(['STRICT', 'DEGRADED'], { description: 'Whether this box hears every other box' })
export const Direction = Type.Enum(['in', 'out'])
export const Count = Type.Integer({ minimum: 0 })
/** Ids are opaque to a client; the pattern keeps control characters and NUL out of logs and journals. */
export const Id = Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' })
/** A name or a sentence that a person typed: no control characters. */
export const Words = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]+$',
})
export const Colour = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' })
export const Base64 = Type.String({ contentEncoding: 'base64' })

export const ErrorBody = Shape(
  'Error',
  { code: Type.String(), message: Type.String({ description: 'One sentence that says what to do next' }) },
  'Every request that could not be answered. The codes are listed in box/docs/errors.md.',
)
export type ErrorBody = Static<typeof ErrorBody>

/** A checkpoint as a device sees it: where it stands, which way it leads, whom it serves. */
export const Checkpoint = Shape('Checkpoint', {
  id: Type.String(),
  name: Type.String(),
  gate: Type.String(),
  gate_name: Type.String(),
  direction: Direction,
  from: Nullable(Type.String({ description: 'Zone' })),
  to: Nullable(Type.String({ description: 'Zone' })),
  tiers: Type.Array(Type.String()),
  opens_at: Type.Optional(Time),
  closes_at: Type.Optional(Time),
})
export type Checkpoint = Static<typeof Checkpoint>

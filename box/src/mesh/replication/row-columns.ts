/** Schemas of the columns that travel between boxes. They are those of the ledger's tables: the compiler compares them. */
import { type Static, type TSchema, Type } from 'typebox'

/** A column's value in a message: bytes are base64 text. */
type OnWire<Value> = Value extends Buffer ? string : Value

/** Each schema as it is, where it describes the column of its name; never, where it does not. */
type OfColumns<Schemas, Row> = {
  [Name in keyof Schemas]: Name extends keyof Row
    ? Schemas[Name] extends TSchema
      ? [Static<Schemas[Name]>, OnWire<Row[Name]>] extends [OnWire<Row[Name]>, Static<Schemas[Name]>]
        ? Schemas[Name]
        : never
      : never
    : never
}

/** @param schemas one for each column of `Row`, and no more: what the compiler refuses does not fit the table */
export function columnsOf<Row>() {
  return <Schemas extends { [Name in keyof Row]: TSchema }>(schemas: Schemas & OfColumns<Schemas, Row>) =>
    schemas as Schemas
}

const MOST_TEXT = 4096
export const Text = Type.String({ maxLength: MOST_TEXT })
export const Id = Type.String({ minLength: 1, maxLength: 256 })
export const Ms = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Hlc = Type.String({ pattern: '^[0-9]{13}\\.[0-9]{6}$' })
export const Nullable = <T extends TSchema>(of: T) => Type.Union([of, Type.Null()])
/** Base64, with padding. */
export const Bytes = (from: number, to = from) =>
  Type.String({
    minLength: Math.ceil(from / 3) * 4,
    maxLength: Math.ceil(to / 3) * 4,
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  })

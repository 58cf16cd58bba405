/**
 * Requests of these apps. The shapes are open, and hardly anything is required: a newer app sends more, and an older one less. What is
 * read has a type and a bound.
 */
import { MOST_ANSWERS } from '@gatehouse/proto/wire/scan.ts'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { GatehouseError } from '../errors.ts'

const Text = Type.String({ maxLength: 4096 })
const Maybe = <T extends TSchema>(of: T) => Type.Optional(Type.Union([of, Type.Null()]))
const Number31 = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Flag = Maybe(Type.Boolean())

export const Setup = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 128 }),
  hardware_brand: Maybe(Text),
  hardware_model: Maybe(Text),
  software_brand: Maybe(Text),
  software_version: Maybe(Text),
})
export type Setup = Static<typeof Setup>

export const Update = Type.Object({ software_brand: Maybe(Text), software_version: Maybe(Text) })

const Lists = Type.Record(Type.String({ maxLength: 64 }), Number31, { maxProperties: 64 })

export const Check = Type.Object({
  events_and_checkin_lists: Maybe(Lists),
  ticketid: Type.String({ minLength: 1, maxLength: 4096 }),
  type: Maybe(Text),
  answers: Maybe(
    Type.Array(Type.Object({ question: Type.Object({ server_id: Number31 }), value: Maybe(Text) }), {
      maxItems: MOST_ANSWERS,
    }),
  ),
  allowQuestions: Flag,
  nonce: Maybe(Type.String({ maxLength: 255 })),
})
export type Check = Static<typeof Check>

export const Search = Type.Object({ events_and_checkin_lists: Maybe(Lists), query: Text, page: Maybe(Type.Integer()) })
export type Search = Static<typeof Search>

export const Redeem = Type.Object({
  secret: Maybe(Text),
  lists: Maybe(Type.Array(Number31, { maxItems: 64 })),
  type: Maybe(Text),
  datetime: Maybe(Text),
  force: Flag,
  nonce: Maybe(Type.String({ maxLength: 255 })),
  questions_supported: Flag,
  answers: Maybe(Type.Record(Type.String({ maxLength: 20 }), Text, { maxProperties: MOST_ANSWERS })),
})
export type Redeem = Static<typeof Redeem>

/** @throws GatehouseError `bad_request` with `what` in its sentence */
export function readBody<T extends TSchema>(schema: T, body: unknown, what: string): Static<T> {
  if (Value.Check(schema, body)) return body as Static<T>
  throw new GatehouseError('bad_request', `This ${what} cannot be read: update the app, or tell the control room.`)
}

export function isExit(type: string | null | undefined): boolean {
  return type?.toLowerCase() === 'exit'
}

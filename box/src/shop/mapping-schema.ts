/** The schema of `shop.yaml`. The message of a mistake shows the key's description. */
import { type Static, Type } from 'typebox'

const strict = { additionalProperties: false }
const Table = Type.String({ pattern: '^[^.\\s]+\\.[^.\\s]+$', description: '`schema.table`' })
const Column = Type.String({
  pattern: '^[^.]{1,63}(\\.[^.]{1,63})?$',
  description: 'a column of this table, or `lookup.column` of a row that it looks up',
})
const Key = Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })], {
  description: 'the column that tells its rows apart, or a list of them: the primary key',
})

const Valued = Type.Object(
  {
    column: Column,
    values: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: "what each of the shop's values stands for" }),
    ),
    empty: Type.Optional(Type.String({ description: 'what NULL and an empty text stand for' })),
    otherwise: Type.Optional(Type.String({ description: 'what every other value stands for' })),
  },
  { ...strict, description: 'a column and what its values stand for' },
)

/** YAML reads `12` and `true` as a number and a boolean: they stand for PostgreSQL's text of them. */
const Values = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), { minItems: 1 })

const Condition = Type.Object(
  {
    column: Column,
    in: Type.Optional(Values),
    notIn: Type.Optional(Values),
  },
  { ...strict, description: 'column with in or notIn: texts as PostgreSQL prints them (true is "t"), or null' },
)

const Lookup = Type.Object(
  {
    table: Table,
    key: Key,
    by: Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })], {
      description: "this table's columns that hold the other row's key",
    }),
  },
  { ...strict, description: 'a row of another table that belongs to each row of this one' },
)

/** Keys whose columns name people, beside holder and e-mail. */
export const PERSONAL_COLUMNS = ['company', 'phone', 'note', 'answers'] as const
export type PersonalColumn = (typeof PERSONAL_COLUMNS)[number]
/** Keys of a product beside its name. */
export const PRODUCT_COLUMNS = ['variation', 'attention', 'note', 'questions'] as const
export type ProductColumn = (typeof PRODUCT_COLUMNS)[number]

const Price = Type.Object(
  { column: Column, currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'three capital letters, as EUR' }) },
  { ...strict, description: 'a column with amounts, all in one currency' },
)

const Product = Type.Object(
  {
    name: Column,
    variation: Type.Optional(Column),
    attention: Type.Optional(Column),
    note: Type.Optional(Column),
    questions: Type.Optional(Column),
  },
  { ...strict, description: 'columns that say what was sold: name, and with it variation, attention, note, questions' },
)

const Tickets = Type.Object(
  {
    key: Key,
    code: Type.String({ minLength: 1, description: 'the column with what the printed code holds' }),
    tier: Type.Union([Valued, Column, Type.Object({ value: Type.String({ minLength: 1 }) }, strict)], {
      description: 'a column, a column with values, or { value: <tier> } where every row is of one ticket type',
    }),
    seat: Type.Optional(Column),
    holder_name: Type.Optional(Column),
    email: Type.Optional(Column),
    valid_from: Type.Optional(Column),
    valid_until: Type.Optional(Column),
    order_code: Type.Optional(Column),
    position: Type.Optional(Column),
    addon_to: Type.Optional(Column),
    price: Type.Optional(
      Type.Union([Column, Price], {
        description: 'a column, or { column, currency } where the amounts have no currency',
      }),
    ),
    attention: Type.Optional(Column),
    product: Type.Optional(
      Type.Union([Column, Product], {
        description: 'the column with its name, or { name, ... } with more of the product',
      }),
    ),
    company: Type.Optional(Column),
    phone: Type.Optional(Column),
    note: Type.Optional(Column),
    answers: Type.Optional(Column),
    status: Type.Optional(
      Type.Union([Valued, Type.Array(Valued, { minItems: 1 })], {
        description: 'a column with values, or a list of them, of which the strictest counts; paid when absent',
      }),
    ),
    where: Type.Optional(Type.Array(Condition, { minItems: 1, description: 'rows that are tickets: all must hold' })),
    lookups: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' }), Lookup)),
  },
  { ...strict, description: 'a table whose rows are tickets' },
)

export const MappingSchema = Type.Object(
  {
    source: Type.Optional(
      Type.Object({}, { description: "the shop's database, for a box that fetches the changes itself" }),
    ),
    tables: Type.Record(Type.String({ pattern: '^[^.\\s]+\\.[^.\\s]+$' }), Tickets, {
      minProperties: 1,
      description: 'the tables whose rows are tickets, by `schema.table`',
    }),
  },
  strict,
)
export type MappingFile = Static<typeof MappingSchema>
export type TicketsFile = MappingFile['tables'][string]
export type ValuedFile = Static<typeof Valued>
export type ConditionFile = Static<typeof Condition>

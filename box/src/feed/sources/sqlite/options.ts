/** The schema of the configuration's `source` with `kind: sqlite`. */
import { type Static, Type } from 'typebox'

const Table = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'the table' }),
    columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'columns to publish; if absent, every column',
      }),
    ),
    text: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'columns that are declared as blobs but contain text; they are published as text, not in hexadecimal',
      }),
    ),
    appendOnly: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'rows are only inserted, never changed or deleted; the change log then keeps a reference instead of a copy; the table needs an INTEGER PRIMARY KEY',
      }),
    ),
  },
  { additionalProperties: false },
)

export const SqliteOptions = Type.Object(
  {
    kind: Type.Literal('sqlite'),
    path: Type.String({ minLength: 1, description: 'the database file' }),
    tables: Type.Array(Table, { minItems: 1, description: 'the tables to publish' }),
    create: Type.Boolean({
      default: false,
      description:
        'create the change log and its triggers if they are missing, and adapt them to `tables` if they differ',
    }),
    onSlotLost: Type.Enum(['fail', 'recreate'], {
      default: 'fail',
      description:
        'what to do when changes were dropped because no sink took them: `fail` waits for a person; `recreate` reports it and continues from now',
    }),
    snapshot: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'name of a receiver that keeps a copy of the tables: every row is delivered as an insert, once for each name and again when an incarnation begins',
      }),
    ),
    maxRows: Type.Integer({
      minimum: 1000,
      maximum: 1_000_000_000,
      default: 4_000_000,
      description: 'number of changes at which the change log is full',
    }),
    onFull: Type.Enum(['drop', 'block'], {
      default: 'drop',
      description:
        'what to do when the change log is full: `drop` drops its changes, and the application can go on writing; `block` refuses its writes',
    }),
    pollMs: Type.Integer({
      minimum: 1,
      maximum: 60_000,
      default: 50,
      description: 'how often to check for changes, in milliseconds',
    }),
  },
  { additionalProperties: false },
)
export type SqliteOptions = Static<typeof SqliteOptions>

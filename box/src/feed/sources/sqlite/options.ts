/** What the configuration's `source` may say when it is a SQLite database. */
import { type Static, Type } from 'typebox'

const Table = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Table to publish.' }),
    columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'Columns to publish; every column when absent.',
      }),
    ),
    text: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'Columns that are declared as blobs and hold text: published as that text, not in hexadecimal.',
      }),
    ),
    appendOnly: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Rows are only ever inserted: the change log then holds a reference in place of a copy. The table needs an INTEGER PRIMARY KEY.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const SqliteOptions = Type.Object(
  {
    kind: Type.Literal('sqlite'),
    path: Type.String({ minLength: 1, description: 'The database file.' }),
    tables: Type.Array(Table, { minItems: 1, description: 'What is published, and which columns of it.' }),
    create: Type.Boolean({
      default: false,
      description:
        'Make the change log and its triggers when they are missing, and bring them in step with `tables` when they differ.',
    }),
    onSlotLost: Type.Enum(['fail', 'recreate'], {
      default: 'fail',
      description:
        'When changes were dropped because nobody took them: `fail` waits for a person, `recreate` goes on from now and says so.',
    }),
    snapshot: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Who keeps a copy of the tables, in a word: every row is told as an insert, once for each such word and once more when an incarnation begins.',
      }),
    ),
    maxRows: Type.Integer({
      minimum: 1000,
      maximum: 1_000_000_000,
      default: 4_000_000,
      description: 'Changes that the change log may hold before `onFull` decides.',
    }),
    onFull: Type.Enum(['drop', 'block'], {
      default: 'drop',
      description:
        'When the change log is full: `drop` gives the slot up and lets the application write on, `block` refuses its writes.',
    }),
    pollMs: Type.Integer({
      minimum: 1,
      maximum: 60_000,
      default: 50,
      description: 'How often to look whether somebody has written, in milliseconds.',
    }),
  },
  { additionalProperties: false },
)
export type SqliteOptions = Static<typeof SqliteOptions>
export type PublishedTable = Static<typeof Table>

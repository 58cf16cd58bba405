/** Columns of a ticket file that no known shop writes: what each of them means, as somebody matched it (admin tier). */
import { type Static, Type } from 'typebox'
import { SHOP_FORMATS } from './admin.ts'
import { Count, Nullable, Shape, Time } from './terms.ts'

/** Meanings of a column. `code` is required; so is `tier`, unless all tickets are of one. */
export const IMPORT_FIELDS = [
  'code',
  'tier',
  'holder_name',
  'first_name',
  'last_name',
  'email',
  'seat',
  'status',
  'valid_from',
  'valid_until',
  'order_code',
  'product',
  'price',
  'company',
  'phone',
  'note',
  'attention',
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

export const MATCHED_STATUSES = ['valid', 'pending', 'blocked', 'revoked'] as const
export type MatchedStatus = (typeof MATCHED_STATUSES)[number]

/** Bytes at the beginning of a file that show its columns and what stands in them. */
export const COLUMNS_HEAD_BYTES = 256 * 1024
/** Nobody matches more by hand; a file with more is no list of tickets. */
export const MOST_COLUMNS = 200
export const LONGEST_COLUMN = 120
/** Values of a column that are listed. */
export const MOST_VALUES = 12
export const LONGEST_VALUE = 60
export const MOST_STATUS_WORDS = 50
export const MOST_TIERS_MATCHED = 200

const Column = Type.String({
  minLength: 1,
  maxLength: LONGEST_COLUMN + 10,
  description: 'Name of a column; the second of two equal names ends in " (2)"',
})

export const ColumnMatch = Shape(
  'ColumnMatch',
  {
    columns: Type.Array(Shape('MatchedColumn', { field: Type.Enum([...IMPORT_FIELDS]), column: Column }), {
      maxItems: IMPORT_FIELDS.length,
    }),
    every_tier: Nullable(Type.String({ maxLength: 128 }), 'where a column names the tier'),
    statuses: Type.Array(
      Shape('MatchedStatus', { word: Type.String({ maxLength: 200 }), status: Type.Enum([...MATCHED_STATUSES]) }),
      { maxItems: MOST_STATUS_WORDS, description: 'Words of the status column that the box does not know by itself' },
    ),
  },
  'What the columns of a file mean',
)
export type ColumnMatch = Static<typeof ColumnMatch>

/** One file's match, as `columns.json` in the event's folder keeps it for the next file of the same columns. */
export const KeptMatch = Shape('KeptMatch', {
  kept_at: Time,
  header: Type.Array(Column, { minItems: 1, maxItems: MOST_COLUMNS }),
  match: ColumnMatch,
  tiers: Type.Array(
    Shape('MatchedTier', { product: Type.String({ maxLength: 500 }), tier: Type.String({ maxLength: 128 }) }),
    { maxItems: MOST_TIERS_MATCHED, description: 'Tiers of products; an empty tier leaves the product out' },
  ),
})
export type KeptMatch = Static<typeof KeptMatch>

const Format = Type.Enum([...SHOP_FORMATS, 'unknown'], { description: 'unknown: no known shop writes such a file' })
const FileColumn = Shape('FileColumn', {
  name: Type.String(),
  values: Type.Array(Type.String(), { description: 'The first different values, shortened' }),
  more: Type.Boolean({ description: 'There are further ones' }),
})

export const ImportColumns = Shape('ImportColumns', {
  format: Format,
  columns: Type.Array(FileColumn, { description: 'Empty for a JSON file' }),
  kept: Nullable(KeptMatch, 'where no earlier file had such columns'),
  fits: Type.Boolean({ description: 'The kept match is of just these columns: it is used if nothing else is asked' }),
  missing: Type.Array(Type.String(), { description: 'Columns of the kept match that this file does not have' }),
})
export type ImportColumns = Static<typeof ImportColumns>

/** A file that names more ticket types, which are `kinds` here, or a column with more values, names something else. */
export const MOST_KINDS = 64
/** As long as the name of a tier may be. */
export const LONGEST_KIND = 120

export const ImportKinds = Shape('ImportKinds', {
  format: Format,
  tickets: Type.Unsafe<number>({ ...Count, description: 'Records of the file that are tickets or should be' }),
  kinds: Type.Array(Type.String(), {
    maxItems: MOST_KINDS,
    description: 'Names of the products that people enter with, in their order; empty for a file of no known shop',
  }),
  more: Type.Boolean({ description: 'There are further ticket types' }),
  columns: Type.Array(FileColumn, {
    description: `Of a file of no known shop: up to ${MOST_KINDS} values each, which are the ticket types if the column names them`,
  }),
  tier_column: Nullable(Type.String(), 'where no earlier file of the same columns had one'),
})
export type ImportKinds = Static<typeof ImportKinds>

/** The columns of a file of no known shop, as somebody matches them. Pure. */
import type { ImportColumns, ImportField, MatchedStatus } from '@gatehouse/proto/wire/import-columns.ts'
import { IMPORT_FIELDS, MOST_STATUS_WORDS } from '@gatehouse/proto/wire/import-columns.ts'
import type { MatchQuery } from './report.ts'

export interface Matching {
  /** For each column of the file what it is, or '' for nothing that counts. */
  fields: readonly (ImportField | '')[]
  /** The tier of all tickets; null: a column names it. */
  everyTier: string | null
  /** The words of the status column; '' leaves a word to the box. */
  statuses: readonly { word: string; status: MatchedStatus | '' }[]
}

/** The start: what an earlier file of such columns was matched as, otherwise the columns that say what they are. */
export function matchingOf({ columns, kept }: Pick<ImportColumns, 'columns' | 'kept'>): Matching {
  const names = columns.map(({ name }) => name)
  const chosen = kept
    ? names.map((name) => kept.match.columns.find(({ column }) => column === name)?.field ?? '')
    : onlyFirst(names.map((name) => IMPORT_FIELDS.find((field) => field === spelt(name)) ?? ''))
  const matching = { fields: chosen, everyTier: kept?.match.every_tier ?? null, statuses: kept?.match.statuses ?? [] }
  return withStatusWords(matching, valuesOfStatus(chosen, columns))
}

/** A column becomes a field; the one that was it before is that no longer. */
export function withField(
  matching: Matching,
  at: number,
  field: ImportField | '',
  columns: ImportColumns['columns'],
): Matching {
  const fields = matching.fields.map((each, i) => (i === at ? field : field !== '' && each === field ? '' : each))
  const everyTier = fields.includes('tier') ? null : matching.everyTier
  const moved = fields.indexOf('status') !== matching.fields.indexOf('status')
  const statuses = moved ? [] : matching.statuses
  return withStatusWords({ fields, everyTier, statuses }, moved ? valuesOfStatus(fields, columns) : [])
}

/** One tier for all tickets, or null: then no column is the tier, and the other way round. */
export function withEveryTier(matching: Matching, everyTier: string | null): Matching {
  if (everyTier === null) return { ...matching, everyTier }
  return { ...matching, everyTier, fields: matching.fields.map((field) => (field === 'tier' ? '' : field)) }
}

/** Of an event with one tier: it is that of all tickets, unless a column says it. */
export function withOnlyTier(matching: Matching, tier: string): Matching {
  return matching.everyTier === null && !matching.fields.includes('tier') ? withEveryTier(matching, tier) : matching
}

/** A line for each word that is not there yet. */
export function withStatusWords(matching: Matching, words: readonly string[]): Matching {
  if (!matching.fields.includes('status')) return matching
  const known = new Set(matching.statuses.map(({ word }) => word.toLowerCase()))
  const fresh = [...new Set(words)].filter((word) => !known.has(word.toLowerCase()))
  const added = fresh.map((word) => ({ word, status: '' as const }))
  return { ...matching, statuses: [...matching.statuses, ...added].slice(0, MOST_STATUS_WORDS) }
}

/** The meaning that is missing before the box can read anything. */
export function gapOf({ fields, everyTier }: Matching): 'code' | 'tier' | null {
  if (!fields.includes('code')) return 'code'
  return fields.includes('tier') || everyTier !== null ? null : 'tier'
}

export function matchQueryOf(
  { fields, everyTier, statuses }: Matching,
  { columns }: Pick<ImportColumns, 'columns'>,
): MatchQuery {
  const said = statuses.filter(({ status }) => status !== '')
  return {
    column: columns.flatMap(({ name }, i) => (fields[i] ? [`${fields[i]}=${name}`] : [])),
    ...(said.length > 0 && { status: said.map(({ word, status }) => `${word}=${status}`) }),
    ...(everyTier !== null && { every_tier: everyTier }),
  }
}

function valuesOfStatus(fields: Matching['fields'], columns: ImportColumns['columns']): readonly string[] {
  return columns[fields.indexOf('status')]?.values ?? []
}

function onlyFirst(fields: Matching['fields']): Matching['fields'] {
  return fields.map((field, i) => (fields.indexOf(field) === i ? field : ''))
}

const spelt = (name: string) => name.toLowerCase().replace(/[ -]/g, '_')

/** Reads an import's report: the products that have no tier yet, the next step, and the lines to show. */
import type { paths } from '@gatehouse/proto/client.ts'
import type { Coded } from '@gatehouse/proto/said.ts'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import { saidBy } from '../../words/said.ts'

export type ImportQuery = NonNullable<paths['/v1/admin/import/tickets']['post']['parameters']['query']>

export type MatchQuery = Pick<ImportQuery, 'column' | 'status' | 'every_tier'>

/** A product of the shop, and the tier that it is put on: '' leaves it out, null is not chosen yet. */
export interface Mapping {
  product: string
  tier: string | null
}

/** A sentence of the box, with its code where the box is not of an older version. */
export interface Line {
  reason: string
  coded?: Coded | undefined
}

/** A warning as the screen shows it: "Rows 2–5: " is said of those that concern rows. */
export interface WarningLine extends Line {
  rows: readonly number[]
  /** Rows beyond these. */
  more: number
}

/** Rows that are rejected for one reason stand together: a wrong column is one mistake, and not forty thousand. */
export interface RejectedGroup extends Line {
  /** A product that fits no ticket type: it is solved here, and not in the shop. */
  product: string | null
  rows: readonly number[]
}

/** By how many rows each is about, most first. */
export function grouped(rejected: ImportReport['rejected']): RejectedGroup[] {
  const groups = Map.groupBy(rejected, ({ reason }) => reason)
  return [...groups.values()]
    .flatMap(([first, ...others]) =>
      first
        ? {
            reason: first.reason,
            coded: first.coded,
            product: productsOf(first)[0] ?? null,
            rows: [first, ...others].map(({ row }) => row),
          }
        : [],
    )
    .sort((a, b) => b.rows.length - a.rows.length)
}

/** "2–5, 9, 12", the first few of them. */
export function rowsText(rows: readonly number[], most = 8): { text: string; more: number } {
  const runs: { first: number; last: number }[] = []
  for (const row of [...rows].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && row <= run.last + 1) run.last = row
    else runs.push({ first: row, last: row })
  }
  const shown = runs.slice(0, most)
  const left = runs.slice(most).reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const text = shown.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')
  return { text, more: left }
}

/** The warnings, in parts. An older box has sentences alone, with the rows in them. */
export function warningLines({ warnings, warned }: Pick<ImportReport, 'warnings' | 'warned'>): WarningLine[] {
  if (!warned) return warnings.map((reason) => ({ reason, rows: [], more: 0 }))
  return warned.map(({ text, coded, rows, count }) => ({
    ...{ reason: text, coded, rows, more: Math.max(0, count - rows.length) },
  }))
}

/** In the language of the screen. */
export function lineText({ reason, coded }: Line): string {
  return saidBy('import', coded, withoutOption(reason))
}

/** The products for which the box asks to be told a tier. */
export function productsOf({ reason, coded }: Line): string[] {
  const product = coded?.values?.product
  if (coded?.code !== 'no_tier' && coded?.code !== 'left_out_extra') return coded ? [] : productsIn(reason)
  return typeof product === 'string' ? [product] : []
}

/** The words of the status column that the box does not know, where it was matched by hand. */
export function statusesOf({ reason, coded }: Line): string[] {
  const { status, known } = coded?.values ?? {}
  if (coded?.code !== 'status_unknown') return coded ? [] : statusesIn(reason)
  return typeof status === 'string' && known === MATCHED ? [status] : []
}

/** As the box lists the statuses of a file whose columns were matched by hand. */
const MATCHED = 'valid, pending, blocked, revoked'

/** The same of an older box: its sentences are for the command line too, and name them so. */
export function productsIn(sentence: string): string[] {
  return [...sentence.matchAll(/--tier (["'])(.+?)=<tier>\1/g)].map(([, , product = '']) => product)
}

/** The same of an older box. */
function statusesIn(sentence: string): string[] {
  const word = /^The status "(.+)" is not known: it should be one of valid, pending, blocked, revoked\.$/s.exec(
    sentence,
  )?.[1]
  return word === undefined ? [] : [word]
}

/** Without what a person would type on the command line: here it is chosen from a list. */
export function withoutOption(sentence: string): string {
  return sentence.replace(/: add --tier .*$/s, '.').replace(/with --format\b/, 'under "Format"')
}

/** The mappings so far, and a line for every product that the report asks about. */
export function mappingsAfter(lines: readonly Line[], mappings: readonly Mapping[]): Mapping[] {
  const known = new Set(mappings.map(({ product }) => product))
  const asked = [...new Set(lines.flatMap(productsOf))].filter((product) => !known.has(product))
  return [...mappings, ...asked.map((product) => ({ product, tier: null }))]
}

/** Kinds of the file whose tiers have another name by now; the others are found by their names. @param event as the file has it */
export function renamed(
  tiers: readonly { product: string; tier: string }[],
  event: Readonly<Record<string, unknown>>,
): Mapping[] {
  const list: readonly { id?: unknown; name?: unknown }[] = Array.isArray(event.tiers) ? event.tiers : []
  return tiers.flatMap(({ product, tier }) => {
    const now = list.find((one) => one?.id === tier)
    return now && now.name !== product ? [{ product, tier }] : []
  })
}

/** A tier is said as `Early Bird=day`. A product whose tier is not chosen yet is left out. */
export function queryOf({
  format,
  dryRun,
  actor,
  mappings,
  match = {},
  usedTiers = null,
}: {
  format: NonNullable<ImportQuery['format']>
  dryRun: boolean
  actor?: string
  mappings: readonly Mapping[]
  /** Meaning of the columns of a file of no known shop. */
  match?: MatchQuery
  usedTiers?: ImportQuery['used_tiers'] | null
}): ImportQuery {
  const tier = mappings.flatMap(({ product, tier }) =>
    product.trim() !== '' && tier !== null ? [`${product.trim()}=${tier}`] : [],
  )
  return {
    ...{ format, dry_run: dryRun },
    ...(actor !== undefined && { actor }),
    ...(tier.length > 0 && { tier }),
    ...(usedTiers !== null && { used_tiers: usedTiers }),
    ...match,
  }
}

/** The next step that the report allows. */
export function nextOf({
  added,
  changed,
  unchanged,
  rejected,
}: ImportReport): 'import' | 'nothing new' | 'nothing usable' {
  if (added + changed > 0) return 'import'
  return unchanged === 0 && rejected.length > 0 ? 'nothing usable' : 'nothing new'
}

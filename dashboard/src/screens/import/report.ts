/** Reads an import's report: the products that have no tier yet, the next step, and the lines to show. */
import type { paths } from '@gatehouse/proto/client.ts'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'

export type ImportQuery = NonNullable<paths['/v1/admin/import/tickets']['post']['parameters']['query']>

export type MatchQuery = Pick<ImportQuery, 'column' | 'status' | 'every_tier'>

/** A product of the shop, and the tier that it is put on: '' leaves it out, null is not chosen yet. */
export interface Mapping {
  product: string
  tier: string | null
}

/** Rows that are rejected for one reason stand together: a wrong column is one mistake, and not forty thousand. */
export interface RejectedGroup {
  reason: string
  /** A product that fits no tier: it is solved here, and not in the shop. */
  product: string | null
  rows: readonly number[]
}

/** By how many rows each is about, most first. */
export function grouped(rejected: ImportReport['rejected']): RejectedGroup[] {
  const groups = new Map<string, number[]>()
  for (const { row, reason } of rejected) groups.set(reason, [...(groups.get(reason) ?? []), row])
  return [...groups]
    .map(([reason, rows]) => ({ reason, product: productsIn(reason)[0] ?? null, rows }))
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

/** The products for which the box asks to be told a tier: its sentences are for the command line too, and name them so. */
export function productsIn(sentence: string): string[] {
  return [...sentence.matchAll(/--tier (["'])(.+?)=<tier>\1/g)].map(([, , product = '']) => product)
}

/** The words of the status column that the box does not know. */
export function statusesIn(sentence: string): string[] {
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
export function mappingsAfter(sentences: readonly string[], mappings: readonly Mapping[]): Mapping[] {
  const known = new Set(mappings.map(({ product }) => product))
  const asked = [...new Set(sentences.flatMap(productsIn))].filter((product) => !known.has(product))
  return [...mappings, ...asked.map((product) => ({ product, tier: null }))]
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
  /** What the columns of a file of no known shop mean. */
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

/** What an import's report comes to: which products have no tier yet, what may be done next, and what is worth a line. */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'

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

/** Without what a person would type on the command line: here it is chosen from a list. */
export function withoutOption(sentence: string): string {
  return sentence.replace(/: add --tier .*$/s, '.').replace(/with --format\b/, 'under "Format"')
}

/** What was mapped so far, and a line for every product that the report asks about. Nothing that was chosen is lost. */
export function mappingsAfter(sentences: readonly string[], mappings: readonly Mapping[]): Mapping[] {
  const known = new Set(mappings.map(({ product }) => product))
  const asked = [...new Set(sentences.flatMap(productsIn))].filter((product) => !known.has(product))
  return [...mappings, ...asked.map((product) => ({ product, tier: null }))]
}

/** As the query has it: `dry_run=true&tier=Early+Bird%3Dday`. What is not chosen yet is not said. */
export function queryOf(options: {
  format: string
  dryRun: boolean
  actor?: string
  mappings: readonly Mapping[]
}): URLSearchParams {
  const query = new URLSearchParams({ format: options.format, dry_run: String(options.dryRun) })
  if (options.actor !== undefined) query.set('actor', options.actor)
  for (const { product, tier } of options.mappings) {
    if (product.trim() !== '' && tier !== null) query.append('tier', `${product.trim()}=${tier}`)
  }
  return query
}

/** What the report allows. */
export function nextOf({
  added,
  changed,
  unchanged,
  rejected,
}: ImportReport): 'import' | 'nothing new' | 'nothing usable' {
  if (added + changed > 0) return 'import'
  return unchanged === 0 && rejected.length > 0 ? 'nothing usable' : 'nothing new'
}

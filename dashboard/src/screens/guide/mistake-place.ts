/** Says where a mistake of a draft is by the labels of the form: nobody who fills it in has seen the names of the file. Pure. */
import type { guideWords } from '../../words/late.ts'
import { type Json, listOf, type Section, textOf } from './draft.ts'

type Words = Pick<typeof guideWords, 'basics' | Section>

/** Fields of the form's first part. */
const BASICS = ['name', 'timezone', 'place', 'starts_at', 'ends_at', 'day_starts_at']
/** Fields of each row of the form besides the name. */
const FIELDS: Readonly<Record<Section, readonly string[]>> = {
  tiers: ['colour', 'entry'],
  zones: ['capacity'],
  gates: [],
  checkpoints: ['gate', 'direction', 'from', 'to', 'tiers'],
}

/**
 * @param path as the box has it: `ends_at`, `checkpoints[2].tiers[0]`
 * @param event the draft, for the names of its entries
 * @returns "Ends", "Checkpoints at the gates › South, in › From"; undefined for what no form shows
 */
export function placeOnForm(path: string, event: Json, words: Words): string | undefined {
  const [, part, at, field] = /^([a-z_]+)(?:\[(\d+)\](?:\.([a-z_]+))?)?(?:\[\d+\])?$/.exec(path) ?? []
  if (part === undefined) return undefined
  if (!isSection(part)) return at === undefined ? labelIn(words.basics, BASICS, part) : undefined
  const { title, ...labels } = words[part]
  if (at === undefined) return title
  // Two rows may have one name, and a mistake may be that a row has none.
  const name = textOf(listOf(event, part)[Number(at)] ?? {}, 'name').trim() || String(Number(at) + 1)
  if (field === undefined || field === 'name') return `${title} › ${name}`
  return `${title} › ${name} › ${labelIn(labels, FIELDS[part], field) ?? field}`
}

function isSection(name: string): name is Section {
  return Object.hasOwn(FIELDS, name)
}

function labelIn(labels: object, shown: readonly string[], field: string): string | undefined {
  return shown.includes(field) ? (labels as Readonly<Record<string, string>>)[field] : undefined
}

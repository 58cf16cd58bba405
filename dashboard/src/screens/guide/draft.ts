/**
 * The event file as the forms change it. The file may be of somebody who edits it by hand, and hold anything: a form changes what it
 * shows and leaves the rest as it is.
 */
import { isoOf, localOf } from './local-time.ts'

export type Json = Readonly<Record<string, unknown>>
export type Section = 'tiers' | 'zones' | 'gates' | 'checkpoints'

/** Empty where the file has no such list. What is no object in it is shown by no form. */
export function listOf(event: Json, section: Section): readonly Json[] {
  const list = event[section]
  return Array.isArray(list) ? list.map((one) => (typeof one === 'object' && one !== null ? (one as Json) : {})) : []
}

export function textOf(entry: Json, field: string): string {
  const value = entry[field]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** @param value undefined takes the field away */
export function withField(entry: Json, field: string, value: unknown): Json {
  if (value !== undefined) return { ...entry, [field]: value }
  const { [field]: _gone, ...rest } = entry
  return rest
}

/** Another time zone: its clocks show what was typed, so that a corrected zone moves no hour on the form. */
export function inTimezone(event: Json, timezone: string): Json {
  const before = textOf(event, 'timezone')
  const moved = (entry: Json, fields: readonly string[]) =>
    fields.reduce((one, field) => {
      const local = localOf(textOf(one, field), before)
      return local === '' ? one : withField(one, field, isoOf(local, timezone))
    }, entry)
  const whole = moved({ ...event, timezone }, ['starts_at', 'ends_at'])
  if (!Array.isArray(event.checkpoints)) return whole
  const isEntry = (one: unknown): one is Json => typeof one === 'object' && one !== null
  const checkpoints = event.checkpoints.map((one) => (isEntry(one) ? moved(one, ['opens_at', 'closes_at']) : one))
  return { ...whole, checkpoints }
}

export function withEntry(event: Json, section: Section, at: number, entry: Json): Json {
  return { ...event, [section]: listOf(event, section).map((one, i) => (i === at ? entry : one)) }
}

/** References to the entry go with it where they have no meaning without: checkpoints of a gate, a tier at checkpoints. */
export function withoutEntry(event: Json, section: Section, at: number): Json {
  const rest = withoutReferences(event, section, at)
  const { scanners_sign_on: rule } = rest
  if (typeof rule !== 'object' || rule === null || !('not_at' in rule)) return rest
  // No form shows it: a checkpoint that is gone would be a mistake that nobody could mend there.
  const ids = idsIn(listOf(rest, 'checkpoints').map(({ id }) => id))
  return { ...rest, scanners_sign_on: { ...rule, not_at: idsIn(rule.not_at).filter((id) => ids.includes(id)) } }
}

function withoutReferences(event: Json, section: Section, at: number): Json {
  const id = listOf(event, section)[at]?.id
  const rest = { ...event, [section]: listOf(event, section).filter((_, i) => i !== at) }
  const checkpoints = listOf(rest, 'checkpoints')
  if (section === 'gates') return { ...rest, checkpoints: checkpoints.filter(({ gate }) => gate !== id) }
  if (section !== 'tiers') return rest
  return {
    ...rest,
    checkpoints: checkpoints.map((one) => ({ ...one, tiers: idsIn(one.tiers).filter((tier) => tier !== id) })),
  }
}

/** A new tier enters everywhere, and a new gate has a way in and a way out: so the event stays one that opens. */
export function withNew(event: Json, section: Section, name: string): Json {
  const id = idFrom(
    name,
    listOf(event, section).map((one) => one.id),
    section,
  )
  const add = (entry: Json) => ({ ...event, [section]: [...listOf(event, section), { id, name, ...entry }] })
  switch (section) {
    case 'tiers': {
      const checkpoints = listOf(event, 'checkpoints').map((one) => ({ ...one, tiers: [...idsIn(one.tiers), id] }))
      const colour = COLOURS[listOf(event, 'tiers').length % COLOURS.length]
      return { ...add({ colour, entry: 'once' }), checkpoints }
    }
    case 'zones':
      return add({ capacity: 1000 })
    case 'gates':
      return withWays(add({}), id, name)
    case 'checkpoints':
      return withCheckpoint(event, { name, gate: listOf(event, 'gates')[0]?.id ?? '', direction: 'in' })
  }
}

function withWays(event: Json, gate: string, name: string): Json {
  const entered = withCheckpoint(event, { name: `${name}, in`, gate, direction: 'in' })
  return withCheckpoint(entered, { name: `${name}, out`, gate, direction: 'out' })
}

function withCheckpoint(event: Json, entry: { name: string; gate: unknown; direction: 'in' | 'out' }): Json {
  const checkpoints = listOf(event, 'checkpoints')
  const zone = listOf(event, 'zones')[0]?.id ?? null
  const tiers = listOf(event, 'tiers').map(({ id }) => id)
  const id = idFrom(
    entry.name,
    checkpoints.map((one) => one.id),
    'checkpoints',
  )
  const way = entry.direction === 'in' ? { from: null, to: zone } : { from: zone, to: null }
  return { ...event, checkpoints: [...checkpoints, { id, ...entry, ...way, tiers }] }
}

/** @param tiers names as the shop's file has them; one where there is none */
export function blankEvent(of: {
  name: string
  timezone: string
  tiers: readonly string[]
  now: number
  words: BlankWords
}): Json {
  const { name, timezone, now, words } = of
  const day = new Date(now + WEEK_MS).toISOString().slice(0, 10)
  const empty: Json = {
    ...{ id: idFrom(name, [], 'event'), name, timezone, day_starts_at: '06:00' },
    ...{ starts_at: isoOf(`${day}T10:00`, timezone), ends_at: isoOf(`${day}T23:00`, timezone) },
    ...{ tiers: [], zones: [], gates: [], checkpoints: [] },
  }
  const names = of.tiers.length > 0 ? of.tiers.slice(0, MOST_TIERS) : [words.tier]
  const tiered = names.reduce((event, tier) => withNew(event, 'tiers', tier), empty)
  return withNew(withNew(tiered, 'zones', words.zone), 'gates', words.gate)
}

export interface BlankWords {
  tier: string
  zone: string
  gate: string
}

const WEEK_MS = 7 * 86_400_000
const MOST_TIERS = 256
const COLOURS = ['#2F80ED', '#219653', '#9B51E0', '#F2994A', '#EB5757', '#56CCF2']

export function idsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

/** Small letters, digits and hyphens, as the event file wants them. @param fallback for a name that has none of these */
export function idFrom(name: string, taken: readonly unknown[], fallback: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug =
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 56)
      .replace(/-+$/, '') || fallback
  for (let n = 1; ; n++) {
    const id = n === 1 ? slug : `${slug}-${n}`
    if (!taken.includes(id)) return id
  }
}

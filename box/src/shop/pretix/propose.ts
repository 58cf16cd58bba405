/**
 * Proposes the event file and the mapping from what pretix has: a tier for each product that people enter with, a zone and a gate for
 * each check-in list. People edit both afterwards. Pure.
 */
import type { Event, EventFile } from '../../event/event.ts'
import { id, type Json, list, objects, text } from '../../tickets/import/pretix-json.ts'
import { plainText } from '../../tickets/import/row.ts'
import { tierMatcher } from '../../tickets/import/tier.ts'
import { type Found, nameOf } from './discover.ts'
import type { PretixMapping } from './mapping.ts'

/** A product of pretix by its key, with its name for people. */
export interface FoundProduct {
  key: string
  item: string
  name: string
  admission: boolean
}

const COLOURS = ['#2F80ED', '#219653', '#9B51E0', '#F2994A', '#EB5757', '#56CCF2', '#6FCF97', '#BB6BD9']
const LONGEST_NAME = 120
const CAPACITY = 10_000
const MOST_TIERS = 256
const HOURS_MS = 12 * 3_600_000

/** Items, and of those with variations each variation. */
export function productsIn(items: readonly Json[]): FoundProduct[] {
  return items.flatMap((one) => {
    const item = id(one.id)
    if (item === undefined) return []
    const name = nameOf(one.name) || `item:${item}`
    const admission = one.admission !== false
    const variations = objects(one.variations).flatMap((entry) => {
      const variation = id(entry.id)
      const value = nameOf(entry.value)
      return variation === undefined
        ? []
        : [{ key: `item:${item}/${variation}`, item, name: value ? `${name} – ${value}` : name, admission }]
    })
    return variations.length > 0 ? variations : [{ key: `item:${item}`, item, name, admission }]
  })
}

/** An event file with everything that pretix knows. @returns with what its author has to look at */
export function proposeEvent(found: Found, slug: string): { event: EventFile; toLookAt: string[] } {
  const ids = new Ids()
  const products = productsIn(found.items).filter(({ admission }) => admission)
  const lists = found.lists.length > 0 ? found.lists : [{ id: 0, name: 'Entrance', all_products: true }]
  const tiers = products.slice(0, MOST_TIERS).map((product, index) => ({
    ...{ id: ids.of(product.name, `tier-${index + 1}`), name: short(product.name) },
    colour: COLOURS[index % COLOURS.length] ?? '#2F80ED',
    entry: entryOf(product.item, found.lists),
  }))
  const tierOf = new Map(products.map(({ key }, index) => [key, tiers[index]?.id ?? '']))
  const places = groupsOf(lists).map(({ name, lists: same }) => {
    const place = ids.of(name, 'gate')
    const items = new Set(
      same.flatMap((one) => (one.all_products === true ? [] : list(one.limit_products).map(String))),
    )
    const all = same.some((one) => one.all_products === true)
    const served = products.filter(({ item }) => all || items.has(item)).flatMap(({ key }) => tierOf.get(key) || [])
    return { id: place, name: short(name), tiers: served.length > 0 ? served : tiers.map((tier) => tier.id) }
  })
  const { starts_at, ends_at } = timesOf(found)
  const event = {
    ...{ id: ids.of(slug, 'event'), name: short(nameOf(found.event.name) || slug) },
    ...{ timezone: text(found.event.timezone) || 'UTC', starts_at, ends_at, day_starts_at: '06:00', tiers },
    zones: places.map(({ id: zone, name }) => ({ id: zone, name, capacity: CAPACITY })),
    gates: places.map(({ id: gate, name }) => ({ id: gate, name })),
    checkpoints: places.flatMap(({ id: at, name, tiers: served }) => [
      { id: `${at}-in`, name: `${name}, in`, gate: at, direction: 'in', from: null, to: at, tiers: served },
      { id: `${at}-out`, name: `${name}, out`, gate: at, direction: 'out', from: at, to: null, tiers: served },
    ]),
  }
  const toLookAt = [
    `capacity of each zone (${CAPACITY} stands for it)`,
    'gates and checkpoints: one of each for a check-in list; a large entrance has several',
    'entry of each ticket type: as its check-in list has it, which is the same at every list here',
  ]
  return { event: event as EventFile, toLookAt }
}

/** The text of `pretix.yaml` for this event. @returns with the products that fit no tier */
export function proposeMapping(found: Found, event: Event): { text: string; unmapped: FoundProduct[] } {
  const matcher = tierMatcher(event.tiers, {})
  const unmapped: FoundProduct[] = []
  const tiers = productsIn(found.items).map((product) => {
    const match = matcher.match({ names: [product.name], key: product.key })
    const comment = `# ${short(product.name)}`
    if (typeof match === 'object') return `  ${product.key}: ${match.tier} ${comment}`
    if (!product.admission) return `  ${product.key}: '' ${comment}`
    unmapped.push(product)
    return `  # ${product.key}: ${comment.slice(2)} fits no ticket type: choose one, and take the # away`
  })
  const lists = groupsOf(found.lists).flatMap(({ name, lists: same }) => {
    const inside = event.checkpoints.filter(({ name: own, gate }) => {
      return (
        own === `${short(name)}, in` ||
        own === `${short(name)}, out` ||
        event.gates.find((one) => one.id === gate)?.name === short(name)
      )
    })
    const ids = inside.map(({ id: checkpoint }) => checkpoint).join(', ')
    return same.map((one) => `  ${id(one.id)}: [${ids}] # ${short(nameIn(one))}`)
  })
  const none = tiers.every((line) => line.startsWith('  #')) ? ' {}' : ''
  const lines = [
    '# Products of pretix and the ticket types that they are. The empty text stands for what nobody enters with.',
    `tiers:${none}`,
    ...tiers,
    '# Check-in lists of pretix, and the checkpoints whose passages go to each.',
    `lists:${lists.length === 0 ? ' {}' : ''}`,
    ...lists,
  ]
  return { text: `${lines.join('\n')}\n`, unmapped }
}

/** The tier of each product and the checkpoints of each check-in list, for people to look at. */
export interface Proposed {
  /** `tier` is null where it has none yet, and '' for what nobody enters with. */
  products: { key: string; name: string; tier: string | null }[]
  lists: { id: number; name: string; checkpoints: readonly string[] }[]
}

/** @param mapping of the event, as it was read or proposed */
export function proposedIn(found: Found, event: Event, mapping: Pick<PretixMapping, 'tiers' | 'lists'>): Proposed {
  const matcher = tierMatcher(event.tiers, mapping.tiers)
  const products = productsIn(found.items).map(({ key, item, name, admission }) => {
    const match = matcher.match({ names: [key, `item:${item}`, name], key })
    const otherwise = match === 'none' && admission ? null : ''
    return { key, name: short(name), tier: typeof match === 'object' ? match.tier : otherwise }
  })
  const lists = found.lists.flatMap((one) => {
    const number = Number(id(one.id) ?? Number.NaN)
    if (Number.isNaN(number)) return []
    return [{ id: number, name: short(nameIn(one)), checkpoints: mapping.lists.get(number) ?? [] }]
  })
  return { products, lists }
}

/** Lists of the same name are one place: a series has one for each date. */
function groupsOf(lists: readonly Json[]): { name: string; lists: Json[] }[] {
  const groups = new Map<string, Json[]>()
  for (const one of lists) groups.set(nameIn(one), [...(groups.get(nameIn(one)) ?? []), one])
  return [...groups].map(([name, same]) => ({ name, lists: same }))
}

function nameIn(one: Json): string {
  return plainText(text(one.name)) || `List ${id(one.id)}`
}

/** The number of times that a product enters by its first list. */
function entryOf(item: string, lists: readonly Json[]): Event['tiers'][number]['entry'] {
  const own = lists.find((one) => one.all_products === true || list(one.limit_products).map(String).includes(item))
  if (own?.allow_multiple_entries === true) return 'unlimited'
  return own && own.allow_entry_after_exit !== false ? 'reentry' : 'once'
}

function timesOf({ event, subevents }: Found): { starts_at: string; ends_at: string } {
  const all = subevents.length > 0 ? subevents : [event]
  const starts = all.flatMap((one) => moment(text(one.date_admission) || text(one.date_from)))
  const ends = all.flatMap((one) => moment(text(one.date_to) || text(one.date_from), one.date_to ? 0 : HOURS_MS))
  const from = starts.length > 0 ? Math.min(...starts) : Date.now()
  const until = Math.max(from + HOURS_MS, ...ends)
  return { starts_at: new Date(from).toISOString(), ends_at: new Date(until).toISOString() }
}

function moment(value: string, later = 0): number[] {
  const at = Date.parse(value)
  return Number.isNaN(at) ? [] : [at + later]
}

function short(name: string): string {
  return plainText(name).slice(0, LONGEST_NAME).toWellFormed().trim() || 'unnamed'
}

/** Ids of the event file, each once. */
class Ids {
  readonly #taken = new Set<string>()

  of(name: string, otherwise: string): string {
    const plain = name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 50)
    for (let n = 1; ; n++) {
      const one = `${plain || otherwise}${n === 1 ? '' : `-${n}`}`
      if (this.#taken.has(one)) continue
      this.#taken.add(one)
      return one
    }
  }
}

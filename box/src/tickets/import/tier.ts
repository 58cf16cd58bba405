/** Assigns products to the event's tiers. */
import { GatehouseError } from '../../errors.ts'
import { type Product, plainText, quoted, type Sentence, sentence } from './row.ts'

export interface Tier {
  id: string
  name: string
}

/** `leave out`: the organiser has mapped the product to an empty tier, because it is not a ticket. */
type TierMatch = { tier: string } | 'leave out' | 'none'

interface TierMatcher {
  match(product: Product): TierMatch
  /** The names given with `--tier` that no record had. */
  unused(): string[]
}

/**
 * Reads mappings of the form `NAME=TIER`, as `--tier` and the query's `tier` give them. Only the last `=` counts,
 * because a product's name may hold one. `NAME=` leaves the product out.
 *
 * @throws GatehouseError `bad_request` for a text without name or `=`
 */
export function parseTierMap(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf('=')
      if (text.slice(0, Math.max(at, 0)).trim() === '') {
        throw new GatehouseError(
          'bad_request',
          `The mapping ${quoted(text)} is not of the form NAME=TIER: write for example "Early Bird=day".`,
        )
      }
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}

/**
 * Assigns products to tiers: first by the mapping, which was given for this import, then by a tier's id or name.
 * Case, runs of blanks and the kind of dash make no difference.
 *
 * @throws GatehouseError `bad_request` for a mapping to a tier that the event does not have
 */
export function tierMatcher(tiers: readonly Tier[], tierMap: Readonly<Record<string, string>>): TierMatcher {
  const byName = new Map<string, string>()
  for (const { id, name } of tiers) byName.set(fold(name), id)
  for (const { id } of tiers) byName.set(fold(id), id)

  const mapped = new Map<string, { name: string; match: TierMatch; used: boolean }>()
  for (const [name, target] of Object.entries(tierMap)) {
    const tier = tiers.find(({ id }) => id === target)?.id ?? byName.get(fold(target))
    if (tier === undefined && target.trim() !== '') {
      throw new GatehouseError(
        'bad_request',
        `The mapping of ${quoted(name)} names the ticket type ${quoted(target)}, which this event does not have: use ${list(tiers)}.`,
        { reason: 'tier_unknown' },
      )
    }
    mapped.set(fold(name), { name, match: tier === undefined ? 'leave out' : { tier }, used: false })
  }

  const known = new Map<string, TierMatch>()
  function search(names: readonly string[]): TierMatch {
    const folded = names.map(fold)
    for (const name of folded) {
      const mapping = mapped.get(name)
      if (!mapping) continue
      mapping.used = true
      return mapping.match
    }
    const exact = tiers.find(({ id }) => names.includes(id))?.id
    const tier = exact ?? folded.map((name) => byName.get(name)).find((id) => id !== undefined)
    return tier === undefined ? 'none' : { tier }
  }

  return {
    match({ names }) {
      const key = names.join('\n')
      const match = known.get(key) ?? search(names)
      known.set(key, match)
      return match
    },
    unused: () => [...mapped.values()].filter(({ used }) => !used).map(({ name }) => name),
  }
}

/** A sentence that a product fits no ticket type, with the option that would assign it. */
export function noTier({ key, label }: Product, tiers: readonly Tier[]): Sentence {
  if (key === '')
    return sentence('tier_missing', `The row names no ticket type: fill in one of ${list(tiers)}.`, {
      tiers: list(tiers),
    })
  const product = label ? `${quoted(key)} (${quoted(label)})` : quoted(key)
  return sentence(
    'no_tier',
    `${product} fits no ticket type: add ${mappingFor(key)} with one of ${list(tiers)}, or ${mappingFor(key, '')} if it is not a ticket.`,
    { product: plainText(key), name: plainText(label ?? key) },
  )
}

/** The option to type for a product, quoted for a shell, because a name may contain a price in dollars. */
export function mappingFor(key: string, tier = '<tier>'): string {
  const mapping = `${plainText(key)}=${tier}`
  return /["$`\\!]/.test(mapping) && !mapping.includes("'") ? `--tier '${mapping}'` : `--tier "${mapping}"`
}

function list(tiers: readonly Tier[]): string {
  return tiers.map(({ id }) => id).join(', ')
}

function fold(name: string): string {
  return plainText(name)
    .normalize('NFC')
    .replace(/\p{Pd}/gu, '-')
    .toLowerCase()
}

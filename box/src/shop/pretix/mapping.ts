/**
 * The mapping of the organiser's pretix to the event: `pretix.yaml` in the event's folder, written by `gatehouse shop connect` and
 * then edited by people. All mistakes are reported at once, each with its line.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import type { Event } from '../../event/event.ts'
import { checkValue, type Mistake } from '../../feed/config/check-value.ts'
import { type FileKind, parseText, readTextFile } from '../../feed/config/document.ts'
import { MappingError } from '../mapping.ts'

export const MAPPING_FILE = 'pretix.yaml'

const MappingSchema = Type.Object(
  {
    tiers: Type.Record(Type.String({ pattern: '^item:\\d+(/\\d+)?$' }), Type.String(), {
      description:
        "ticket types by product: item:12 or item:12/34 with a ticket type's id, or '' for what nobody enters with",
    }),
    lists: Type.Optional(
      Type.Record(Type.String({ pattern: '^\\d+$' }), Type.Array(Type.String()), {
        description: 'checkpoints by check-in list: its number with a list of ids',
      }),
    ),
  },
  { additionalProperties: false },
)
type MappingFile = Static<typeof MappingSchema>

export interface PretixMapping {
  /** A tier's id, or '' for no ticket, by `item:12/34` or `item:12`. */
  tiers: Readonly<Record<string, string>>
  /**
   * Ids of checkpoints by the number of the check-in list that their passages go to. One checkpoint may have several lists, each of
   * another date.
   */
  lists: ReadonlyMap<number, readonly string[]>
  /** Differs for another mapping, other tiers or another time zone: then every order is read again. */
  digest: string
}

export function mappingPath(eventDir: string): string {
  return join(eventDir, MAPPING_FILE)
}

/**
 * Undefined where there is none: products are then mapped by the names of the tiers.
 * @throws MappingError
 */
export function readMapping(eventDir: string, event: Event): PretixMapping | undefined {
  const path = mappingPath(eventDir)
  if (!existsSync(path)) return undefined
  const kind: FileKind = { name: `The mapping ${path}`, badAlias: 'mistake', Refusal: MappingError }
  return parseMapping(readTextFile(path, kind), kind, event)
}

/** @throws MappingError */
export function parseMapping(text: string, kind: FileKind, event: Event): PretixMapping {
  const { plain, refusal } = parseText(text, kind)
  const mistakes = checkValue(MappingSchema, plain)
  if (mistakes.length === 0) mistakes.push(...unknownIn(plain as MappingFile, event))
  if (mistakes.length > 0) throw refusal(mistakes)
  const { tiers, lists = {} } = plain as MappingFile
  return mappingOf(tiers, new Map(Object.entries(lists).map(([list, ids]) => [Number(list), ids])), event)
}

/** The mapping by names alone, where there is no file. */
export function mappingByNames(event: Event): PretixMapping {
  return mappingOf({}, new Map(), event)
}

function mappingOf(
  tiers: PretixMapping['tiers'],
  lists: PretixMapping['lists'],
  { tiers: known, timezone, day_starts_at }: Event,
): PretixMapping {
  const meaning = JSON.stringify([tiers, known.map(({ id, name }) => [id, name]), timezone, day_starts_at ?? null])
  return { tiers, lists, digest: createHash('sha256').update(meaning).digest('hex').slice(0, 32) }
}

/** Gaps that the mapping leaves: nothing of it is wrong, and all of it may be meant. */
export function openIn({ tiers, lists }: PretixMapping, event: Pick<Event, 'tiers' | 'checkpoints'>): string[] {
  const used = new Set(Object.values(tiers))
  const told = new Set([...lists.values()].flat())
  return [
    ...event.tiers.flatMap(({ id }) => (used.has(id) ? [] : [`No product of pretix is the ticket type ${id}.`])),
    ...event.checkpoints.flatMap(({ id }) =>
      told.has(id) ? [] : [`The checkpoint ${id} has no check-in list: pretix is told nothing of its passages.`],
    ),
  ]
}

function unknownIn({ tiers, lists = {} }: MappingFile, event: Event): Mistake[] {
  const tierIds = new Set(event.tiers.map(({ id }) => id))
  const checkpoints = new Set(event.checkpoints.map(({ id }) => id))
  const mistakes: Mistake[] = []
  for (const [key, tier] of Object.entries(tiers)) {
    if (tier === '' || tierIds.has(tier)) continue
    const message = `must be a ticket type of the event or '', not ${JSON.stringify(tier)}`
    mistakes.push({ keys: ['tiers', key], message, kind: 'tier', value: tier })
  }
  for (const [list, ids] of Object.entries(lists)) {
    for (const [index, id] of ids.entries()) {
      const keys = ['lists', list, index]
      if (!checkpoints.has(id)) {
        const message = `must be a checkpoint of the event, not ${JSON.stringify(id)}`
        mistakes.push({ keys, message, kind: 'checkpoint', value: id })
      }
    }
  }
  return mistakes
}

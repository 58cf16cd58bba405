/**
 * The members that were removed from an event. They stay in the list of boxes, so that neither the id nor the key of one is used
 * again, whichever box is asked and whatever invite is shown. Pure.
 */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'

/**
 * The newest removals that a list keeps: a removal a minute for almost three days. Beyond that the oldest are forgotten, and every removal
 * goes on working. Two boxes that add up the same removals forget the same ones.
 */
export const MOST_REMOVALS = 4_000

/** `<version of the list that removed it>.<72 bits of SHA-256 of its id><72 bits of SHA-256 of its key>`, base64url */
const Removal = Type.String({ pattern: '^(0|[1-9][0-9]{0,9})\\.[A-Za-z0-9_-]{24}$' })
/** The newest first, each once. A list without removals does not have it at all. */
export const Removals = Type.Array(Removal, { minItems: 1, maxItems: MOST_REMOVALS })
export type Removals = Static<typeof Removals>

/** As version 2 of the list of boxes had them, which was never released. */
export const RemovalsOfVersion2 = Type.Array(
  Type.Object({ id: Type.String({ maxLength: 63 }), log_key: Type.String({ maxLength: 500 }) }),
  { maxItems: 500 },
)

interface Member {
  id: string
  /** Verifier key of its log. */
  log_key: string
}

/** True if a member with this id, or with this key under another id, was removed. */
export function wasRemoved(member: Member, removals: readonly string[]): boolean {
  const [id, key] = marksOf(member)
  return removals.some((each) => {
    const mark = markIn(each)
    return mark.startsWith(id) || mark.endsWith(key)
  })
}

/** The removals with one more. @param version of the list that removes it */
export function withRemoval(removals: readonly string[] | undefined, removed: Member, version: number): Removals {
  return mergedRemovals(removals, [`${version}.${marksOf(removed).join('')}`])
}

/** All of both, in one order, so that two boxes which add up the same removals write the same list. */
export function mergedRemovals(one: readonly string[] = [], other: readonly string[] = []): Removals {
  const versions = new Map<string, number>()
  for (const each of [...one, ...other]) {
    const mark = markIn(each)
    versions.set(mark, Math.max(versions.get(mark) ?? 0, Number.parseInt(each, 10)))
  }
  return [...versions]
    .sort(([a, v], [b, w]) => w - v || (a < b ? -1 : 1))
    .slice(0, MOST_REMOVALS)
    .map(([mark, version]) => `${version}.${mark}`)
}

function markIn(removal: string): string {
  return removal.slice(removal.indexOf('.') + 1)
}

/** Of the id, and of the public key alone: the name in front of it contains the id. The same key under another name is the same member. */
function marksOf({ id, log_key: logKey }: Member): [string, string] {
  const key = /\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44})$/.exec(logKey)?.[1] ?? logKey
  return [markOf(`id ${id}`), markOf(`key ${key}`)]
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 9).toString('base64url')
}

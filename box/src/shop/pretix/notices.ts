/**
 * Changes of a mapped check-in list that the gates cannot follow, and that no ticket shows: people are told of them when the list is
 * read, and not by the first passage that pretix refuses. Pure.
 */
import type { ShopNotice } from '@gatehouse/proto/wire/shop.ts'
import { id, isObject, text } from '../../tickets/import/pretix-json.ts'
import { plainText } from '../../tickets/import/row.ts'
import type { ShopCatalog } from './catalog.ts'
import type { PretixMapping } from './mapping.ts'

const LONGEST_NAME = 120
/** A series has a list for each date and place. */
const MOST_NOTICES = 100

/** In the order of the mapping; nothing of a list that no checkpoint is mapped to. */
export function noticesOf({ lists }: Pick<ShopCatalog, 'lists'>, mapping: Pick<PretixMapping, 'lists'>): ShopNotice[] {
  const known = new Map(lists.map((one) => [Number(id(one.id)), one]))
  return [...mapping.lists]
    .flatMap(([list, ids]): ShopNotice[] => {
      if (ids.length === 0) return []
      const found = known.get(list)
      const checkpoints = [...ids]
      if (!found) return [{ code: 'list_gone', list, name: null, checkpoints }]
      if (!isObject(found.rules) || Object.keys(found.rules).length === 0) return []
      const name = plainText(text(found.name)).slice(0, LONGEST_NAME).toWellFormed().trim()
      return [{ code: 'list_rules', list, name: name || null, checkpoints }]
    })
    .slice(0, MOST_NOTICES)
}

/** A sentence for the command line; the control room has its own in the language of its user. */
export function wordsOfNotice({ code, list, name, checkpoints }: ShopNotice): string {
  const places = checkpoints.join(', ')
  switch (code) {
    case 'list_gone':
      return `pretix no longer has the check-in list ${list} of ${places}: their passages wait here. Choose another list for them in pretix.yaml.`
    case 'list_rules':
      return `The check-in list ${list}${name === null ? '' : ` (${name})`} of ${places} has rules in pretix, which the gates do not apply: set times, zones and entries in event.json to the same.`
  }
}

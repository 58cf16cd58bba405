/** From the tables of `shop.yaml` to what is done with each row: names resolved, values folded, every mistake with its place. */
import type { Event } from '../../event/event.ts'
import { didYouMean } from '../../event/shape.ts'
import type { Mistake } from '../../feed/config/check-value.ts'
import type { ColumnRef, Condition, Lookup, MappedTable, ShopStatus, TicketMapping, Valued } from './mapping.ts'
import type { ConditionFile, MappingFile, TicketsFile, ValuedFile } from './mapping-schema.ts'

/** As the organiser's own CSV has them (box/docs/import.md). */
const STATUSES: Readonly<Record<string, ShopStatus>> = {
  paid: { status: 'valid', detail: null },
  valid: { status: 'valid', detail: null },
  pending: { status: 'pending', detail: 'not paid' },
  unpaid: { status: 'pending', detail: 'not paid' },
  blocked: { status: 'blocked', detail: 'blocked by the organiser' },
  cancelled: { status: 'revoked', detail: 'cancelled' },
  refunded: { status: 'revoked', detail: 'refunded' },
  revoked: { status: 'revoked', detail: 'revoked by the organiser' },
}

const STATUS_WORDS = Object.keys(STATUSES).join(', ')

interface Draft {
  key: readonly string[]
  columns: Set<string>
  personal: Set<string>
  lookedUp: boolean
  tickets: TicketMapping | undefined
}

/** What the tables of the file mean, once its form is checked. Adds to `mistakes` what names nothing that there is. */
export function compileTables(
  named: MappingFile['tables'],
  event: Event,
  mistakes: Mistake[],
): Map<string, MappedTable> {
  const drafts = new Map<string, Draft>()
  for (const [name, { key }] of Object.entries(named)) {
    const columns = asList(key)
    drafts.set(name, draftOf(columns))
  }
  for (const [name, file] of Object.entries(named)) {
    for (const [lookup, { table, key, by }] of Object.entries(file.lookups ?? {})) {
      const keys = ['tables', name, 'lookups', lookup]
      const columns = asList(key)
      const draft = drafts.get(table) ?? draftOf(columns)
      drafts.set(table, draft)
      draft.lookedUp = true
      if (draft.key.join() !== columns.join()) {
        mistakes.push({
          keys: [...keys, 'key'],
          message: `${table} has another key elsewhere in this file: ${draft.key.join(', ')}`,
        })
      }
      if (asList(by).length !== columns.length) {
        mistakes.push({
          keys: [...keys, 'by'],
          message: `must name as many columns as the key of ${table}: ${columns.length}`,
        })
      }
    }
  }
  for (const [name, file] of Object.entries(named)) {
    const draft = drafts.get(name)
    if (draft) draft.tickets = compileTickets(name, file, { event, drafts, own: draft, mistakes })
  }
  return drafts
}

function draftOf(key: readonly string[]): Draft {
  return { key, columns: new Set(key), personal: new Set(), lookedUp: false, tickets: undefined }
}

interface Compiling {
  event: Event
  drafts: ReadonlyMap<string, Draft>
  own: Draft
  mistakes: Mistake[]
}

function compileTickets(name: string, file: TicketsFile, { event, drafts, own, mistakes }: Compiling): TicketMapping {
  const at = (...keys: (string | number)[]) => ['tables', name, ...keys]
  const lookups = new Map<string, Lookup>()
  for (const [lookup, { table, by }] of Object.entries(file.lookups ?? {})) {
    lookups.set(lookup, { table, by: asList(by) })
    for (const column of asList(by)) own.columns.add(column)
  }

  /** Notes that the column is read, wherever it stands. */
  function refer(text: string, keys: Mistake['keys'], personal = false): ColumnRef {
    const [first = '', second] = text.split('.')
    const lookup = second === undefined ? undefined : first
    const column = second ?? first
    const table = lookup === undefined ? own : drafts.get(lookups.get(lookup)?.table ?? '')
    if (!table) {
      const guess = didYouMean(lookup ?? '', [...lookups.keys()])
      mistakes.push({ keys, message: `there is no lookup "${lookup}"${guess || '; describe it under lookups'}` })
    }
    table?.columns.add(column)
    if (personal) table?.personal.add(column)
    return { lookup, column }
  }

  function valued<T>(
    said: ValuedFile,
    keys: Mistake['keys'],
    mean: (text: string, keys: Mistake['keys']) => T,
  ): Valued<T> {
    const values = Object.entries(said.values ?? {})
    return {
      ref: refer(said.column, [...keys, 'column']),
      values: new Map(values.map(([value, text]) => [folded(value), mean(text, [...keys, 'values', value])])),
      empty: said.empty === undefined ? undefined : mean(said.empty, [...keys, 'empty']),
      otherwise: said.otherwise === undefined ? undefined : mean(said.otherwise, [...keys, 'otherwise']),
    }
  }

  const tierIds = new Map<string, string>()
  for (const { id, name } of event.tiers) tierIds.set(folded(name), id)
  for (const { id } of event.tiers) tierIds.set(folded(id), id)
  function meanTier(text: string, keys: Mistake['keys']): string {
    const tier = tierIds.get(folded(text))
    if (tier === undefined && text.trim() !== '') {
      const known = event.tiers.map(({ id }) => id)
      const guess = didYouMean(text, known)
      mistakes.push({ keys, message: `the event has no tier "${text}"${guess || `; it has ${known.join(', ')}`}` })
    }
    return tier ?? ''
  }

  function meanStatus(text: string, keys: Mistake['keys']): ShopStatus {
    const status = Object.hasOwn(STATUSES, text) ? STATUSES[text] : undefined
    if (status) return status
    mistakes.push({
      keys,
      message: `must be one of ${STATUS_WORDS}, not "${text}"${didYouMean(text, Object.keys(STATUSES))}`,
    })
    return { status: 'blocked', detail: null }
  }

  function condition(said: ConditionFile, keys: Mistake['keys']): Condition {
    if ((said.in === undefined) === (said.notIn === undefined)) {
      mistakes.push({ keys, message: 'set in or notIn, one of the two' })
    }
    const ref = refer(said.column, [...keys, 'column'])
    const values = (said.in ?? said.notIn ?? []).map((value) => (value === null ? null : folded(String(value))))
    return { ref, values, among: said.in !== undefined }
  }

  function tier(): TicketMapping['tier'] {
    const said = file.tier
    if (typeof said === 'object' && 'value' in said) return { value: meanTier(said.value, at('tier', 'value')) }
    const of = valued(typeof said === 'string' ? { column: said } : said, at('tier'), meanTier)
    // What the file does not name goes by the tier's own id or name.
    return { ...of, values: new Map<string, string>([...tierIds, ...of.values]) }
  }

  const statuses = file.status === undefined ? [] : asList(file.status)
  own.columns.add(file.code)
  if (file.code.includes('.'))
    mistakes.push({ keys: at('code'), message: "must be a column of this table: a ticket's code is its own" })
  const text = (said: string | undefined, key: string, personal = false) =>
    said === undefined ? undefined : refer(said, at(key), personal)
  const texts = {
    seat: text(file.seat, 'seat'),
    holderName: text(file.holder_name, 'holder_name', true),
    email: text(file.email, 'email', true),
    validFrom: text(file.valid_from, 'valid_from'),
    validUntil: text(file.valid_until, 'valid_until'),
  }
  return {
    code: file.code,
    tier: tier(),
    texts: Object.fromEntries(Object.entries(texts).filter(([, ref]) => ref)) as TicketMapping['texts'],
    status: statuses.map((said, i) =>
      valued(said, Array.isArray(file.status) ? at('status', i) : at('status'), meanStatus),
    ),
    where: (file.where ?? []).map((said, i) => condition(said, at('where', i))),
    lookups,
  }
}

function asList<T>(one: T | readonly T[]): readonly T[] {
  return Array.isArray(one) ? one : [one as T]
}

/** How values are compared: case and blanks make no difference, and `true` is what PostgreSQL prints as `t`. */
export function folded(value: string): string {
  const plain = value.trim().replace(/\s+/g, ' ').normalize('NFC').toLowerCase()
  return plain === 'true' ? 't' : plain === 'false' ? 'f' : plain
}

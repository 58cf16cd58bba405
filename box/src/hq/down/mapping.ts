/**
 * How the rows of a shop's tables become tickets: `shop.yaml`, read once and checked as a whole, every mistake at once with
 * its line. Nothing here knows a database.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { Config } from '../../config.ts'
import type { Event } from '../../event/event.ts'
import { didYouMean } from '../../event/shape.ts'
import { checkValue, type Mistake } from '../../feed/config/check-value.ts'
import { inFile } from '../../feed/config/place.ts'
import { PostgresOptions } from '../../feed/sources/postgres/options.ts'
import type { TicketStatus } from '../../ledger/schema.ts'
import {
  type ConditionFile,
  type MappingFile,
  MappingSchema,
  type TicketsFile,
  type ValuedFile,
} from './mapping-schema.ts'

/** A column of the row itself, or of the row that it looks up under a name. */
export interface ColumnRef {
  /** Undefined: of the row itself. */
  lookup: string | undefined
  column: string
}

export interface Lookup {
  table: string
  /** Columns of the row that looks it up, in the order of the other table's key. */
  by: readonly string[]
}

/** A column whose values stand for something. */
export interface Valued<T> {
  ref: ColumnRef
  values: ReadonlyMap<string, T>
  empty: T | undefined
  otherwise: T | undefined
}

export interface Condition {
  ref: ColumnRef
  values: readonly (string | null)[]
  /** Whether the column has to be one of them, or none. */
  among: boolean
}

export interface ShopStatus {
  status: TicketStatus
  /** In words, for the gate crew. */
  detail: string | null
}

export interface TicketMapping {
  code: string
  /** A tier's id; empty for a product that is no ticket. */
  tier: Valued<string> | { value: string }
  texts: Partial<Record<'seat' | 'holderName' | 'email' | 'validFrom' | 'validUntil', ColumnRef>>
  status: readonly Valued<ShopStatus>[]
  where: readonly Condition[]
  lookups: ReadonlyMap<string, Lookup>
}

export interface MappedTable {
  key: readonly string[]
  /** What is kept of its rows. */
  columns: ReadonlySet<string>
  /** Of these, the ones that name people. */
  personal: ReadonlySet<string>
  /** Whether rows of another table look one up here. */
  lookedUp: boolean
  /** Undefined for a table that is only looked up. */
  tickets: TicketMapping | undefined
}

export interface ShopMapping {
  /** By `schema.table`. */
  tables: ReadonlyMap<string, MappedTable>
  /** Another one for another mapping, or other tiers. */
  digest: string
  /** The shop's database, where the box fetches the changes itself; its paths lead from the file's folder. */
  source: Record<string, unknown> | undefined
}

/** The mapping cannot be used; every mistake is in the message, a line each. */
export class ShopMappingError extends Error {
  override readonly name = 'ShopMappingError'
}

/**
 * The mapping that the operator names, or the one in the event's folder; undefined where there is none.
 * @throws ShopMappingError
 */
export function findMapping(
  { shopFile, eventDir }: Pick<Config, 'shopFile' | 'eventDir'>,
  event: Event,
): { path: string; mapping: ShopMapping } | undefined {
  const path = shopFile ?? join(eventDir, 'shop.yaml')
  if (shopFile === undefined && !existsSync(path)) return undefined
  return { path, mapping: readMapping(path, event) }
}

const MOST_BYTES = 1024 * 1024

/** @throws ShopMappingError */
function readMapping(path: string, event: Event): ShopMapping {
  let text: string
  try {
    const bytes = readFileSync(path)
    if (bytes.length > MOST_BYTES) throw new Error('it is larger than 1 MiB')
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ShopMappingError(`The mapping ${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  return parseMapping(text, path, event)
}

/** @param path for the mistakes. @throws ShopMappingError */
export function parseMapping(text: string, path: string, event: Event): ShopMapping {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const refuse = (mistakes: readonly string[]) =>
    new ShopMappingError(`The mapping ${path} has mistakes:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
  const broken = document.errors.map(({ message, pos: [at] }) => `line ${lines.linePos(at).line}: ${message}`)
  if (broken.length > 0) throw refuse(broken)
  let file: unknown
  try {
    file = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw refuse([(error as Error).message])
  }
  const mistakes = checkValue(MappingSchema, file)
  let tables = new Map<string, MappedTable>()
  if (mistakes.length === 0) {
    const { source, tables: named } = file as MappingFile
    if (source !== undefined) {
      // A copy: the check fills in defaults, and what the file leaves open is not the feed's defaults here.
      mistakes.push(...checkValue(PostgresOptions, { kind: 'postgres', ...structuredClone(source) }, ['source']))
    }
    tables = compileTables(named, event, mistakes)
  }
  if (mistakes.length > 0) {
    const placed = mistakes.map((mistake) => inFile(mistake, document, lines, new Map()))
    throw refuse(placed.sort((a, b) => a.line - b.line).map((mistake) => mistake.text))
  }
  const { source } = file as { source?: Record<string, unknown> }
  const meaning = JSON.stringify([
    (file as MappingFile).tables,
    event.tiers.map(({ id, name }) => [id, name]),
    event.timezone,
  ])
  return { tables, source, digest: createHash('sha256').update(meaning).digest('hex').slice(0, 32) }
}

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

function compileTables(named: MappingFile['tables'], event: Event, mistakes: Mistake[]): Map<string, MappedTable> {
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

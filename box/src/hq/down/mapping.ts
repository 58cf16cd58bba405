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
import { checkValue } from '../../feed/config/check-value.ts'
import { inFile } from '../../feed/config/place.ts'
import { PostgresOptions } from '../../feed/sources/postgres/options.ts'
import type { TicketStatus } from '../../ledger/schema.ts'
import { compileTables } from './compile-mapping.ts'
import { type MappingFile, MappingSchema } from './mapping-schema.ts'

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

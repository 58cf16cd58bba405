/**
 * The mapping from a shop's tables to tickets: `shop.yaml`, read once and checked as a whole; all mistakes are reported at once,
 * each with its line. Does not use a database.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Event } from '../event/event.ts'
import { checkValue } from '../feed/config/check-value.ts'
import {
  type FileKind,
  type PlacedMistake,
  parseText,
  type RefusedFile,
  readTextFile,
} from '../feed/config/document.ts'
import { PostgresOptions } from '../feed/sources/postgres/options.ts'
import type { TicketStatus } from '../ledger/schema.ts'
import { compileTables } from './compile-mapping.ts'
import { type MappingFile, MappingSchema, type PersonalColumn, type ProductColumn } from './mapping-schema.ts'

/** A column of the row itself, or of a row that it looks up. */
export interface ColumnRef {
  /** Name of the lookup; undefined for the row itself. */
  lookup: string | undefined
  column: string
}

/** As `shop.yaml` has it. */
export function columnOf({ lookup, column }: ColumnRef): string {
  return lookup === undefined ? column : `${lookup}.${column}`
}

/** The text of a column, of the row or of one that it looks up. */
export type TextOf = (ref: ColumnRef) => string | null

export interface Lookup {
  table: string
  /** Columns of this row that hold the other row's key, in the order of that key. */
  by: readonly string[]
}

/** A column, with the meaning of its values. */
export interface Valued<T> {
  ref: ColumnRef
  values: ReadonlyMap<string, T>
  empty: T | undefined
  otherwise: T | undefined
}

export interface Condition {
  ref: ColumnRef
  values: readonly (string | null)[]
  /** True if the column's value has to be one of them, false if it must not be. */
  among: boolean
}

export interface MappedStatus {
  status: TicketStatus
  /** In words, for the gate crew. */
  detail: string | null
}

/** Columns with details of a ticket, which `read-details.ts` reads. */
export interface DetailMapping {
  orderCode: ColumnRef | undefined
  position: ColumnRef | undefined
  addonTo: ColumnRef | undefined
  price: { ref: ColumnRef; currency: string | undefined } | undefined
  attention: ColumnRef | undefined
  product: ({ name: ColumnRef } & Partial<Record<ProductColumn, ColumnRef>>) | undefined
  personal: Partial<Record<PersonalColumn, ColumnRef>>
}

export interface TicketMapping {
  code: string
  /** A tier's id; empty for a product that is not a ticket. */
  tier: Valued<string> | { value: string }
  texts: Partial<Record<'seat' | 'holderName' | 'email' | 'validFrom' | 'validUntil', ColumnRef>>
  status: readonly Valued<MappedStatus>[]
  where: readonly Condition[]
  details: DetailMapping
  lookups: ReadonlyMap<string, Lookup>
}

export interface MappedTable {
  key: readonly string[]
  /** The columns that are stored. */
  columns: ReadonlySet<string>
  /** Those of them that name people. */
  personal: ReadonlySet<string>
  /** True if rows of another table look one up here. */
  lookedUp: boolean
  /** Undefined for a table that is only looked up. */
  tickets: TicketMapping | undefined
}

export interface Mapping {
  /** By `schema.table`. */
  tables: ReadonlyMap<string, MappedTable>
  /** Differs for another mapping, other tiers or another time zone. */
  digest: string
  /** The shop's database, where the box runs the feed itself; paths are relative to the file's folder. */
  source: Record<string, unknown> | undefined
}

/** The mapping cannot be used; the message lists every mistake on a line of its own. */
export class MappingError extends Error {
  override readonly name = 'ShopMappingError'
  /** None where the file cannot be read at all: then the cause says why. */
  readonly mistakes: readonly PlacedMistake[]

  constructor(message: string, { mistakes = [], ...options }: RefusedFile = {}) {
    super(message, options)
    this.mistakes = mistakes
  }
}

/**
 * The mapping that the operator names, or the one in the event's folder; undefined where there is none.
 * @throws ShopMappingError
 */
export function findMapping(
  { shopFile, eventDir }: Pick<Config, 'shopFile' | 'eventDir'>,
  event: Event,
): { path: string; mapping: Mapping } | undefined {
  const path = shopFile ?? join(eventDir, 'shop.yaml')
  if (shopFile === undefined && !existsSync(path)) return undefined
  return { path, mapping: readMapping(path, event) }
}

/** @throws ShopMappingError */
function readMapping(path: string, event: Event): Mapping {
  return parseMapping(readTextFile(path, fileKind(path)), path, event)
}

function fileKind(path: string): FileKind {
  return { name: `The mapping ${path}`, badAlias: 'mistake', Refusal: MappingError }
}

/** @param path for the mistakes. @throws ShopMappingError */
export function parseMapping(text: string, path: string, event: Event): Mapping {
  const { plain: file, refusal } = parseText(text, fileKind(path))
  const mistakes = checkValue(MappingSchema, file)
  let tables = new Map<string, MappedTable>()
  if (mistakes.length === 0) {
    const { source, tables: named } = file as MappingFile
    if (source !== undefined) {
      // A copy, since the check fills in the feed's defaults, which are not this file's.
      mistakes.push(...checkValue(PostgresOptions, { kind: 'postgres', ...structuredClone(source) }, ['source']))
    }
    tables = compileTables(named, event, mistakes)
  }
  if (mistakes.length > 0) throw refusal(mistakes)
  const { source } = file as { source?: Record<string, unknown> }
  const meaning = JSON.stringify([
    (file as MappingFile).tables,
    event.tiers.map(({ id, name }) => [id, name]),
    event.timezone,
  ])
  return { tables, source, digest: createHash('sha256').update(meaning).digest('hex').slice(0, 32) }
}

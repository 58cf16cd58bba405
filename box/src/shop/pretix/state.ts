/** Position of the box in its pretix: kept in the ledger, in the transaction of what was read, so that nothing is lost or skipped. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../ledger/db.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'
import { isObject, type Json, objects } from '../../tickets/import/pretix-json.ts'
import type { CatalogFiles } from './catalog.ts'
import type { PretixCode } from './errors.ts'

const STATE = 'shop_pretix'
const WANTED = 'shop_compare'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([Type.Null(), type])

const PullState = Type.Object({
  source: Type.String(),
  /** pretix's clock, ISO 8601: everything that was changed before has been read. Null before the first run. */
  cursor: nullable(Type.String()),
  /** A run through what was changed since the cursor; it goes on at its page after a crash. */
  changes: nullable(Type.Object({ page: Type.Integer({ minimum: 1 }), cursor: nullable(Type.String()) })),
  /** A run through every order. */
  full: nullable(
    Type.Object({
      page: Type.Integer({ minimum: 1 }),
      /** Positions of an earlier load that this one does not bring are gone. */
      load: Type.Integer(),
      /** Orders in pretix when it began; null where it does not say. */
      orders: nullable(Type.Integer()),
      /** Id of the last row that was looked at for missing ones; null before all pages were read. */
      checked: nullable(Type.Integer()),
      digest: Type.String(),
    }),
  ),
  /** When a full run was last completed, Unix ms. */
  comparedAt: nullable(Type.Number()),
  /** Of mapping and catalog in that run. */
  digest: nullable(Type.String()),
})
export type PullState = Static<typeof PullState>

/** Never read, or read from another event of pretix. */
export function newState(source: string): PullState {
  return { source, cursor: null, changes: null, full: null, comparedAt: null, digest: null }
}

export function readState(db: Pick<Db, 'drizzle'>, source: string): PullState {
  const state = parsed(readValue(db, STATE))
  return Value.Check(PullState, state) && state.source === source ? state : newState(source)
}

/** Within a transaction. */
export function writeState(db: Db, state: PullState): void {
  writeValue(db, STATE, Buffer.from(JSON.stringify(state)))
}

/** Asks the box that runs to compare every order. Within a transaction. */
export function wantComparison(db: Db, at: number): void {
  writeValue(db, WANTED, Buffer.from(String(at)))
}

/** When a comparison was last asked for, Unix ms; 0 for never. */
export function comparisonWantedAt(db: Pick<Db, 'drizzle'>): number {
  return Number(readValue(db, WANTED)?.toString() ?? 0) || 0
}

const CATALOG = 'shop_catalog'

/** The catalog as it was last read, for a box that starts while pretix is away. */
export function keptCatalog(db: Pick<Db, 'drizzle'>, source: string): CatalogFiles | undefined {
  const kept = parsed(readValue(db, CATALOG))
  if (!isObject(kept) || kept.source !== source || !isObject(kept.event)) return undefined
  const { event, items, questions, lists, subevents } = kept as Json & { event: Json }
  const dates = subevents === null ? null : objects(subevents)
  return { event, items: objects(items), questions: objects(questions), lists: objects(lists), subevents: dates }
}

/** Within a transaction. Writes nothing where it is the same. */
export function keepCatalog(db: Db, source: string, files: CatalogFiles): void {
  const bytes = Buffer.from(JSON.stringify({ source, ...files }))
  if (!readValue(db, CATALOG)?.equals(bytes)) writeValue(db, CATALOG, bytes)
}

const STATUS = 'shop_status'

const ShopStatus = Type.Object({
  /** Unix ms. */
  askedAt: nullable(Type.Number()),
  error: nullable(Type.String()),
  /** The error as codes. */
  coded: Type.Optional(Type.Array(Type.Unsafe<PretixCode>(Type.Object({ code: Type.String() })))),
  /** Since when it fails, Unix ms. */
  since: nullable(Type.Number()),
  clockDifferenceMs: nullable(Type.Number()),
})
/** The last requests, for `gatehouse shop status` in another process. */
export type ShopStatus = Static<typeof ShopStatus>

export const NO_STATUS: ShopStatus = { askedAt: null, error: null, since: null, clockDifferenceMs: null }

export function readStatus(db: Pick<Db, 'drizzle'>): ShopStatus {
  const status = parsed(readValue(db, STATUS))
  return Value.Check(ShopStatus, status) ? status : NO_STATUS
}

export function writeStatus(db: Db, status: ShopStatus): void {
  db.transaction(() => writeValue(db, STATUS, Buffer.from(JSON.stringify(status))))
}

function parsed(value: Buffer | undefined): unknown {
  try {
    return value && JSON.parse(value.toString())
  } catch {
    return undefined
  }
}

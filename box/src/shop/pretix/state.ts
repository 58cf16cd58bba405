/** Position of the box in its pretix: kept in the ledger, in the transaction of what was read, so that nothing is lost or skipped. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../ledger/db.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'

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

const STATUS = 'shop_status'

const ShopStatus = Type.Object({
  /** Unix ms. */
  askedAt: nullable(Type.Number()),
  error: nullable(Type.String()),
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

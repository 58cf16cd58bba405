/**
 * Makes tickets of the shop's changes, one after the other in their order, so that it is the same however they are batched.
 * Each function is one transaction's work, which also moves the source's position and appends what happened to the journal.
 */
import { comparePositions, formatLsn, type Position, parseLsn } from '../../feed/lsn.ts'
import type { ShopSource } from '../../ledger/schema.ts'
import { Application, type Applied, type ApplyDeps } from './application.ts'
import { BatchError, type Image, type ShopChange } from './event.ts'
import type { RowRef } from './rows.ts'

/**
 * Applies changes that come after the source's position, and passes over those that do not: they came before.
 * @throws BatchError when the database seems to be another one than before
 */
export function applyChanges(source: string, changes: readonly ShopChange[], deps: ApplyDeps): Applied {
  const { rows, now } = deps
  const state = rows.source(source)
  const work = new Application(state, deps)
  let at = positionOf(state)
  let committedAt = state.committedAt ?? Number.NEGATIVE_INFINITY
  let lagMs: number | null = state.lagMs
  for (const change of changes) {
    if (at && comparePositions(change.position, at) <= 0) {
      // What came before was committed before. A database that was restored, or moved, counts its log anew: all that it
      // ever says would be passed over in silence.
      if (change.committedAt > committedAt) throw wentBack(change.position, at)
      continue
    }
    work.apply(change)
    at = change.position
    committedAt = Math.max(committedAt, change.committedAt)
    lagMs = Math.max(0, now() - change.committedAt)
  }
  const applied = work.end(at ? `${formatLsn(at.commitLsn)}:${at.index}` : null)
  rows.saveSource({
    ...state,
    ...(at && { commitLsn: formatLsn(at.commitLsn), eventIndex: at.index, committedAt }),
    ...(applied.events > 0 && { appliedAt: now(), lagMs }),
    mapping: state.mapping ?? deps.mapping.digest,
    ...totals(state, applied),
  })
  return applied
}

function wentBack({ commitLsn }: Position, at: Position): BatchError {
  return new BatchError(
    `This change was committed after the last one that was applied (${formatLsn(at.commitLsn)}), and stands before it (${formatLsn(commitLsn)}): the shop's database was restored or replaced. Run "gatehouse shop load", which begins anew.`,
  )
}

export function positionOf({ commitLsn, eventIndex }: ShopSource): Position | undefined {
  const lsn = commitLsn === null ? undefined : parseLsn(commitLsn)
  return lsn === undefined ? undefined : { commitLsn: lsn, index: eventIndex ?? 0 }
}

function totals(state: ShopSource, { events, added, changed }: Applied) {
  return { events: state.events + events, added: state.added + added, changed: state.changed + changed }
}

/** Rows of an initial load: as the database had them at one moment, whatever was told before. */
export function applyLoaded(source: string, loaded: readonly (RowRef & { image: Image })[], deps: ApplyDeps): Applied {
  const state = deps.rows.source(source)
  const work = new Application(state, deps)
  for (const { table, key, image } of loaded) work.row({ table, key }, undefined, image)
  return saved(state, work.end(null), { loadingAt: deps.now() }, deps)
}

/** A page of rows that are no longer in the shop. @returns the last of them, undefined when there are no more */
export function removeStanding(
  source: string,
  { table, before, after }: { table?: string; before?: number; after: number },
  deps: ApplyDeps,
): { last: number; applied: Applied } | undefined {
  const state = deps.rows.source(source)
  const page = deps.rows.standing(source, table, { after, ...(before !== undefined && { before }) })
  const last = page.at(-1)
  if (!last) return undefined
  const work = new Application(state, deps)
  for (const row of page) work.remove(row)
  return { last: last.id, applied: saved(state, work.end(null), {}, deps) }
}

/** Reads a page of rows anew. @returns the last of them, undefined when there are no more */
export function readAgain(
  source: string,
  { after, all }: { after: number; all: boolean },
  deps: ApplyDeps,
): { last: number; applied: Applied } | undefined {
  const state = deps.rows.source(source)
  const page = deps.rows.page(source, after, !all)
  const last = page.at(-1)
  if (!last) return undefined
  const work = new Application(state, deps)
  for (const row of page) work.again(row.id)
  return { last: last.id, applied: saved(state, work.end(null), {}, deps) }
}

function saved(state: ShopSource, applied: Applied, more: Partial<ShopSource>, { rows }: ApplyDeps): Applied {
  rows.saveSource({ ...state, ...totals(state, applied), ...more })
  return applied
}

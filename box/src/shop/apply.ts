/**
 * Applies the shop's changes one after the other, so that the result does not depend on how they are batched. Each function runs
 * within one transaction, which also moves the source's position and appends to the journal.
 */
import { comparePositions, formatLsn, type Position, parseLsn } from '../feed/lsn.ts'
import type { ShopSource } from '../ledger/schema.ts'
import { type Applied, Applier, type ApplyDeps } from './applier.ts'
import { BatchError, type Change, type Image } from './event.ts'
import type { RowRef } from './rows.ts'

/**
 * Applies changes after the source's position, and skips the others, which were applied before.
 * @throws BatchError when the database seems to be another one than before
 */
export function applyChanges(source: string, changes: readonly Change[], deps: ApplyDeps): Applied {
  const { rows, now } = deps
  const state = rows.source(source)
  const work = new Applier(state, deps)
  let at = positionOf(state)
  let committedAt = state.committedAt ?? Number.NEGATIVE_INFINITY
  let lagMs: number | null = state.lagMs
  for (const change of changes) {
    if (at && comparePositions(change.position, at) <= 0) {
      // A skipped change must not have a later commit time. A database that was restored or replaced counts its log anew, and
      // all its changes would be skipped silently.
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

/** Rows of an initial load: as the database had them at one moment, whatever was delivered before. */
export function applyLoaded(source: string, loaded: readonly (RowRef & { image: Image })[], deps: ApplyDeps): Applied {
  const state = deps.rows.source(source)
  const work = new Applier(state, deps)
  for (const { table, key, image } of loaded) work.upsert({ table, key }, undefined, image)
  return saved(state, work.end(null), { loadingAt: deps.now() }, deps)
}

/** Marks a page of rows as no longer in the shop. @returns the last of them, undefined when there are no more */
export function removePresent(
  source: string,
  { table, before, after }: { table?: string; before?: number; after: number },
  deps: ApplyDeps,
): { last: number; applied: Applied } | undefined {
  const state = deps.rows.source(source)
  const page = deps.rows.presentPage(source, table, { after, ...(before !== undefined && { before }) })
  const last = page.at(-1)
  if (!last) return undefined
  const work = new Applier(state, deps)
  for (const row of page) work.markGone(row)
  return { last: last.id, applied: saved(state, work.end(null), {}, deps) }
}

/** Applies a page of rows again. @returns the last of them, undefined when there are no more */
export function readAgain(
  source: string,
  { after, all }: { after: number; all: boolean },
  deps: ApplyDeps,
): { last: number; applied: Applied } | undefined {
  const state = deps.rows.source(source)
  const page = deps.rows.page(source, after, !all)
  const last = page.at(-1)
  if (!last) return undefined
  const work = new Applier(state, deps)
  for (const row of page) work.reapply(row.id)
  return { last: last.id, applied: saved(state, work.end(null), {}, deps) }
}

function saved(state: ShopSource, applied: Applied, more: Partial<ShopSource>, { rows }: ApplyDeps): Applied {
  rows.saveSource({ ...state, ...totals(state, applied), ...more })
  return applied
}

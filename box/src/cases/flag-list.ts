/** Lists the cases for the control room: in pages, newest first, each with its full records. */

import type { Flag, FlagsQuery } from '@gatehouse/proto/wire/admin.ts'
import { iso } from '../clock/iso.ts'
import { and, desc, inArray, isNotNull, isNull, sql } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Checkpoint, Event } from '../event/event.ts'
import type { Db } from '../ledger/db.ts'
import { type FlagRow, flags } from '../ledger/schema.ts'
import { scansOfFlags } from './flags.ts'
import { sortRecords, suspicionOf } from './record-order.ts'
import { type FullRecord, readRecords } from './records.ts'

export const MOST_FLAGS = 500

export interface FlagListDeps {
  db: Db
  event: Event
  /** Seconds on foot between checkpoints; null where no map has the way. */
  walkingSeconds: (from: Checkpoint, to: Checkpoint) => number | null
}

/**
 * One page. A case keeps its place whatever is recorded meanwhile, so that a reader who goes on after the last one of a
 * page reads every older case exactly once.
 * @throws GatehouseError `bad_request` for an `after` that no page has ended with
 */
export function listFlags(
  { limit = MOST_FLAGS, after, state, kind }: FlagsQuery,
  deps: FlagListDeps,
): { flags: Flag[]; next: string | null } {
  const rows = deps.db.drizzle
    .select()
    .from(flags)
    .where(
      and(
        after === undefined ? undefined : olderThan(after),
        state && (state === 'open' ? isNull(flags.resolution) : isNotNull(flags.resolution)),
        kind && inArray(flags.kind, kind),
      ),
    )
    .orderBy(desc(flags.detectedAt), desc(flags.id))
    .limit(limit + 1)
    .all()
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { flags: withRecords(page, deps), next: last ? `${last.detectedAt}-${last.id}` : null }
}

/** Cases with their full records: a few queries, however many there are. */
export function withRecords(rows: readonly FlagRow[], deps: FlagListDeps): Flag[] {
  const scansOf = scansOfFlags(
    rows.map(({ id }) => id),
    deps.db,
  )
  const records = readRecords([...new Set([...scansOf.values()].flat())], deps)
  return rows.map((row) => {
    const { sorted, certain } = sortRecords((scansOf.get(row.id) ?? []).flatMap((id) => records.get(id) ?? []))
    const suspicion = row.kind === 'double_use' ? suspicionIn(sorted, deps) : undefined
    const several = sorted.some(({ record }) => record.box !== undefined)
    return {
      id: row.id,
      kind: row.kind,
      ticket_ref: row.ticketRef,
      occurrence: row.occurrence,
      detected_at: iso(row.detectedAt),
      version: row.entry,
      records: sorted.map(({ record }) => record),
      ...(several && { order: certain ? 'certain' : 'uncertain' }),
      ...(suspicion && { suspicion }),
      ...(row.shop && { shop: row.shop }),
      resolution:
        row.resolution === null
          ? null
          : {
              outcome: row.resolution,
              note: row.resolutionNote,
              actor: row.resolvedBy ?? '',
              at: iso(row.resolvedAt ?? 0),
            },
    }
  })
}

function suspicionIn([first, second]: readonly FullRecord[], { event, walkingSeconds }: FlagListDeps) {
  if (!first || !second) return undefined
  const [from, to] = [first, second].map(({ record }) => event.checkpointById.get(record.checkpoint))
  if (!from || !to) return undefined
  const seen = ({ record, code }: FullRecord, { gate }: Checkpoint) => ({
    device: record.device,
    code,
    gate,
    observedAt: Date.parse(record.observed_at),
  })
  return suspicionOf(seen(first, from), seen(second, to), from.gate === to.gate ? null : walkingSeconds(from, to))
}

function olderThan(after: string) {
  const [, detectedAt, id] = /^(\d{1,15})-([0-9a-f]{24})$/.exec(after) ?? []
  if (!detectedAt || !id) {
    throw new GatehouseError(
      'bad_request',
      'The query parameter "after" is not a place in this list: start without it.',
    )
  }
  return sql`(${flags.detectedAt}, ${flags.id}) < (${Number(detectedAt)}, ${id})`
}

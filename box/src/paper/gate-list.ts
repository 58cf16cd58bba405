/** The tickets of a gate's paper list, and the way back from short codes to tickets. Runs in a thread: see `thread.ts`. */
import { and, asc, gt, inArray, sql } from '../drizzle/core.ts'
import type { Event } from '../event/event.ts'
import type { Snapshot } from '../ledger/db.ts'
import { movements, tickets } from '../ledger/schema.ts'
import { HOLDER } from '../tickets/statements.ts'
import { shortCodesBy } from './short-code.ts'

export const LIST_ORDERS = ['name', 'order'] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

/** Tickets read at a time. */
const PAGE = 5_000

export interface ListedTicket {
  /** Null where two tickets of the list would have the same one. */
  code: string | null
  name: string | null
  tier: string
  seat: string | null
  order: string | null
  /** True once it has passed a checkpoint. */
  moved: boolean
}

export interface GateList {
  rows: ListedTicket[]
  /** Tickets of the gate that may not enter: not paid, blocked, cancelled or revoked. */
  leftOut: number
}

interface ListDeps {
  snapshot: Snapshot
  event: Event
  key: Uint8Array
}

/** Every ticket that an entrance of the gate admits. @param order by name, or by the order's code and then by name */
export function gateList(
  { gate, order }: { gate: string; order: ListOrder },
  { snapshot, event, key }: ListDeps,
): GateList {
  const entrances = event.checkpoints.filter((checkpoint) => checkpoint.gate === gate && checkpoint.direction === 'in')
  const tiers = [...new Set(entrances.flatMap((checkpoint) => checkpoint.tiers))]
  const codeOf = shortCodesBy(key)
  const rows: ListedTicket[] = []
  const seen = new Map<string, ListedTicket>()
  let leftOut = 0
  for (let after = 0; tiers.length > 0; ) {
    const page = pageOf(snapshot, tiers, after)
    for (const { id, ref, status, revokedAt, moved, ...fields } of page) {
      after = id
      if (status !== 'valid' || revokedAt !== null) {
        leftOut++
        continue
      }
      const code = codeOf(ref)
      const same = seen.get(code)
      const row: ListedTicket = { ...fields, moved: moved === 1, code: same ? null : code }
      if (same) same.code = null
      seen.set(code, row)
      rows.push(row)
    }
    if (page.length < PAGE) break
  }
  return { rows: sorted(rows, order), leftOut }
}

function pageOf({ drizzle }: Snapshot, tiers: readonly string[], after: number) {
  const moved = sql<number>`EXISTS (SELECT 1 FROM ${movements} WHERE ${movements.ticket} = ${tickets.id})`
  return drizzle
    .select({
      id: tickets.id,
      ref: tickets.ref,
      name: HOLDER,
      tier: tickets.tier,
      seat: tickets.seat,
      order: tickets.orderCode,
      status: tickets.status,
      revokedAt: tickets.revokedAt,
      moved: moved.as('moved'),
    })
    .from(tickets)
    .where(and(inArray(tickets.tier, [...tiers]), gt(tickets.id, after)))
    .orderBy(asc(tickets.id))
    .limit(PAGE)
    .all()
}

const texts = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

function sorted(rows: readonly ListedTicket[], order: ListOrder): ListedTicket[] {
  const keyed = rows.map((row) => ({
    row,
    keys: order === 'order' ? [row.order, row.name, row.seat] : [row.name, row.order, row.seat],
  }))
  keyed.sort((a, b) => {
    for (const [i, key] of a.keys.entries()) {
      const difference = compare(key, b.keys[i] ?? null)
      if (difference !== 0) return difference
    }
    return compare(a.row.code, b.row.code)
  })
  return keyed.map(({ row }) => row)
}

/** Those without come last. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return texts.compare(a, b)
}

/**
 * The references of the tickets with each of these short codes: one for a code of this event, none for an unknown one, and several
 * where, among very many tickets, two have the same code.
 */
export function ticketsOf(codes: readonly string[], { snapshot, key }: Omit<ListDeps, 'event'>): string[][] {
  const codeOf = shortCodesBy(key)
  const found = new Map<string, string[]>(codes.map((code) => [code, []]))
  for (let after = 0; ; ) {
    const page = snapshot.drizzle
      .select({ id: tickets.id, ref: tickets.ref })
      .from(tickets)
      .where(gt(tickets.id, after))
      .orderBy(asc(tickets.id))
      .limit(PAGE)
      .all()
    for (const { id, ref } of page) {
      after = id
      found.get(codeOf(ref))?.push(ref)
    }
    if (page.length < PAGE) break
  }
  return codes.map((code) => found.get(code) ?? [])
}

/** Adds a pasted guest list: each line is a sale of its own, free, so that each guest has a receipt that can be voided alone. */
import { createHash } from 'node:crypto'
import type { GuestsAnswer, GuestsRequest } from '@gatehouse/proto/wire/sales.ts'
import type { By } from '../ca/actor.ts'
import { type Limit, overCapacity } from './capacity.ts'
import { type GuestLine, readGuests } from './guest-lines.ts'
import { overCapacityError, type SalesDeps, sell } from './sell.ts'

/**
 * Adds all guests, or, while any line has a problem, none. The ids of the sales follow from the list's id and the lines: whoever sends
 * the same list again, after a lost answer or a power cut, gets the same guests, and those that were missing.
 * @throws GatehouseError `over_capacity` without a reason; `ledger_unavailable`
 */
export async function addGuests(request: GuestsRequest, by: By, deps: SalesDeps): Promise<GuestsAnswer> {
  const { event, salesTable } = deps
  const lines = readGuests(request.list, request.tier, event.tiers)
  const missing = lines.filter((line) => line.problem === null && !salesTable.own(idOf(request, line)))
  const full = overCapacity(ticketsByTier(missing), { ...deps, soldOf: (tier) => salesTable.soldOf(tier) })
  const sound = lines.length > 0 && lines.every(({ problem }) => problem === null)
  if (request.dry_run || !sound) return answerOf(lines, { added: false, full, idOf: () => null })
  const { override_reason: reason } = request
  if (full.length > 0 && reason === undefined) throw overCapacityError(full)
  for (const line of lines) {
    const id = idOf(request, line)
    const { name, tickets, tier } = line
    const wanted = { sale_id: id, tier: tier ?? request.tier, tickets, ...(name !== null && { name }) }
    await sell({ ...wanted, paid: 'free', price: 0, overrideReason: reason }, by, deps)
  }
  return answerOf(lines, { added: true, full, idOf: (line) => idOf(request, line) })
}

function idOf({ list_id }: GuestsRequest, { line, name, tickets, tier }: GuestLine): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, tickets, tier]))
    .digest('hex')
  return `${list_id}.${line}.${digest.slice(0, 12)}`
}

function ticketsByTier(lines: readonly GuestLine[]): Map<string, number> {
  const wanted = new Map<string, number>()
  for (const { tier, tickets } of lines) if (tier !== null) wanted.set(tier, (wanted.get(tier) ?? 0) + tickets)
  return wanted
}

function answerOf(
  lines: readonly GuestLine[],
  { added, full, idOf }: { added: boolean; full: readonly Limit[]; idOf: (line: GuestLine) => string | null },
): GuestsAnswer {
  const sound = lines.filter(({ problem }) => problem === null)
  return {
    added,
    guests: sound.length,
    tickets: sound.reduce((sum, { tickets }) => sum + tickets, 0),
    full: full.map(({ text }) => text),
    full_coded: full.map(({ coded }) => coded),
    lines: lines.map((line) => ({ ...line, sale_id: idOf(line) })),
  }
}

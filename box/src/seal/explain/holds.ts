/** `holds`: when a gate was held, and who ended that. */
import { holds } from '../../ledger/schema.ts'
import { type Hold, type HoldEnd, Holds } from '../cases/holds.ts'
import { ExpectedRows, type ExplainContext, type Explainer, unixMs, type Values } from './explainer.ts'

export function explainHolds({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('hold', problems)
  const cases = new Holds()
  return {
    add(fact) {
      const ended =
        fact.kind === 'hold' ? fact.fields.replaces : fact.kind === 'hold_released' ? fact.fields.hold : null
      if (ended !== null && fact.box === undefined && !cases.byId.has(ended)) table.addUnknown(ended, fact.index)
      cases.add(fact)
    },
    finish() {
      for (const [id, hold] of cases.byId) {
        const expected = expectedRow(hold)
        if (expected) table.set(id, expected.index, expected.values)
      }
      const rows = drizzle.select().from(holds).all()
      const placed = rows.filter(({ id }) => !isAwaited(cases.byId.get(id)))
      table.compare(placed.map((row) => ({ key: row.id, index: row.entry, values: row })))
    },
  }
}

/** A third box has brought the end and the row of the hold, whose own entry is still to come. */
function isAwaited(hold: Hold | undefined): boolean {
  return hold !== undefined && !hold.placed && hold.ends.some(({ fact }) => fact.box !== undefined)
}

function expectedRow({ placed, ends }: Hold): { index: number; values: Values } | undefined {
  if (!placed) return undefined
  const { gate, reason, actor, at, expires_at } = placed.fields
  let last: HoldEnd | undefined
  let changed: { index: number; box?: string } = placed
  for (const end of ends) {
    if (last && !isBefore(end, last)) continue
    last = end
    // An end that came before the hold was part of the row from the first.
    if (end.fact.index > placed.index) changed = end.fact
  }
  const values = {
    gate,
    reason,
    actor,
    placedAt: unixMs(at),
    expiresAt: unixMs(expires_at),
    releasedAt: unixMs(last?.at),
    releasedBy: last?.by ?? null,
    ...(changed.box === undefined && { entry: changed.index }),
  }
  return { index: changed.index, values }
}

/** The earlier end counts, whichever came first; at the same time, that of the actor who is first by name. */
function isBefore(a: HoldEnd, b: HoldEnd): boolean {
  const [x, y] = [unixMs(a.at) ?? 0, unixMs(b.at) ?? 0]
  return x < y || (x === y && a.by < b.by)
}

/** `flags`: every case with all its scans, and what somebody found out about it. */
import { flags } from '../../ledger/schema.ts'
import type { FlagEntry, FlagResolvedEntry } from '../../scan/entry.ts'
import { type ExplainContext, type Explainer, SmallTable, unixMs } from './explainer.ts'
import { Notes } from './notes.ts'

const OPEN = { resolution: null, resolvedBy: null, resolvedAt: null }

export function explainFlags({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable('flag', problems)
  const notes = new Notes('flag', problems)
  return {
    fact(fact) {
      const { index, kind, said } = fact
      notes.fact(fact)
      if (kind === 'flag') {
        const { flag, flag_kind, scans: scanIds, ticket: ticketRef, device } = said as unknown as FlagEntry
        const changed = { scanIds, entry: index, ...OPEN }
        if (table.get(flag)) table.change(flag, index, changed)
        else table.set(flag, index, { kind: flag_kind, ticketRef, device, ...changed })
        notes.expect(flag, index, null)
      } else if (kind === 'flag_resolved') {
        const { flag, resolution, actor: resolvedBy, at, note_hash } = said as unknown as FlagResolvedEntry
        table.change(flag, index, { resolution, resolvedBy, resolvedAt: unixMs(at), entry: index })
        notes.expect(flag, index, note_hash)
      }
    },
    end() {
      const rows = drizzle.select().from(flags).all()
      table.compare(rows.map((row) => ({ key: row.id, index: row.entry, values: { ...row, resolutionSalt: null } })))
      for (const { id, resolutionNote, resolutionSalt } of rows) notes.compare(id, resolutionNote, resolutionSalt)
    },
  }
}

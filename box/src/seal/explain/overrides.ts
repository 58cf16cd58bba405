/** `overrides`: supervisors' admissions, and admissions that were taken back. */
import { overrides } from '../../ledger/schema.ts'
import type { SupervisorAdmitEntry, UndoEntry } from '../../scan/entry.ts'
import { type ExplainContext, type Explainer, SmallTable, unixMs } from './explainer.ts'

export function explainOverrides({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable('override', problems)
  return {
    fact({ index, kind, hlc, said, box }) {
      if (kind !== 'supervisor_admit' && kind !== 'undo') return
      const { scan_id, device, actor, reason, at } = said as unknown as SupervisorAdmitEntry | UndoEntry
      // Two boxes that were asked: the first that was heard of stands.
      if (box !== undefined && table.get(`${kind} ${scan_id}`)) return
      const answered = { scan_id, hlc }
      table.set(`${kind} ${scan_id}`, index, { device, actor, reason, at: unixMs(at), entry: index, answered })
    },
    end() {
      const rows = drizzle.select().from(overrides).all()
      table.compare(
        rows.map(({ kind, scanId, response, ...row }) => ({
          ...{ key: `${kind} ${scanId}`, index: row.entry },
          values: { ...row, answered: answerOf(response) },
        })),
      )
    },
  }
}

function answerOf(response: string): unknown {
  try {
    const { scan_id, hlc } = JSON.parse(response)
    return { scan_id: scan_id ?? null, hlc: hlc ?? null }
  } catch {
    return null
  }
}

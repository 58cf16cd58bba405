/** `overrides`: supervisors' admissions, and undone admissions. */
import { overrides } from '../../ledger/schema.ts'
import { ExpectedRows, type ExplainContext, type Explainer, unixMs } from './explainer.ts'

export function explainOverrides({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('override', problems)
  return {
    add({ index, kind, hlc, fields, box }) {
      if (kind !== 'supervisor_admit' && kind !== 'undo') return
      const { scan_id, device, actor, reason, at } = fields
      // A device may have asked two boxes: the row is of the entry that was known first.
      if (box !== undefined && table.get(`${kind} ${scan_id}`)) return
      const answered = { scan_id, hlc }
      table.set(`${kind} ${scan_id}`, index, { device, actor, reason, at: unixMs(at), entry: index, answered })
    },
    finish() {
      const rows = drizzle.select().from(overrides).all()
      table.compare(
        rows.map(({ kind, scanId, response, ...row }) => ({
          key: `${kind} ${scanId}`,
          index: row.entry,
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

/** The mode that the box is in: the last one that somebody has set. */
import { readValue } from '../../ledger/identity.ts'
import type { ExplainContext, Explainer } from './explainer.ts'

export function explainMode({ drizzle, problems }: ExplainContext): Explainer {
  let last: { index: number | null; mode: string } = { index: null, mode: 'STRICT' }
  return {
    add({ index, kind, fields, box }) {
      if (kind === 'mode' && box === undefined) last = { index, mode: String(fields.mode) }
    },
    finish() {
      const mode = readValue({ drizzle }, 'mode')?.toString() ?? 'STRICT'
      if (mode === last.mode) return
      problems.add('mode_differs', last.index, `the box is ${mode}, its journal says ${last.mode}`)
    },
  }
}

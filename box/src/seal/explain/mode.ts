/** The mode that the box is in is the last one that somebody forced. */
import { readValue } from '../../ledger/identity.ts'
import type { ExplainContext, Explainer } from './explainer.ts'

export function explainMode({ drizzle, problems }: ExplainContext): Explainer {
  let last: { index: number | null; mode: string } = { index: null, mode: 'STRICT' }
  return {
    fact({ index, kind, said, box }) {
      if (kind === 'mode' && box === undefined) last = { index, mode: String(said.mode) }
    },
    end() {
      const mode = readValue({ drizzle }, 'mode')?.toString() ?? 'STRICT'
      if (mode !== last.mode)
        problems.add('mode_differs', last.index, `the box is ${mode}, its journal says ${last.mode}`)
    },
  }
}
